// SPDX-License-Identifier: MIT
#include "schema_text.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr const char* role_names[]{"",         " magic",    " uuid",  " stream_class", " stream",
                                   " content", " total",    " begin", " end",          " discarded",
                                   " seq_num", " event_id", " time"};

std::string role_text(Role role)
{
    return role_names[static_cast<std::size_t>(role)];
}

std::string keeps_text(const std::optional<Register>& keeps)
{
    return keeps ? fmt::format(" =r{}", *keeps) : "";
}

std::string alignment_text(std::uint32_t alignment, std::uint32_t usual)
{
    return alignment == usual ? "" : fmt::format("@{}", alignment);
}

std::string order_text(ByteOrder order)
{
    return order == ByteOrder::Big ? "be" : "";
}

std::string units_text(std::uint32_t unit_bytes)
{
    return unit_bytes == 1 ? "" : std::to_string(unit_bytes * 8);
}

std::string ranges_text(const std::vector<ValueRange>& ranges, bool is_signed)
{
    std::string text;
    const auto bound = [&](std::uint64_t value) {
        return is_signed ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value);
    };
    for (const ValueRange& range : ranges) {
        text += text.empty() ? "" : ",";
        text += range.lower == range.upper ? bound(range.lower)
                                           : bound(range.lower) + ".." + bound(range.upper);
    }
    return "(" + text + ")";
}

struct Printer {
    std::string operator()(const IntegerClass& type) const
    {
        return fmt::format(
            "{}{}{}{}{}{}{}", type.is_signed ? 'i' : 'u', type.bits, order_text(type.byte_order),
            alignment_text(type.alignment, type.bits % 8 == 0 ? 8 : 1),
            type.is_character ? "c" : "", role_text(type.role), keeps_text(type.keeps));
    }
    std::string operator()(const VariableIntegerClass& type) const
    {
        return (type.is_signed ? "vi" : "vu") + role_text(type.role) + keeps_text(type.keeps);
    }
    std::string operator()(const RealClass& type) const
    {
        return fmt::format("f{}{}{}", type.bits, order_text(type.byte_order),
                           alignment_text(type.alignment, 8));
    }
    std::string operator()(const StringClass& type) const
    {
        return "str" + units_text(type.unit_bytes);
    }
    std::string operator()(const StructureClass& type) const
    {
        std::string members;
        for (const Member& member : type.members) {
            members += (members.empty() ? "" : " ") + member.name + ":" + schema_text(member.type);
        }
        return "{" + members + "}" + alignment_text(type.alignment, 1);
    }
    std::string operator()(const ArrayClass& type) const
    {
        return fmt::format("[{}*{}]{}{}", schema_text(type.element), type.length,
                           alignment_text(type.alignment, 1), role_text(type.role));
    }
    std::string operator()(const SequenceClass& type) const
    {
        return fmt::format("[{}*r{}]{}", schema_text(type.element), type.length,
                           alignment_text(type.alignment, 1));
    }
    std::string operator()(const StaticTextClass& type) const
    {
        return fmt::format("text{}({})", units_text(type.unit_bytes), type.bytes);
    }
    std::string operator()(const DynamicTextClass& type) const
    {
        return fmt::format("text{}(r{})", units_text(type.unit_bytes), type.bytes);
    }
    std::string operator()(const StaticBlobClass& type) const
    {
        return fmt::format("blob({}){}", type.bytes, role_text(type.role));
    }
    std::string operator()(const DynamicBlobClass& type) const
    {
        return fmt::format("blob(r{})", type.bytes);
    }
    std::string operator()(const VariantClass& type) const
    {
        std::string options;
        for (const VariantOption& option : type.options) {
            options += " " + option.name + ranges_text(option.ranges, type.is_tag_signed) + ":" +
                       schema_text(option.type);
        }
        return fmt::format("<r{}{}>", type.tag, options);
    }
    std::string operator()(const OptionalClass& type) const
    {
        return fmt::format("?r{}{}:{}", type.selector,
                           ranges_text(type.ranges, type.is_selector_signed),
                           schema_text(type.type));
    }
};

} // namespace

std::string schema_text(const FieldClassPtr& type)
{
    return type == nullptr ? "none" : std::visit(Printer{}, type->kind);
}

const EventClass& only_event(const Schema& schema)
{
    REQUIRE(schema.streams.size() == 1);
    REQUIRE(schema.streams[0].events.size() == 1);
    return schema.streams[0].events[0];
}

} // namespace lttng_gpu::trace::ctf
