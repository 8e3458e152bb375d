// SPDX-License-Identifier: MIT
//
// Reads the fields of one event.
#pragma once

#include "event_form.hpp"
#include "wire_reader.hpp"

#include "../raw_event.hpp"

#include <string_view>

namespace lttng_gpu::trace::perfetto {

/// The fields as they stand there. What is damaged ends them.
void read_fields(Bytes body, std::vector<WireField>& fields);

/// Of an event that brings its name and those of its fields along. Fields are numbered
/// from 1 on; `forms` has their names and kinds. Returns the event's name.
std::string_view read_generic(Bytes body, std::vector<WireField>& fields,
                              std::vector<FieldForm>& forms);

/// Null when the event lacks it.
const WireField* find_field(const std::vector<WireField>& fields, std::uint32_t number);

/// None when the field is of another kind than the form says.
FieldValue value_of(const WireField& field, FieldKind kind);

std::string_view as_text(Bytes bytes);

} // namespace lttng_gpu::trace::perfetto
