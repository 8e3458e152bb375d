// SPDX-License-Identifier: MIT
//
// Raw events in, calls of the job tracker out. It joins the tables of the event families
// (event_family.hpp) into the list of wanted events and calls the handler of each event with the
// state of its family. Jobs are not its business.
#pragma once

#include "../trace/event_source.hpp"
#include "event_family.hpp"

namespace lttng_gpu::model {

class Normaliser {
public:
    Normaliser(StringPool& strings, RingTable& rings, AnomalyCounters& anomalies,
               JobTracker& tracker, RowMerge& rows, DeviceClocks& clocks,
               const trace::EnumerationTable& enumerations);

    /// What to ask an event source for; RawEvent::wanted indexes this list.
    static std::vector<trace::WantedEvent> wanted();
    /// Its beginning: all that tells of the clocks of devices.
    static std::vector<trace::WantedEvent> wanted_for_clocks();

    /// It gets the scheduler's events from now on.
    void add_thread_observer(ThreadObserver& observer)
    {
        m_context.thread_observers.push_back(&observer);
    }

    /// It gets the values of counters from now on.
    void set_counter_sink(CounterSink& sink) { m_context.counters.set_sink(sink); }

    void on_trace(TraceId trace, const trace::TraceFacts& facts);
    void on_event(const trace::RawEvent& event)
    {
        const Handler& handler = m_handlers[event.wanted];
        handler.function(*handler.state, event);
        if (--m_until_release == 0) {
            release_rows(event.time);
        }
    }
    void on_loss(const trace::Loss& loss);
    /// After the job tracker; `end` is the last event's time.
    void finish(Timestamp end);
    /// After finish().
    const std::vector<OpenWait>& open_waits() const { return m_context.waits.open(); }
    std::vector<CounterAccount> counters() const
    {
        return m_context.counters.accounts(m_context.strings);
    }
    /// After the last event. Of a driver whose jobs are known, no fence is something else.
    OtherEventAccount other_events() const;

private:
    static constexpr unsigned events_between_releases = 64;

    /// What waits for a place among the rows goes when its place is sure.
    void release_rows(Timestamp now);

    struct Handler {
        EventHandler function;
        FamilyState* state;
    };

    EventContext m_context;
    std::vector<std::unique_ptr<FamilyState>> m_states;
    std::vector<Handler> m_handlers; // by wanted event
    unsigned m_until_release = events_between_releases;
};

} // namespace lttng_gpu::model
