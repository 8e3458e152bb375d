// SPDX-License-Identifier: MIT
#include "event_planner.hpp"

#include "event_segments.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ctf {

EventPlanner::EventPlanner(const StreamClass& stream, const EventClass& event,
                           EnumerationTable* enumerations)
    : m_stream{stream}, m_event{event}, m_enumerations{enumerations}
{
    m_plan.name = event.name;
}

void EventPlanner::want(std::uint32_t index, const WantedEvent& event)
{
    m_plan.wanted = index;
    if (event.needs_contexts) {
        // Kernel traces carry pid and tid, user space traces vpid and vtid.
        m_plan.pid_slot = find_context({"pid", "vpid"});
        m_plan.tid_slot = find_context({"tid", "vtid"});
        m_plan.procname_slot = find_context({"procname"});
        m_plan.pid_ns_slot = find_context({"pid_ns"});
        m_plan.vpid_slot = find_context({"vpid"});
        m_plan.vtid_slot = find_context({"vtid"});
        m_plan.has_namespace = m_plan.pid_ns_slot != EventPlan::none ||
                               m_plan.vpid_slot != EventPlan::none ||
                               m_plan.vtid_slot != EventPlan::none;
    }
    m_plan.context_count = m_plan.slot_count;
    for (const std::string& field : event.fields) {
        if (field == "*") {
            m_is_all = true;
            continue;
        }
        if (field == "$name") {
            m_plan.name_slot = m_plan.slot_count;
        }
        m_fields.push_back(field);
        ++m_plan.slot_count;
    }
    m_plan.field_count = static_cast<std::uint32_t>(m_fields.size());
    find_empty_slots();
}

EventPlan EventPlanner::make()
{
    StructurePlanBuilder builder;
    builder.add_scope(m_stream.common_context.get(), context_chooser(false), m_is_all);
    builder.add_scope(m_event.specific_context.get(), context_chooser(true), m_is_all);
    builder.add_scope(
        m_event.payload.get(),
        [&](std::string_view name, const FieldClass& type) { return field_use(name, type); },
        m_is_all);
    m_plan.body = builder.finish();
    if (!m_is_all) {
        find_segments(m_plan);
    }
    return std::move(m_plan);
}

std::uint32_t EventPlanner::find_context(std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names) {
        for (const bool is_specific : {false, true}) {
            const Member* member =
                find_member(is_specific ? m_event.specific_context : m_stream.common_context, name);
            if (member != nullptr && is_leaf(*member->type)) {
                return slot_of_context(is_specific, member->name);
            }
        }
    }
    return EventPlan::none;
}

std::uint32_t EventPlanner::slot_of_context(bool is_specific, std::string_view name)
{
    for (const ContextSlot& context : m_contexts) {
        if (context.is_specific == is_specific && context.name == name) {
            return context.slot;
        }
    }
    m_contexts.push_back({is_specific, name, m_plan.slot_count});
    return m_plan.slot_count++;
}

LeafChooser EventPlanner::context_chooser(bool is_specific) const
{
    return [this, is_specific](std::string_view name, const FieldClass&) {
        for (const ContextSlot& context : m_contexts) {
            if (context.is_specific == is_specific && context.name == name) {
                return LeafUse{Target::Slot, context.slot};
            }
        }
        return LeafUse{};
    };
}

LeafUse EventPlanner::field_use(std::string_view name, const FieldClass& type) const
{
    const auto found = std::find(m_fields.begin(), m_fields.end(), name);
    if (found == m_fields.end() || !is_leaf(type)) {
        return {};
    }
    return {Target::Slot,
            m_plan.context_count + static_cast<std::uint32_t>(found - m_fields.begin()),
            m_enumerations != nullptr ? number_of_enumeration(type, *m_enumerations) : 0};
}

void EventPlanner::find_empty_slots()
{
    for (std::uint32_t field = 0; field < m_plan.field_count; ++field) {
        const auto first = std::find(m_fields.begin(), m_fields.end(), m_fields[field]);
        const Member* member = find_member(m_event.payload, m_fields[field]);
        const bool is_read =
            member != nullptr && is_leaf(*member->type) && first == m_fields.begin() + field;
        if (!is_read) {
            m_plan.empty_slots.push_back(m_plan.context_count + field);
        }
    }
}

} // namespace lttng_gpu::trace::ctf
