// SPDX-License-Identifier: MIT
//
// See event_header_form.hpp. The structures are those that lttng-tools writes into every
// trace: src/bin/lttng-sessiond/ust-metadata.cpp and lttng-modules' src/lttng-events.c,
// `struct event_header_compact` and `struct event_header_large`.
#include "event_header_form.hpp"

#include "field_size.hpp"

namespace lttng_gpu::trace::ctf {
namespace {

const IntegerClass* find_integer(const FieldClass& type, std::uint32_t bits, Role role)
{
    const auto* integer = std::get_if<IntegerClass>(&type.kind);
    const bool fits = integer != nullptr && integer->bits == bits && integer->role == role &&
                      integer->byte_order == ByteOrder::Little && !integer->is_signed &&
                      integer->alignment <= 8;
    return fits ? integer : nullptr;
}

const StructureClass* find_structure(const FieldClass& type, std::size_t members)
{
    const auto* structure = std::get_if<StructureClass>(&type.kind);
    return structure != nullptr && structure->members.size() == members && structure->alignment <= 8
               ? structure
               : nullptr;
}

bool is_time_only(const FieldClass& type, std::uint32_t bits)
{
    const auto* structure = find_structure(type, 1);
    return structure != nullptr &&
           find_integer(*structure->members[0].type, bits, Role::Timestamp) != nullptr;
}

bool is_extended(const FieldClass& type)
{
    const auto* structure = find_structure(type, 2);
    if (structure == nullptr) {
        return false;
    }
    const auto* id = find_integer(*structure->members[0].type, 32, Role::EventClassId);
    const auto* time = find_integer(*structure->members[1].type, 64, Role::Timestamp);
    return id != nullptr && time != nullptr && id->alignment == 8 && time->alignment == 8;
}

/// One range that begins and ends there.
bool covers(const VariantOption& option, std::uint64_t lower, std::uint64_t upper)
{
    return option.ranges.size() == 1 && option.ranges[0].lower == lower &&
           option.ranges[0].upper == upper;
}

struct Shape {
    HeaderForm form;
    std::uint32_t id_bits;
    std::uint32_t time_bits;
    std::uint32_t alignment; // of id and time of the short form
};
constexpr Shape shapes[]{{HeaderForm::Compact, 5, 27, 1}, {HeaderForm::Large, 16, 32, 8}};

bool has_shape(const StructureClass& header, const Shape& shape)
{
    const auto* id = find_integer(*header.members[0].type, shape.id_bits, Role::EventClassId);
    const auto* rest = std::get_if<VariantClass>(&header.members[1].type->kind);
    if (id == nullptr || rest == nullptr || id->alignment != shape.alignment ||
        id->keeps != rest->tag || rest->options.size() != 2) {
        return false;
    }
    const std::uint64_t last = (std::uint64_t{1} << shape.id_bits) - 1;
    const VariantOption& small = rest->options[0];
    const VariantOption& large = rest->options[1];
    return covers(small, 0, last - 1) && covers(large, last, last) &&
           is_time_only(*small.type, shape.time_bits) &&
           alignment_of(*small.type) == shape.alignment && is_extended(*large.type);
}

} // namespace

HeaderForm recognise_header(const FieldClass* header)
{
    const auto* structure =
        header == nullptr ? nullptr : std::get_if<StructureClass>(&header->kind);
    if (structure == nullptr || structure->members.size() != 2 || structure->alignment != 8) {
        return HeaderForm::Steps;
    }
    for (const Shape& shape : shapes) {
        if (has_shape(*structure, shape)) {
            return shape.form;
        }
    }
    return HeaderForm::Steps;
}

} // namespace lttng_gpu::trace::ctf
