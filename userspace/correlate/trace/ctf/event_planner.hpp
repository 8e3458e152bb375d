// SPDX-License-Identifier: MIT
//
// Makes the plan of one class of events: which members of its contexts and payload are read,
// and to which slots they go. Names are compared here and never again.
#pragma once

#include "../event_source.hpp"
#include "event_plan.hpp"
#include "field_values.hpp"
#include "structure_plan_builder.hpp"

namespace lttng_gpu::trace::ctf {

class EventPlanner {
public:
    /// Without a table values of enumerations are just numbers.
    EventPlanner(const StreamClass& stream, const EventClass& event,
                 EnumerationTable* enumerations);

    /// The event is asked for, with these fields.
    void want(std::uint32_t index, const WantedEvent& event);
    EventPlan make();

private:
    /// A member of common or specific context and the slot it goes to.
    struct ContextSlot {
        bool is_specific = false;
        std::string_view name; // of the schema
        std::uint32_t slot = EventPlan::none;
    };

    std::uint32_t find_context(std::initializer_list<std::string_view> names);
    /// One that was found before keeps its slot.
    std::uint32_t slot_of_context(bool is_specific, std::string_view name);
    LeafChooser context_chooser(bool is_specific) const;
    LeafUse field_use(std::string_view name, const FieldClass& type) const;
    void find_empty_slots();

    const StreamClass& m_stream;
    const EventClass& m_event;
    EnumerationTable* m_enumerations;
    EventPlan m_plan;
    std::vector<std::string> m_fields;
    std::vector<ContextSlot> m_contexts;
    bool m_is_all = false;
};

} // namespace lttng_gpu::trace::ctf
