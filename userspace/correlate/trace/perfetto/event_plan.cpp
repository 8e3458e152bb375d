// SPDX-License-Identifier: MIT
//
// See event_plan.hpp.
#include "event_plan.hpp"

#include "../ftrace/print_formats.hpp"
#include "../wanted_pattern.hpp"

#include <algorithm>

namespace lttng_gpu::trace::perfetto {
namespace {

const FieldForm* find_field(const EventForm& form, std::string_view name)
{
    const auto found = std::find_if(form.fields.begin(), form.fields.end(),
                                    [&](const FieldForm& field) { return field.name == name; });
    return found == form.fields.end() || name.empty() ? nullptr : &*found;
}

bool are_same(const std::vector<FieldForm>& a, const std::vector<FieldForm>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const FieldForm& one, const FieldForm& other) {
                          return one.kind == other.kind && one.name == other.name;
                      });
}

} // namespace

RecordedNames RecordedNames::of(std::string_view event, const std::string& wanted)
{
    RecordedNames names{wanted, {}};
    for (const ftrace::OtherField& other : ftrace::other_field_names()) {
        if (wanted == other.wanted && ftrace::is_among(event, other.event)) {
            const bool means_something_else = other.recorded.empty();
            names = means_something_else ? RecordedNames{}
                                         : RecordedNames{wanted, std::string{other.recorded}};
        }
    }
    return names;
}

EventPlans::EventPlans(const std::vector<WantedEvent>& wanted,
                       const std::vector<Sequence>& sequences)
    : m_wanted{wanted}, m_known{known_forms()}
{
    for (ftrace::NamedEvent& named : ftrace::names_of(wanted)) {
        m_names.try_emplace(std::move(named.name), named.wanted);
    }
    for (const auto& [number, form] : m_known) {
        if (const auto index = find_wanted(form.name)) {
            m_plans.emplace(number, make_plan(form, *index));
        }
    }
    for (const Sequence& sequence : sequences) {
        auto& described = m_described.emplace_back();
        for (const auto& [number, form] : sequence.forms) {
            const auto index = find_wanted(form.name);
            described[number] = index ? std::optional{make_plan(form, *index)} : std::nullopt;
        }
    }
}

std::optional<std::size_t> EventPlans::find_wanted(std::string_view name) const
{
    const auto named = m_names.find(name);
    return named == m_names.end() ? find_pattern(m_wanted, name) : std::optional{named->second};
}

EventPlan EventPlans::make_plan(const EventForm& form, std::size_t wanted) const
{
    EventPlan plan{form.name, wanted, 0, {}, {}};
    for (const std::string& name : m_wanted[wanted].fields) {
        if (name == "*") {
            for (const FieldForm& field : form.fields) {
                if (field.kind != FieldKind::Other) {
                    plan.slots.push_back({field.number, field.kind, plan.size++});
                }
            }
            continue;
        }
        if (name == ftrace::name_field) {
            plan.name_places.push_back(plan.size);
        }
        const RecordedNames names = RecordedNames::of(form.name, name);
        const FieldForm* field = find_field(form, names.first);
        field = field == nullptr ? find_field(form, names.other) : field;
        if (field != nullptr) {
            plan.slots.push_back({field->number, field->kind, plan.size});
        }
        ++plan.size;
    }
    return plan;
}

/// Whether the trace or the schema tells what the event is. Those that have a number in
/// Perfetto's schema, but none in ours, are known to be of no interest.
bool EventPlans::is_known(std::size_t sequence, std::uint32_t number) const
{
    constexpr std::uint32_t first_described = 65536;
    return number < first_described || m_described[sequence].count(number) != 0;
}

const EventPlan* EventPlans::find(std::size_t sequence, std::uint32_t number) const
{
    if (const auto plan = m_plans.find(number); plan != m_plans.end()) {
        return &plan->second;
    }
    const auto described = m_described[sequence].find(number);
    return described == m_described[sequence].end() || !described->second ? nullptr
                                                                          : &*described->second;
}

/// All events of a name have the same fields; when a file has others, the plan is made anew.
const EventPlan* EventPlans::find_generic(std::string_view name,
                                          const std::vector<FieldForm>& fields)
{
    constexpr std::size_t most_names = 65536;
    const auto known = m_generic.find(name);
    if (known != m_generic.end() &&
        (!known->second || are_same(known->second->form.fields, fields))) {
        return known->second ? &known->second->plan : nullptr;
    }
    if (m_generic.size() >= most_names) {
        m_generic.clear();
    }
    std::optional<Generic>& generic = m_generic[std::string{name}];
    if (const auto wanted = find_wanted(name)) {
        EventForm form{std::string{name}, fields};
        EventPlan plan = make_plan(form, *wanted);
        generic = Generic{std::move(form), std::move(plan)};
    }
    return generic ? &generic->plan : nullptr;
}

} // namespace lttng_gpu::trace::perfetto
