// SPDX-License-Identifier: MIT
//
// What a reader gives, as lines of text that are the same whichever reader it
// was: one line per event with its time, CPU, name, every leaf value and the
// contexts; events of equal time, whose order is nobody's promise, are sorted.
// Losses and totals follow at the end. Memory holds one moment of the trace.
#pragma once

#include "trace/event_source.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::test {

/// All events of one time, sorted.
struct Moment {
    std::int64_t time = 0;
    std::vector<std::string> lines;
};

class CanonicalLines final : private trace::EventConsumer {
public:
    /// What the source must be asked for.
    static std::vector<trace::WantedEvent> wanted();

    explicit CanonicalLines(std::unique_ptr<trace::EventSource> source);

    /// Empty at the end, also when reading stopped before the end of the trace.
    std::optional<Moment> next();

    /// Good after the last moment: losses in order, then totals.
    std::vector<std::string> summary() const;
    /// Why reading stopped, if not at the end of the trace.
    const std::optional<Error>& error() const { return x_error; }
    std::uint64_t late_begins() const { return x_late_begins; }

private:
    void on_event(const trace::RawEvent& event) override;
    void on_loss(const trace::Loss& loss) override;
    bool has_whole_moment() const;

    std::unique_ptr<trace::EventSource> x_source;
    std::deque<Moment> x_moments;
    std::vector<std::string> x_losses;
    std::uint64_t x_late_begins = 0;
    bool x_is_at_end = false;
    std::optional<Error> x_error;
};

} // namespace lttng_gpu::test
