// SPDX-License-Identifier: MIT
//
// See text_plan.hpp.
#include "text_plan.hpp"

#include "../wanted_pattern.hpp"
#include "print_formats.hpp"
#include "text_value.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ftrace {
namespace {

/// The kernel's name of a wanted field; empty when its records have no such fact.
std::string key_of(std::string_view event, const std::string& field)
{
    for (const OtherField& other : other_field_names()) {
        if (field == other.wanted && is_among(event, other.event)) {
            return std::string{other.recorded};
        }
    }
    return field;
}

} // namespace

TextPlan::TextPlan(std::string_view name, std::size_t wanted, const WantedEvent& event)
    : m_wanted{wanted}, m_fields{event.fields}
{
    for (const std::string& field : m_fields) {
        m_keys.push_back(key_of(name, field));
    }
    for (const PrintFormat& format : print_formats()) {
        if (is_format_of(format, name)) {
            m_patterns.emplace_back(format.pattern, m_fields);
        }
    }
}

/// A kernel that is newer than the known formats has the facts of one of them under the same
/// names; of a line that is cut or has another in it some are missing.
bool TextPlan::read_by_keys(std::string_view text, std::span<FieldValue> values) const
{
    for (std::size_t field = 0; field < m_fields.size(); ++field) {
        values[field] =
            m_keys[field].empty() ? FieldValue{} : find_keyed_value(text, m_keys[field]);
    }
    const auto is_there = [&](std::size_t field) {
        return values[field].kind() != FieldValue::Kind::None;
    };
    if (m_patterns.empty() || std::ranges::any_of(m_patterns, [&](const TextPattern& pattern) {
            return std::ranges::all_of(pattern.required(), is_there);
        })) {
        return true;
    }
    std::ranges::fill(values, FieldValue{});
    return false;
}

bool TextPlan::read(std::string_view name, std::string_view text, std::span<FieldValue> values)
{
    bool is_read = m_last < m_patterns.size() && m_patterns[m_last].match(text, values);
    for (std::size_t index = 0; !is_read && index < m_patterns.size(); ++index) {
        is_read = m_patterns[index].match(text, values);
        m_last = is_read ? index : m_last;
    }
    is_read = is_read || read_by_keys(text, values);
    for (std::size_t field = 0; field < m_fields.size(); ++field) {
        if (m_fields[field] == name_field) {
            values[field] = FieldValue{name};
        } else if (m_fields[field] == "*") {
            values[field] = FieldValue{text};
        }
    }
    return is_read;
}

TextPlans::TextPlans(const std::vector<WantedEvent>& wanted) : m_wanted{wanted}
{
    for (const NamedEvent& named : names_of(wanted)) {
        m_plans.try_emplace(named.name, TextPlan{named.name, named.wanted, wanted[named.wanted]});
    }
}

TextPlan* TextPlans::find(std::string_view name)
{
    auto found = m_plans.find(name);
    if (found == m_plans.end()) {
        if (m_plans.size() >= most_names) {
            return nullptr;
        }
        const auto pattern = find_pattern(m_wanted, name);
        found = m_plans
                    .emplace(std::string{name},
                             pattern ? std::optional{TextPlan{name, *pattern, m_wanted[*pattern]}}
                                     : std::nullopt)
                    .first;
    }
    return found->second ? &*found->second : nullptr;
}

} // namespace lttng_gpu::trace::ftrace
