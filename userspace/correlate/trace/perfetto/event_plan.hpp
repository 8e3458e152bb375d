// SPDX-License-Identifier: MIT
//
// Which wanted event an event of the file is and where its fields go, made once from the
// forms of events. Events that carry their names with them (GenericFtraceEvent) are looked
// up by these.
#pragma once

#include "../event_source.hpp"
#include "../ftrace/event_names.hpp"
#include "trace_index.hpp"

namespace lttng_gpu::trace::perfetto {

struct EventPlan {
    struct Slot {
        std::uint32_t number = 0; // in the event
        FieldKind kind = FieldKind::Other;
        std::size_t place = 0; // among the wanted fields
    };

    std::string name;
    std::size_t wanted = 0;
    std::size_t size = 0; // number of values
    std::vector<Slot> slots;
    std::vector<std::size_t> name_places; // where the event's name is wanted
};

/// What a wanted field may be called in an event's record.
struct RecordedNames {
    std::string first;
    std::string other; // where there is none of the first name

    static RecordedNames of(std::string_view event, const std::string& wanted);
};

class EventPlans {
public:
    EventPlans(const std::vector<WantedEvent>& wanted, const std::vector<Sequence>& sequences);

    bool is_known(std::size_t sequence, std::uint32_t number) const;
    /// Null when nobody wants it.
    const EventPlan* find(std::size_t sequence, std::uint32_t number) const;
    /// The plan of an event that brings names along, by its fields; null as above. It is good
    /// until the next call.
    const EventPlan* find_generic(std::string_view name, const std::vector<FieldForm>& fields);

private:
    std::optional<std::size_t> find_wanted(std::string_view name) const;
    EventPlan make_plan(const EventForm& form, std::size_t wanted) const;

    std::vector<WantedEvent> m_wanted;
    ftrace::ByName<std::size_t> m_names;
    EventForms m_known;
    std::unordered_map<std::uint32_t, EventPlan> m_plans;
    /// Of each sequence, those that the trace describes; null for what nobody wants.
    std::vector<std::unordered_map<std::uint32_t, std::optional<EventPlan>>> m_described;

    struct Generic {
        EventForm form;
        EventPlan plan;
    };
    ftrace::ByName<std::optional<Generic>> m_generic;
};

} // namespace lttng_gpu::trace::perfetto
