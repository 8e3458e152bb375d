// SPDX-License-Identifier: MIT
//
// When threads that submit, call or wait ran, could have run (and who ran instead), or slept, from
// the scheduler's events, once it is known which threads these are. A thread is known by its number
// and its name, and only where one trace has such events: numbers of other machines or namespaces
// are not its own. What is not known has no span.
#pragma once

#include "../correlate/system/thread_observer.hpp"
#include "name_tables.hpp"
#include "spans.hpp"

#include <functional>
#include <optional>
#include <string>

namespace lttng_gpu::view {

class ThreadSpans final : public model::ThreadObserver {
public:
    enum State : std::uint32_t { Running, Ready, Blocked };

    /// `name_of` gives the names of the actors' threads.
    ThreadSpans(const NameTables& names, const std::function<std::string(StringId)>& name_of,
                SpanChunks spans);

    void on_switch(const trace::RawEvent& event) override;
    void on_wakeup(const trace::RawEvent& event) override;
    void on_loss(const trace::Loss& loss) override;
    /// The spans are worth nothing if several traces have such events.
    void finish();
    const SpanChunks& spans() const { return m_spans; }
    /// What `other` of a span points to; the first is unknown.
    const std::vector<std::string>& others() const { return m_others; }

private:
    struct Thread {
        std::vector<std::pair<std::string, std::uint32_t>> actors; // by name
        std::uint32_t actor = 0;
        Timestamp since;
        std::uint32_t other = 0;
        State state = Running;
        bool is_known = false;
        bool is_overtaken = false; // a wakeup came while it ran, and none since
    };

    void note(const trace::RawEvent& event);
    Thread* find(const trace::FieldValue& tid);
    void change(Thread& thread, Timestamp time, State state, std::uint32_t other);
    void close(Thread& thread, Timestamp time);
    std::uint32_t other_named(std::string_view name);

    std::unordered_map<std::int64_t, Thread> m_threads; // by number
    std::vector<std::string> m_others{""};
    std::unordered_map<std::string, std::uint32_t> m_other_numbers;
    SpanChunks m_spans;
    std::optional<TraceId> m_trace;
    Timestamp m_last;
};

} // namespace lttng_gpu::view
