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

std::string loss_line(const trace::Loss& loss);

class CanonicalLines final : private trace::EventConsumer {
public:
    /// The first field that was asked for of every event is "$name".
    CanonicalLines(std::unique_ptr<trace::EventSource> source, bool shows_contexts);

    /// Empty at the end, also when reading stopped before the end of the trace.
    std::optional<Moment> next();

    /// Good after the last moment; the losses are in order.
    const std::vector<trace::Loss>& losses() const { return m_losses; }
    std::string totals() const;
    /// Why reading stopped, if not at the end of the trace.
    const std::optional<Error>& error() const { return m_error; }
    std::uint64_t late_begins() const { return m_late_begins; }

private:
    void on_event(const trace::RawEvent& event) override;
    void on_loss(const trace::Loss& loss) override;
    bool has_whole_moment() const;

    std::unique_ptr<trace::EventSource> m_source;
    std::deque<Moment> m_moments;
    std::vector<trace::Loss> m_losses; // but late begins
    std::uint64_t m_late_begins = 0;
    bool m_shows_contexts;
    bool m_is_at_end = false;
    std::optional<Error> m_error;
};

} // namespace lttng_gpu::test
