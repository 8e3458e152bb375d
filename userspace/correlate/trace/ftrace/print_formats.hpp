// SPDX-License-Identifier: MIT
//
// The print formats of GPU and scheduler events in all kernels, as patterns (see
// text_pattern.hpp) whose places bear the names of the fields that LTTng gives the
// same facts; and the names that events and fields had in older kernels.
#pragma once

#include <span>
#include <string_view>

namespace lttng_gpu::trace::ftrace {

struct PrintFormat {
    std::string_view events; // names, separated by spaces; an ending '*' stands for any
    std::string_view pattern;
};

/// Formats of one event stand in the order in which they have to be tried.
std::span<const PrintFormat> print_formats();

bool is_format_of(const PrintFormat& format, std::string_view event);

struct OldName {
    std::string_view now; // an ending '*' stands for any, also at the end of `old`
    std::string_view old;
};

/// Events that were renamed and kept their meaning.
std::span<const OldName> old_event_names();

struct OtherField {
    std::string_view event; // as in PrintFormat::events
    std::string_view wanted;
    std::string_view recorded; // in the kernel's record; empty: it has no such fact
};

/// Fields whose name in a record is not that which LTTng uses.
std::span<const OtherField> other_field_names();

/// Whether one of the names in `events` is `event`.
bool is_among(std::string_view event, std::string_view events);

} // namespace lttng_gpu::trace::ftrace
