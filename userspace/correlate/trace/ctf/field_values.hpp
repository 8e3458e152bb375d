// SPDX-License-Identifier: MIT
//
// Which fields have a value of their own.
#pragma once

#include "../enumeration_table.hpp"
#include "metadata/schema.hpp"

namespace lttng_gpu::trace::ctf {

/// A member of the structure; null when it has none of that name or is none.
const Member* find_member(const FieldClassPtr& scope, std::string_view name);

/// A value that a slot can take: an integer, a real number, a text or a list of numbers.
bool is_leaf(const FieldClass& type);

/// A sequence that is read as a NumberList: of unsigned 64-bit little-endian integers without gaps.
bool is_number_list(const FieldClass& type);

/// What the enumeration of the field has in the table; 0 when the field is no enumeration.
std::uint32_t number_of_enumeration(const FieldClass& type, EnumerationTable& enumerations);

} // namespace lttng_gpu::trace::ctf
