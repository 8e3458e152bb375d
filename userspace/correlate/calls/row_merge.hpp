// SPDX-License-Identifier: MIT
//
// One order for jobs of the kernel's drivers, which come in order, and for commands of APIs, whose
// times come long after and in any order. A stage between the job tracker and the sink: until a
// trace has events of an API it hands on what it gets. Whoever feeds it says from when on nothing
// earlier can come; what is older leaves in order of first times. Bounded: of too many rows the
// oldest leave first, and what comes too late is handed on at once and counted.
#pragma once

#include "../base/anomaly.hpp"
#include "../base/bounded_deque.hpp"
#include "api_calls.hpp"
#include "call_sink.hpp"
#include "completion_notices.hpp"
#include "debug_groups.hpp"
#include "frames.hpp"

#include <queue>

namespace lttng_gpu::model {

class RowMerge final : public JobSink {
public:
    RowMerge(JobSink& next, AnomalyCounters& anomalies) : m_next{next}, m_anomalies{anomalies} {}

    /// Rows wait for commands from now on; `calls` names the calls of jobs, which then are told
    /// to `frames` and `learned`, and get their debug group.
    void expect_commands(ApiCalls& calls, Frames& frames, CompletionNotices& learned,
                         const DebugGroups& groups)
    {
        m_calls = &calls;
        m_frames = &frames;
        m_learned = &learned;
        m_groups = &groups;
    }

    /// Calls are named by what is likely, too. Before the first event of an API.
    void set_estimates_calls(bool estimates) { m_estimates_calls = estimates; }
    bool estimates_calls() const { return m_estimates_calls; }

    /// Also wants the calls; it outlives this.
    void set_call_sink(CallSink* sink) { m_call_sink = sink; }
    void on_call(const ApiCall& call)
    {
        if (m_call_sink != nullptr) {
            m_call_sink->on_call(call);
        }
    }

    /// A job of the kernel's drivers, in their order.
    void on_job(const Job& job) override;
    void on_dependency(const Dependency& dependency) override { m_next.on_dependency(dependency); }
    void on_wait(const Wait& wait) override { m_next.on_wait(wait); }
    void on_unseen(const UnseenJobs& jobs) override { m_next.on_unseen(jobs); }
    void on_frame(const Frame& frame) override { m_next.on_frame(frame); }
    void on_api_call(const ReturnedCall& call) override { m_next.on_api_call(call); }
    void on_completion_notice(const CompletionNotice& end) override
    {
        m_next.on_completion_notice(end);
    }
    /// A command of an API.
    void add(const Job& job);

    /// Of the kernel drivers' jobs that were handed on; nothing: no API's event was met.
    std::optional<CallAccount> call_account() const;

    /// Nothing from before `safe` will come any more, but too late.
    void release(Timestamp safe);
    void finish();

private:
    static constexpr std::size_t most_rows = 65536;

    struct Row {
        Timestamp time;
        std::uint64_t serial = 0;
        Job job;

        friend bool operator>(const Row& left, const Row& right)
        {
            return left.time != right.time ? left.time > right.time : left.serial > right.serial;
        }
    };

    bool is_empty() const { return m_kernel.is_empty() && m_commands.empty(); }
    Timestamp first() const;
    void hand_on_first();
    void bound();

    JobSink& m_next;
    AnomalyCounters& m_anomalies;
    ApiCalls* m_calls = nullptr; // null: no commands are expected
    bool m_estimates_calls = false;
    CallSink* m_call_sink = nullptr;
    Frames* m_frames = nullptr; // with m_calls, as the next two
    CompletionNotices* m_learned = nullptr;
    const DebugGroups* m_groups = nullptr;
    BoundedDeque<Row> m_kernel;
    std::priority_queue<Row, std::vector<Row>, std::greater<>> m_commands;
    std::uint64_t m_serial = 0;
    std::uint64_t m_before_calls = 0; // jobs that were handed on before calls were expected
    Timestamp m_last_kernel{INT64_MIN};
    Timestamp m_handed_on{INT64_MIN};
};

} // namespace lttng_gpu::model
