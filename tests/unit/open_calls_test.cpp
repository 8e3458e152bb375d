// SPDX-License-Identifier: MIT
//
// Which call a job of a driver's thread has when events decide it, and that nothing else names one.
#include "calls/open_calls.hpp"
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::model;
using namespace lttng_gpu::test;

namespace {

/// Calls of a process, by their begin. Those that wait end what came before.
class Calls {
public:
    Calls& call(std::int64_t begin, std::int64_t end, std::int64_t tid = 1, std::uint64_t queue = 0)
    {
        m_open.add({tid, Timestamp{begin}, Timestamp{end}, {}, {}, {queue, false}}, queue != 0);
        return *this;
    }
    Calls& sync(std::int64_t begin, std::int64_t end, std::int64_t tid = 1, std::uint64_t queue = 0)
    {
        m_open.add({tid, Timestamp{begin}, Timestamp{end}, {}, {}, {queue, true}}, queue != 0);
        return *this;
    }
    Calls& context(std::int64_t time, std::int64_t tid = 1)
    {
        m_open.on_context(tid, Timestamp{time});
        return *this;
    }
    Calls& loss()
    {
        m_open.on_loss();
        return *this;
    }
    /// When the only call at that time began; 0: there is none, or several.
    std::int64_t only_at(std::int64_t time)
    {
        const auto only = m_open.only_at(Timestamp{time});
        return only ? only->begin.value() : 0;
    }

private:
    OpenCalls m_open;
};

} // namespace

TEST_CASE("open_call_when_all_before_it_were_waited_for_then_is_the_only_one")
{
    Calls calls;
    calls.call(10, 20).sync(30, 40).call(50, 60).call(80, 90);
    CHECK(calls.only_at(25) == 0); // nothing tells what came before the trace
    CHECK(calls.only_at(45) == 0); // all is complete
    CHECK(calls.only_at(55) == 50);
    CHECK(calls.only_at(75) == 50); // a thread of the driver may be late
    CHECK(calls.only_at(85) == 0);
    CHECK(calls.only_at(75) == 0); // that is past
}

TEST_CASE("open_call_when_another_thread_has_one_then_neither_is_the_only_one")
{
    Calls calls;
    calls.sync(10, 20, 1).sync(10, 21, 2).call(30, 40, 1).call(50, 60, 2);
    CHECK(calls.only_at(45) == 30);
    CHECK(calls.only_at(55) == 0);
    calls.sync(70, 80, 1); // of its own work only
    CHECK(calls.only_at(85) == 50);
}

TEST_CASE(
    "open_call_of_a_queue_when_another_thread_gave_it_more_meanwhile_then_it_was_not_waited_for")
{
    Calls calls;
    calls.sync(10, 20, 1, 7).call(30, 40, 1, 7).call(50, 58, 2, 7).sync(55, 70, 1, 7);
    CHECK(calls.only_at(45) == 30);
    CHECK(calls.only_at(75) == 0);
    calls.sync(80, 90, 2, 7).call(100, 110, 1, 7);
    CHECK(calls.only_at(105) == 100);
}

TEST_CASE("open_call_when_its_context_was_left_or_calls_are_lost_then_no_other_is_the_only_one")
{
    Calls left;
    left.sync(10, 20).call(30, 40).context(45).sync(50, 60).call(70, 80);
    CHECK(left.only_at(75) == 0);
    Calls complete;
    complete.sync(10, 20).context(25).sync(30, 40).call(50, 60);
    CHECK(complete.only_at(55) == 50);
    Calls lost;
    lost.sync(10, 20).loss().sync(30, 40).call(50, 60);
    CHECK(lost.only_at(55) == 0);
}

