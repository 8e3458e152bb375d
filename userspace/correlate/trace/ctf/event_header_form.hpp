// SPDX-License-Identifier: MIT
//
// Recognises LTTng's two event headers by their structure, so that they can be
// read without steps.
#pragma once

#include "trace_plan.hpp"

namespace lttng_gpu::trace::ctf {

HeaderForm recognise_header(const FieldClass* header);

/// What the two forms look like in memory.
constexpr std::uint64_t compact_bytes = 4;           // 5 bits of id, 27 of time
constexpr std::uint64_t compact_extended_bytes = 13; // id 31, then 32 bits of id, 64 of time
constexpr std::uint32_t compact_id_bits = 5;
constexpr std::uint32_t compact_extended_id = 31;
constexpr std::uint64_t large_bytes = 6;           // 16 bits of id, 32 of time
constexpr std::uint64_t large_extended_bytes = 14; // id 65535, then 32 bits of id, 64 of time
constexpr std::uint32_t large_extended_id = 65535;

/// The id that says that the header is a long one.
constexpr std::uint32_t mark_of_long_header(HeaderForm form)
{
    return form == HeaderForm::Compact ? compact_extended_id : large_extended_id;
}

} // namespace lttng_gpu::trace::ctf
