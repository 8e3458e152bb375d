// SPDX-License-Identifier: MIT
#include "diagnose/diagnoser.hpp"

#include <doctest/doctest.h>

namespace lttng_gpu::test {
namespace {

using diagnose::Reason;

/// A first reading: the depths of rings are learned while jobs are diagnosed.
class FirstReading {
public:
    FirstReading() { m_diagnoser.set_known_depths(m_depths); }

    void job(std::uint64_t seqno, std::int64_t queued, std::int64_t submitted,
             std::int64_t completed)
    {
        model::Job job;
        job.ring = m_ring;
        job.fence = {FenceContext{7}, FenceSeqno{seqno}};
        job.actor.pid = Pid{100};
        job.queued = Timestamp{queued};
        job.submitted = Timestamp{submitted};
        job.completed = Timestamp{completed};
        m_depths.on_job(job);
        m_diagnoser.on_job(job);
    }
    /// The second job waits for its turn although it depends on nothing.
    void full_ring()
    {
        job(1, 1'000'000, 1'000'000, 5'000'000);
        job(2, 2'000'000, 5'000'000, 6'000'000);
    }
    bool has_right_depths()
    {
        m_diagnoser.finish(Timestamp{100'000'000});
        const bool is_right_so_far = m_diagnoser.has_right_depth(m_ring);
        m_depths.finish(m_rings);
        CHECK(is_right_so_far == m_diagnoser.has_right_depth(m_ring));
        return m_diagnoser.has_right_depths();
    }
    std::int64_t back_pressure() const { return m_sink.back_pressure; }

private:
    struct Sink final : diagnose::DiagnosisSink {
        void on_diagnosis(diagnose::Diagnosis&& diagnosis) override
        {
            for (const diagnose::Part& part : diagnosis.parts) {
                back_pressure += part.reason == Reason::BackPressure ? part.length.value() : 0;
            }
        }
        std::int64_t back_pressure = 0;
    };

    StringPool m_strings;
    model::RingTable m_rings{m_strings};
    RingId m_ring = m_rings.intern(TraceId{}, "device", "gfx");
    report::Window m_window{report::WindowRequest{}};
    diagnose::ThreadStates m_threads;
    Sink m_sink;
    diagnose::RingDepths m_depths;
    diagnose::Diagnoser m_diagnoser{m_rings, m_window, m_threads, m_sink};
};

} // namespace

TEST_CASE("ring_depth_when_no_more_jobs_fit_later_then_it_was_right")
{
    FirstReading reading;
    reading.full_ring();
    reading.job(3, 7'000'000, 7'000'000, 8'000'000);
    reading.job(4, 9'000'000, 9'000'000, 10'000'000);
    CHECK(reading.has_right_depths());
    CHECK(reading.back_pressure() == 3'000'000);
}

TEST_CASE("ring_depth_when_taken_for_full_and_more_jobs_fit_later_then_it_was_wrong")
{
    FirstReading reading;
    reading.full_ring();
    reading.job(3, 7'000'000, 7'000'000, 9'000'000);
    reading.job(4, 8'000'000, 8'000'000, 10'000'000); // two at once
    CHECK_FALSE(reading.has_right_depths());
}

TEST_CASE("ring_depth_when_more_jobs_fitted_before_then_it_was_right")
{
    FirstReading reading;
    reading.job(1, 100'000, 100'000, 300'000);
    reading.job(2, 200'000, 200'000, 400'000); // two at once
    reading.job(3, 1'000'000, 1'000'000, 5'000'000);
    reading.job(4, 2'000'000, 5'000'000, 6'000'000); // there was room
    CHECK(reading.has_right_depths());
    CHECK(reading.back_pressure() == 0);
}

} // namespace lttng_gpu::test