namespace {

/// Frames of a program that waits for each of them; a thread of Mesa submits their jobs. Which
/// call each job names.
std::vector<std::string> calls_of_frames(JobFeeder& feed)
{
    constexpr Labelled swap_buffers{2001, "eglSwapBuffers"};
    constexpr Labelled finish_frame{2002, "glFinish"};
    feed.clock_offset(0).in_namespace(initial_pid_namespace);
    std::uint64_t seqno = 0;
    const auto job = [&](std::int64_t queued) {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", ++seqno}};
        feed.in(100, 103, "app:cs0").at(queued)("drm_sched_job_queue", fields);
        feed("drm_sched_job_run", fields).at(queued + 1'000)("drm_sched_job_done", fields);
    };
    for (std::int64_t frame = 1; frame <= 8; ++frame) {
        const std::int64_t begin = frame * 20'000'000;
        feed.in(100, 101, "app")
            .at(begin + 1'000'000)("lttng_gpu_gl:frame", {{"function", swap_buffers},
                                                          {"begin_ns", begin},
                                                          {"surface", 5},
                                                          {"frame", frame}});
        job(begin + 1'100'000); // the helper is late
        job(begin + 5'500'000); // while the program waits
        feed.in(100, 101, "app")
            .at(begin + 6'000'000)("lttng_gpu_gl:call",
                                   {{"function", finish_frame}, {"begin_ns", begin + 5'000'000}});
    }
    std::vector<std::string> calls;
    for (const Job& each : feed.jobs()) {
        calls.push_back(feed.api_call(each));
        CHECK((each.api_call_basis == CallBasis::HelperThread) == !calls.back().empty());
    }
    return calls;
}

} // namespace

TEST_CASE("job_of_a_helper_when_all_other_calls_were_over_then_names_the_one_that_is_left")
{
    JobFeeder feed;
    const auto calls = calls_of_frames(feed);
    REQUIRE(calls.size() == 16);
    for (std::size_t frame = 1; frame < 8; ++frame) {
        CHECK(calls[2 * frame] == "eglSwapBuffers");
        CHECK(calls[2 * frame + 1].empty()); // of the swap, or of the call that waits
    }
    CHECK(feed.call_account()->helper_thread == 7);
    CHECK(feed.call_account()->at(NoCall::HelperInDoubt) == 9);
}

TEST_CASE(
    "job_of_a_helper_when_nothing_proves_its_call_then_only_an_estimate_names_one_and_says_so")
{
    const auto swaps = [](JobFeeder& feed) {
        constexpr Labelled swap_buffers{2001, "eglSwapBuffers"};
        feed.clock_offset(0).in_namespace(initial_pid_namespace);
        for (std::uint64_t frame = 1; frame <= 6; ++frame) {
            const auto end = static_cast<std::int64_t>(frame) * 20'000'000;
            feed.in(100, 101, "app")
                .at(end)("lttng_gpu_gl:frame", {{"function", swap_buffers},
                                                {"begin_ns", end - 1'000'000},
                                                {"surface", 5},
                                                {"frame", frame}});
            const Fields fields{{"name", "gfx"},
                                {"dev", "0000:01:00.0"},
                                {"driver", "amdgpu"},
                                {"fence_context", 9},
                                {"fence_seqno", frame}};
            feed.in(100, 103, "app:cs0").at(end + 100'000)("drm_sched_job_queue", fields);
            feed("drm_sched_job_run", fields).at(end + 200'000)("drm_sched_job_done", fields);
        }
        return feed.jobs();
    };
    JobFeeder plain;
    for (const Job& job : swaps(plain)) {
        CHECK(job.api_call_basis == CallBasis::Unknown);
        CHECK(plain.text(job.api_call).empty());
    }
    CHECK(plain.call_account()->at(NoCall::HelperInDoubt) == 6);
    JobFeeder estimating{estimated_calls};
    for (const Job& job : swaps(estimating)) {
        CHECK(job.api_call_basis == CallBasis::Estimated);
        CHECK(estimating.text(job.api_call) == "eglSwapBuffers (estimated)");
    }
    CHECK(estimating.call_account()->estimated == 6);
    CHECK(estimating.call_account()->all_named() == 6);
}
