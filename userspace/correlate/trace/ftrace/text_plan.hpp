// SPDX-License-Identifier: MIT
//
// How to take the wanted fields out of an event's text: the patterns of all kernels
// that printed this event, made when the trace is opened; for events of no known
// format, `key=value` under the wanted names.
#pragma once

#include "event_names.hpp"
#include "text_pattern.hpp"

namespace lttng_gpu::trace::ftrace {

class TextPlan {
public:
    TextPlan(std::string_view name, std::size_t wanted, const WantedEvent& event);

    std::size_t wanted() const { return m_wanted; }
    std::size_t field_count() const { return m_fields.size(); }

    /// Text values point into `name` and `text`; fields that are not there are none. False: the
    /// text is not understood.
    bool read(std::string_view name, std::string_view text, std::span<FieldValue> values);

private:
    bool read_by_keys(std::string_view text, std::span<FieldValue> values) const;

    std::size_t m_wanted;
    std::vector<std::string> m_fields;
    std::vector<std::string> m_keys; // what an unknown format would call them
    std::vector<TextPattern> m_patterns;
    std::size_t m_last = 0; // the pattern that fitted last; a trace has one kernel
};

class TextPlans {
public:
    explicit TextPlans(const std::vector<WantedEvent>& wanted);

    /// Null when nobody wants the event.
    TextPlan* find(std::string_view name);

private:
    static constexpr std::size_t most_names = 65536;

    std::vector<WantedEvent> m_wanted;
    ByName<std::optional<TextPlan>> m_plans; // none: nobody wants it
};

} // namespace lttng_gpu::trace::ftrace
