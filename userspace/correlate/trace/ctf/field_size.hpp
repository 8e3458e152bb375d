// SPDX-License-Identifier: MIT
//
// How much room fields take, as far as their classes say it. Sizes that no packet can have
// are all the same number, and fail when they are read.
#pragma once

#include "metadata/schema.hpp"

#include <optional>

namespace lttng_gpu::trace::ctf {

std::uint64_t add_bits(std::uint64_t first, std::uint64_t second);
std::uint64_t multiply_bits(std::uint64_t bits, std::uint64_t count);
std::uint64_t align_up(std::uint64_t bits, std::uint32_t alignment);

/// Bits of a field of this class when every one has the same; its beginning is aligned.
std::optional<std::uint64_t> fixed_bits(const FieldClass& type);

/// In bits: where a field of this class must begin.
std::uint32_t alignment_of(const FieldClass& type);

} // namespace lttng_gpu::trace::ctf
