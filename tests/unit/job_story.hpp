// SPDX-License-Identifier: MIT
//
// Tells a job tracker what happened, one line per event, and gives back the jobs
// it made of it. Times are plain numbers; the default ring is "gfx" of GPU "a".
#pragma once

#include "calls/frame.hpp"
#include "jobs/job_tracker.hpp"

namespace lttng_gpu::test {

class CollectingSink final : public model::JobSink {
public:
    void on_job(const model::Job& job) override { jobs.push_back(job); }
    void on_dependency(const model::Dependency& dependency) override
    {
        dependencies.push_back(dependency);
    }
    void on_wait(const model::Wait& wait) override { waits.push_back(wait); }
    void on_frame(const model::Frame& frame) override { frames.push_back(frame); }
    void on_api_call(const model::ReturnedCall& call) override { calls.push_back(call); }
    void on_completion_notice(const model::CompletionNotice& end) override
    {
        learned.push_back(end);
    }

    std::vector<model::Job> jobs;
    std::vector<model::Dependency> dependencies;
    std::vector<model::Wait> waits;
    std::vector<model::Frame> frames;
    std::vector<model::ReturnedCall> calls;
    std::vector<model::CompletionNotice> learned;
};

class JobStory {
public:
    explicit JobStory(const char* driver = "amdgpu") : m_driver{driver}
    {
        m_rings.add_firmware_driver("msm");
        on_ring("a", "gfx");
    }

    JobStory& on_ring(const char* device, const char* name)
    {
        m_ring = m_rings.intern(TraceId{}, device, name);
        m_rings.set_driver(m_ring, m_driver);
        return *this;
    }
    JobStory& by(std::int64_t pid)
    {
        m_actor = {Pid{pid}, Tid{pid}, m_strings.intern("app"), {}};
        return *this;
    }
    JobStory& queue(std::int64_t time, std::uint64_t context, std::uint64_t seqno)
    {
        return tell(time,
                    model::JobQueued{key(context, seqno), fence(context, seqno), m_ring, m_actor});
    }
    JobStory& submit(std::int64_t time, std::uint64_t context, std::uint64_t seqno)
    {
        return tell(time, model::JobSubmitted{key(context, seqno), fence(context, seqno), m_ring});
    }
    JobStory& complete(std::int64_t time, std::uint64_t context, std::uint64_t seqno)
    {
        return tell(time, model::JobCompleted{key(context, seqno), fence(context, seqno), {}});
    }
    JobStory& signal(std::int64_t time, std::uint64_t context, std::uint64_t seqno,
                     bool is_32_bit = false, model::FenceOwner owner = model::FenceOwner::Other)
    {
        at(time).signaled(Timestamp{time},
                          {TraceId{}, FenceContext{context}, FenceSeqno{seqno}, is_32_bit, owner});
        return *this;
    }
    JobStory& lose(std::int64_t begin, std::int64_t end)
    {
        at(begin).lost({TraceId{}, Timestamp{end}});
        return *this;
    }
    JobStory& preempt(std::int64_t time, std::uint64_t context, std::uint64_t seqno)
    {
        model::JobTracker& tracker = at(time);
        tracker.preempt(tracker.find_open(key(context, seqno)), Timestamp{time});
        return *this;
    }
    JobStory& tell(std::int64_t time, const model::JobQueued& event)
    {
        at(time).queued(Timestamp{time}, m_queued, event);
        return *this;
    }
    JobStory& tell(std::int64_t time, const model::JobSubmitted& event)
    {
        at(time).submitted(Timestamp{time}, m_submitted, event);
        return *this;
    }
    JobStory& tell(std::int64_t time, const model::JobCompleted& event)
    {
        at(time).completed(Timestamp{time}, m_completed, event);
        return *this;
    }
    /// Events of this stage are recorded.
    JobStory& note_runs()
    {
        m_tracker.note_seen(TraceId{}, m_submitted);
        return *this;
    }
    /// Nothing happens, but time goes on.
    JobStory& until(std::int64_t time)
    {
        at(time);
        return *this;
    }
    model::JobTracker& at(std::int64_t time)
    {
        m_tracker.advance(Timestamp{time});
        return m_tracker;
    }

    static model::JobKey key(std::uint64_t context, std::uint64_t seqno)
    {
        return {TraceId{}, model::KeySpace::Fence, false, context, seqno};
    }
    static model::FenceId fence(std::uint64_t context, std::uint64_t seqno)
    {
        return {FenceContext{context}, FenceSeqno{seqno}};
    }

    /// Jobs handed on so far, without waiting for the end.
    const std::vector<model::Job>& so_far() const { return m_sink.jobs; }
    const std::vector<model::Job>& jobs()
    {
        m_tracker.finish();
        return m_sink.jobs;
    }
    std::uint64_t count(Anomaly anomaly) const { return m_anomalies.at(anomaly); }
    std::uint64_t violations() const { return m_rings.at(m_ring).fifo_violations; }
    const model::RingTable& rings() const { return m_rings; }
    RingId ring() const { return m_ring; }

private:
    const char* m_driver;
    StringPool m_strings;
    model::RingTable m_rings{m_strings};
    AnomalyCounters m_anomalies;
    CollectingSink m_sink;
    model::JobTracker m_tracker{m_rings, m_anomalies, m_sink};
    // as drm_sched states its own
    model::Step m_queued{m_tracker.add_step({model::Stage::Queued, true, true})};
    model::Step m_submitted{m_tracker.add_step({model::Stage::Submitted, true, true})};
    model::Step m_completed{m_tracker.add_step({model::Stage::Completed, true, true})};
    model::Actor m_actor;
    RingId m_ring;
};

/// Plain numbers are easier to compare and to read in a failure.
inline std::optional<std::int64_t> ns(const std::optional<Timestamp>& time)
{
    return time ? std::optional{time->value()} : std::nullopt;
}

inline constexpr std::optional<std::int64_t> unknown{};

} // namespace lttng_gpu::test
