// SPDX-License-Identifier: MIT
//
// The interface of all readers. The consumer says once which events and which
// of their fields it wants; the reader resolves names when it meets an event
// class, so that no text is compared per event. Items come in order of time
// over all traces. Events nobody wants are only counted. A reader knows nothing
// about GPUs.
#pragma once

#include "../base/expected.hpp"
#include "raw_event.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::trace {

struct WantedEvent {
    std::string name;
    std::vector<std::string> fields;
};

/// What was read so far, wanted or not.
struct SourceTotals {
    std::uint64_t events = 0;
    std::uint64_t events_without_clock = 0;
    std::optional<Timestamp> first;
    std::optional<Timestamp> last;
};

class EventSource {
public:
    EventSource() = default;
    EventSource(const EventSource&) = delete;
    EventSource& operator=(const EventSource&) = delete;
    virtual ~EventSource() = default;

    /// The next item, nothing at the end, or why reading cannot go on.
    virtual Expected<std::optional<TraceItem>> next() = 0;
    virtual const SourceTotals& totals() const = 0;
};

} // namespace lttng_gpu::trace
