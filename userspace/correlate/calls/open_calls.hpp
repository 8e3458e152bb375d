// SPDX-License-Identifier: MIT
//
// The calls of one process of which a thread of the driver may still make jobs, and the only one of
// them where there is one: a job that the thread queues then is of no other call. Calls that wait
// are what ends them: when one returns, all is complete that its thread gave before, of OpenCL what
// was given to its queue. A thread or queue of which none has returned yet may have calls from
// before the trace. What is not known counts as a call that never ends: calls in a gap of the
// trace, and those of a context that a thread left before it waited.
#pragma once

#include "submit_call.hpp"

#include <deque>
#include <map>
#include <optional>

namespace lttng_gpu::model {

class OpenCalls {
public:
    /// In order of return. `of_queue`: its queue tells what it is complete with, else its thread.
    void add(const SubmitCall& call, bool of_queue);
    /// The thread has another context from then on.
    void on_context(std::int64_t tid, Timestamp time);
    /// Calls are missing.
    void on_loss() { m_is_unknown = true; }

    /// All calls that began then or before have been told.
    std::optional<SubmitCall> only_at(Timestamp time);
    /// Whether there were some at the time that was asked for last.
    bool has_any() const { return m_open > 0 || m_is_unknown; }
    /// No earlier time will be asked for.
    void forget_before(Timestamp time);
    /// Nothing came since then: to begin anew names fewer jobs, and none wrongly.
    bool is_empty() const { return m_steps.empty(); }

private:
    static constexpr std::size_t most_steps = 8192;
    static constexpr std::size_t most_lanes = 64;

    enum class Kind : std::uint8_t { Begin, SyncEnd, Context };
    /// Thread, or queue.
    using LaneId = std::pair<std::int64_t, std::uint64_t>;
    struct Step {
        Timestamp time;
        Kind kind = Kind::Begin;
        LaneId lane;
        SubmitCall call{};
    };
    struct Lane {
        SubmitCall last; // of those that are open
        std::uint64_t open = 0;
        std::uint64_t syncs = 0; // that have begun and not returned
        Timestamp last_end{INT64_MIN};
        bool was_complete = false; // once, since the trace or the context began
    };

    void insert(Step step);
    void take(const Step& step);
    static void end_sync(Lane& lane, const SubmitCall& sync);

    std::deque<Step> m_steps; // by time; they are not in the lanes yet
    std::map<LaneId, Lane> m_lanes;
    std::uint64_t m_open = 0; // in all lanes
    Timestamp m_taken_until{INT64_MIN};
    bool m_is_unknown = false;
};

} // namespace lttng_gpu::model
