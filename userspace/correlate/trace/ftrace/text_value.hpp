// SPDX-License-Identifier: MIT
//
// Single values as ftrace prints them. What does not parse to the end is no value.
#pragma once

#include "../raw_event.hpp"

#include <optional>

namespace lttng_gpu::trace::ftrace {

/// Takes a number off the front of `text`; nothing, and `text` as it was, when there
/// is none or it does not fit. Negative numbers become signed values.
std::optional<FieldValue> take_number(std::string_view& text);

/// The same for hexadecimal digits with or without 0x. What the kernel prints in place
/// of a pointer, such as (____ptrval____) or (null), gives a value of kind None.
std::optional<FieldValue> take_hex(std::string_view& text);

/// Takes decimal digits off the front; nothing when there are none or they do not fit.
std::optional<std::uint64_t> take_digits(std::string_view& text);

/// A text value without what the kernel wraps round a pointer it does not trust.
FieldValue text_value(std::string_view text);

/// The value of a key in `key=value, other: value` text of a format nobody listed;
/// none when the key is missing or not the only one.
FieldValue find_keyed_value(std::string_view text, std::string_view key);

} // namespace lttng_gpu::trace::ftrace
