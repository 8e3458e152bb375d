// SPDX-License-Identifier: MIT
//
// See dat_plan.hpp.
#include "dat_plan.hpp"

#include "../wanted_pattern.hpp"
#include "print_formats.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace lttng_gpu::trace::ftrace {
namespace {

std::string_view text_until_zero(std::span<const std::byte> bytes)
{
    const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    return text.substr(0, text.find('\0'));
}

std::int64_t sign_extended(std::uint64_t value, std::uint32_t size)
{
    const std::uint32_t unused = 64 - 8 * size;
    return static_cast<std::int64_t>(value << unused) >> unused;
}

/// The record's field for a wanted name; null when the kernel records no such thing.
const RecordField* find_recorded(const EventFormat& format, const std::string& wanted)
{
    const RecordField* field = find_field(format.fields, wanted);
    for (const OtherField& other : other_field_names()) {
        if (wanted == other.wanted && is_among(format.name, other.event)) {
            const bool means_something_else = other.recorded.empty();
            field = means_something_else ? nullptr
                    : field != nullptr   ? field
                                         : find_field(format.fields, other.recorded);
        }
    }
    return field;
}

void take_common(const EventFormat& format, std::string_view name, RecordField& field)
{
    const RecordField* found = find_field(format.fields, name);
    if (found != nullptr &&
        (found->kind == RecordKind::Unsigned || found->kind == RecordKind::Signed)) {
        field = *found;
    }
}

} // namespace

DatPlans::DatPlans(const std::vector<WantedEvent>& wanted) : m_wanted{wanted}
{
    for (NamedEvent& named : names_of(wanted)) {
        m_names.try_emplace(std::move(named.name), named.wanted);
    }
}

void DatPlans::add(std::string_view text)
{
    const auto format = parse_event_format(text);
    if (!format) {
        return;
    }
    take_common(*format, "common_type", m_type);
    take_common(*format, "common_pid", m_pid);
    const auto named = m_names.find(std::string_view{format->name});
    const auto wanted = named == m_names.end() ? find_pattern(m_wanted, format->name)
                                               : std::optional{named->second};
    if (wanted) {
        m_by_id.resize(std::max<std::size_t>(m_by_id.size(), format->id + 1U));
        m_by_id[format->id] = std::make_unique<DatPlan>(make_plan(*format, *wanted));
    }
}

DatPlan DatPlans::make_plan(const EventFormat& format, std::size_t wanted) const
{
    DatPlan plan{format.name, wanted, {}, {}};
    for (const std::string& name : m_wanted[wanted].fields) {
        if (name == "*") {
            std::copy_if(format.fields.begin(), format.fields.end(),
                         std::back_inserter(plan.fields), [](const RecordField& field) {
                             return !field.name.starts_with("common_") &&
                                    field.kind != RecordKind::Other;
                         });
            continue;
        }
        if (name == name_field) {
            plan.name_places.push_back(plan.fields.size());
        }
        const RecordField* field = find_recorded(format, name);
        plan.fields.push_back(field == nullptr ? RecordField{} : *field);
    }
    return plan;
}

FieldValue RecordReader::read(std::span<const std::byte> record, const RecordField& field)
{
    if (field.kind == RecordKind::Other || field.offset > record.size() ||
        field.size > record.size() - field.offset) {
        return {};
    }
    const std::span<const std::byte> bytes = record.subspan(field.offset, field.size);
    switch (field.kind) {
    case RecordKind::Unsigned:
        return FieldValue{to_number(bytes, m_dat.is_big_endian)};
    case RecordKind::Signed:
        return FieldValue{sign_extended(to_number(bytes, m_dat.is_big_endian), field.size)};
    case RecordKind::Characters:
        return FieldValue{text_until_zero(bytes)};
    case RecordKind::LocatedText:
    case RecordKind::RelativeText:
        return read_located(record, field);
    case RecordKind::PointerToText:
        return read_address(to_number(bytes, m_dat.is_big_endian));
    case RecordKind::Other:
        break;
    }
    return {};
}

FieldValue RecordReader::read_located(std::span<const std::byte> record,
                                      const RecordField& field) const
{
    const std::uint64_t place =
        to_number(record.subspan(field.offset, field.size), m_dat.is_big_endian);
    const std::uint64_t length = place >> 16U;
    std::uint64_t offset = place & 0xffffU;
    if (field.kind == RecordKind::RelativeText) {
        offset += field.offset + field.size;
    }
    if (offset > record.size() || length > record.size() - offset) {
        return {};
    }
    return FieldValue{text_until_zero(record.subspan(offset, length))};
}

/// A text that lies in the kernel: known when it was saved with the trace, else its address
/// stands for it, as in print.
FieldValue RecordReader::read_address(std::uint64_t address)
{
    if (const auto found = m_dat.printk.find(address); found != m_dat.printk.end()) {
        return FieldValue{std::string_view{found->second}};
    }
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16).ptr;
    if (m_made_count == m_made.size()) {
        m_made.emplace_back();
    }
    std::string& made = m_made[m_made_count++];
    made.assign(digits.data(), end);
    return FieldValue{std::string_view{made}};
}

} // namespace lttng_gpu::trace::ftrace
