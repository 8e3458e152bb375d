// SPDX-License-Identifier: MIT
//
// The identities that events and jobs carry. TraceId tells traces of different
// origin apart (they share no fence contexts); RingId names a (trace, device,
// ring name) triple of the ring table; OriginId where an actor's numbers hold; StringId a
// text of the pool.
#pragma once

#include "strong.hpp"

#include <cstddef>
#include <cstdint>

namespace lttng_gpu {

using FenceContext = Strong<struct FenceContextTag, std::uint64_t>;
using FenceSeqno = Strong<struct FenceSeqnoTag, std::uint64_t>;
using Pid = Strong<struct PidTag, std::int64_t>;
using Tid = Strong<struct TidTag, std::int64_t>;
using Cpu = Strong<struct CpuTag, std::uint32_t>;
using TraceId = Strong<struct TraceIdTag, std::uint32_t>;
using RingId = Strong<struct RingIdTag, std::uint32_t>;
using OriginId = Strong<struct OriginIdTag, std::uint32_t>;
using StringId = Strong<struct StringIdTag, std::uint32_t>;

/// Mixes one more value into a hash; for the keys made of several identities.
constexpr std::uint64_t mix_hash(std::uint64_t seed, std::uint64_t value)
{
    std::uint64_t mixed = (seed ^ value) * 0x9e3779b97f4a7c15ULL;
    return mixed ^ (mixed >> 32U);
}

/// One of 2^bits places. The highest bits of a hash depend on all bits of what was mixed; the
/// lowest ones not on the last characters of a text of eight, in which names often differ.
constexpr std::size_t hash_place(std::uint64_t hash, unsigned bits)
{
    return static_cast<std::size_t>(hash >> (64U - bits));
}

} // namespace lttng_gpu
