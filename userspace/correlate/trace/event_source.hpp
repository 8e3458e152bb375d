// SPDX-License-Identifier: MIT
//
// The interface of all readers. The consumer says once which events and which
// of their fields it wants; the reader resolves names when it meets an event
// class, so that no text is compared per event. Items come in order of time
// over all traces. Events nobody wants are only counted. A reader knows nothing
// about GPUs.
#pragma once

#include "../base/expected.hpp"
#include "cpu_coverage.hpp"
#include "raw_event.hpp"
#include "trace_facts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::trace {

struct WantedEvent {
    std::string name;
    std::vector<std::string> fields;
    /// Tells who runs where. A source may leave this event out when all wanted
    /// events of the trace without this mark carry the contexts pid, tid and procname.
    bool only_without_contexts = false;
    /// The contexts are looked at; else a source may leave them out, as finding the end of
    /// a name costs more than all else of a small event.
    bool needs_contexts = true;
};

/// What was read so far, wanted or not. `first` is final once the first item is
/// handed out.
struct SourceTotals {
    std::uint64_t events = 0;
    std::uint64_t events_without_clock = 0;
    /// Came too late to be put in order, or their CPU's clock went back: left out.
    std::uint64_t events_out_of_order = 0;
    /// Lines of a text trace that are neither an event nor anything else known.
    std::uint64_t lines_unread = 0;
    std::optional<Timestamp> first;
    std::optional<Timestamp> last;
};

/// Takes the items. What an item points to is the reader's and lives until the
/// call returns.
class EventConsumer {
public:
    EventConsumer() = default;
    EventConsumer(const EventConsumer&) = delete;
    EventConsumer& operator=(const EventConsumer&) = delete;
    virtual ~EventConsumer() = default;

    virtual void on_event(const RawEvent& event) = 0;
    virtual void on_loss(const Loss& loss) = 0;
    /// From readers that learn it on the way only: before the first event of that trace.
    virtual void on_trace(TraceId, const TraceFacts&) {}
};

class EventSource {
public:
    EventSource() = default;
    EventSource(const EventSource&) = delete;
    EventSource& operator=(const EventSource&) = delete;
    virtual ~EventSource() = default;

    /// Hands the next items, at most some thousands, to the consumer. False: that
    /// was all. An error says why reading cannot go on; what was handed out stays
    /// good.
    virtual Expected<bool> read_some(EventConsumer& consumer) = 0;
    virtual const SourceTotals& totals() const = 0;
    /// As far as they are known before reading. A trace may be there several times.
    virtual std::vector<std::pair<TraceId, TraceFacts>> trace_facts() const { return {}; }
    /// Whether a trace describes a wanted event of that name; false if that is not
    /// known before reading.
    virtual bool has_event(std::string_view) const { return false; }
    /// An event that has_event() does not find will not come.
    virtual bool describes_all_events() const { return false; }
    /// The format tells of all events that were lost, so that silence about it is proof.
    virtual bool announces_losses() const { return false; }
    /// After the last item: the trace has told of all events that were lost, if there were any.
    virtual bool has_told_losses() const { return announces_losses(); }
    /// After the last item; nothing of traces for which it is not known.
    virtual std::vector<CpuCoverage> coverage() const { return {}; }
    /// Bytes read of all bytes to read, from 0 to 1; empty when the end is unknown.
    virtual std::optional<double> progress() const { return {}; }
};

} // namespace lttng_gpu::trace
