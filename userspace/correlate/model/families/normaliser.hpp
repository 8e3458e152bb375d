// SPDX-License-Identifier: MIT
//
// Raw events in, calls of the job tracker out. It joins the tables of the event families
// (event_family.hpp) into the list of wanted events and calls the handler of each event with the
// state of its family. Jobs are not its business.
#pragma once

#include "../../trace/event_source.hpp"
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
        x_context.thread_observers.push_back(&observer);
    }

    void on_trace(TraceId trace, const trace::TraceFacts& facts);
    void on_event(const trace::RawEvent& event)
    {
        const Handler& handler = x_handlers[event.wanted];
        handler.function(*handler.state, event);
        if (--x_until_release == 0) {
            release_rows(event.time);
        }
    }
    void on_loss(const trace::Loss& loss);
    /// After the job tracker; `end` is the last event's time.
    void finish(Timestamp end);
    /// After finish().
    const std::vector<OpenWait>& open_waits() const { return x_context.waits.open(); }
    std::vector<CounterAccount> counters() const
    {
        return x_context.counters.accounts(x_context.strings);
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

    EventContext x_context;
    std::vector<std::unique_ptr<FamilyState>> x_states;
    std::vector<Handler> x_handlers; // by wanted event
    unsigned x_until_release = events_between_releases;
};

} // namespace lttng_gpu::model
