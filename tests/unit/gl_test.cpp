// SPDX-License-Identifier: MIT
//
// Calls of OpenGL as the layer's events tell of them, and the jobs of the kernel made in them.
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr Labelled swap_buffers{2001, "eglSwapBuffers"};
constexpr Labelled gl_flush{2002, "glFlush"};
constexpr Labelled gl_finish{2003, "glFinish"};
constexpr Labelled client_wait{2004, "glClientWaitSync"};
constexpr Labelled make_current{2005, "glXMakeCurrent"};
constexpr Labelled create_context{2007, "eglCreateContext"};
constexpr Labelled tex_image{2006, "glTexImage2D"};

void add_job(JobFeeder& feed, std::int64_t time, std::int64_t tid, std::uint64_t seqno)
{
    const Fields fields{{"name", "gfx"},
                        {"dev", "0000:01:00.0"},
                        {"driver", "amdgpu"},
                        {"fence_context", 9},
                        {"fence_seqno", seqno}};
    feed.in(100, tid, "app").at(time)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
    feed.at(time + 1)("drm_sched_job_done", fields);
    feed.in(100, 101, "app");
}

std::map<std::uint64_t, std::string> calls_of(JobFeeder& feed)
{
    std::map<std::uint64_t, std::string> calls;
    for (const model::Job& job : feed.jobs()) {
        calls[job.fence.seqno->value()] = feed.api_call(job);
    }
    return calls;
}

Fields returned(const Labelled& function, std::uint64_t begin)
{
    return {{"function", function}, {"begin_ns", begin}};
}

Fields frame(std::uint64_t begin)
{
    return {{"function", swap_buffers}, {"begin_ns", begin}, {"surface", 7}, {"frame", 1}};
}

} // namespace

TEST_CASE("kernel_job_when_queued_inside_an_opengl_call_then_names_it")
{
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    feed.at(500)("lttng_gpu_gl:context_create", returned(create_context, 400));
    add_job(feed, 900, 101, 1); // between calls
    add_job(feed, 1'050, 101, 2);
    feed.at(1'100)("lttng_gpu_gl:call", returned(gl_flush, 1'000));
    add_job(feed, 1'200, 102, 3); // in another thread
    add_job(feed, 1'250, 101, 4);
    feed.at(1'300)("lttng_gpu_gl:frame", frame(1'150));
    add_job(feed, 1'450, 101, 5);
    feed.at(1'500)("lttng_gpu_gl:upload", returned(tex_image, 1'400));
    add_job(feed, 1'650, 101, 6);
    feed.at(1'700)("lttng_gpu_gl:context_current", returned(make_current, 1'600));
    add_job(feed, 1'900, 101, 7); // after all
    auto calls = calls_of(feed);
    CHECK(calls[1].empty());
    CHECK(calls[2] == "glFlush");
    CHECK(calls[3].empty());
    CHECK(calls[4] == "eglSwapBuffers");
    CHECK(calls[5] == "glTexImage2D");
    CHECK(calls[6] == "glXMakeCurrent");
    CHECK(calls[7].empty());
}

TEST_CASE("opengl_call_when_it_does_nothing_but_wait_then_is_a_wait")
{
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    feed.at(1'000)("lttng_gpu_gl:call_begin", {{"function", gl_finish}});
    feed.at(1'100)("lttng_gpu_gl:call", returned(gl_finish, 1'000));
    feed.at(1'300)("lttng_gpu_gl:fence_wait", returned(client_wait, 1'200));
    feed.at(1'500)("lttng_gpu_gl:frame", frame(1'400));
    feed.at(1'700)("lttng_gpu_gl:call", returned(gl_flush, 1'600));
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 2);
    CHECK(waits[0].begin.value() == 1'000);
    CHECK(waits[1].begin.value() == 1'200);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("opengl_frame_when_timed_then_is_a_job_from_its_first_call")
{
    constexpr Labelled expected{0, "expected"};
    constexpr Labelled unsupported{1, "unsupported"};
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    feed.at(10)("lttng_gpu_gl:device", {{"device", 7}, {"name", "GPU"}, {"timer_resolution", 1}});
    feed.at(20)("lttng_gpu_gl:queue", {{"queue", 70}, {"device", 7}, {"context", 70}});
    feed.at(30)("lttng_gpu_gl:queue", {{"queue", 80}, {"device", 0}, {"context", 80}});
    const auto clock = [&feed](std::int64_t time) {
        feed.at(time)("lttng_gpu_gl:device_clock",
                      {{"device", 7},
                       {"device_time", device_zero + static_cast<std::uint64_t>(time)},
                       {"before_ns", time},
                       {"after_ns", time}});
    };
    const auto command = [&feed](std::uint64_t number, std::uint64_t queue, const Labelled& times) {
        feed("lttng_gpu_gl:command", {{"begin_ns", 900'000},
                                      {"function", swap_buffers},
                                      {"queued_ns", 100'000},
                                      {"queue", queue},
                                      {"command", number},
                                      {"times", times}});
    };
    clock(100);
    feed.at(1'000'000);
    command(1, 70, expected);
    command(2, 80, unsupported);
    clock(5'000'000);
    // It was executed before the call that ended it: the driver gave it to the device in parts.
    const auto on_device = [](std::uint64_t time) { return Numbers{device_zero + time}; };
    feed.at(6'000'000)("lttng_gpu_gl:command_times", {{"command", Numbers{1}},
                                                      {"queue", 70},
                                                      {"validity", times_valid},
                                                      {"queued", on_device(200'000)},
                                                      {"submit", on_device(200'000)},
                                                      {"start", on_device(200'000)},
                                                      {"end", on_device(700'000)},
                                                      {"observed_ns", 6'000'000}});
    auto jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    std::ranges::sort(jobs, {}, [](const model::Job& job) { return job.fence.seqno->value(); });
    CHECK(is_near(jobs[0].queued, 100'000));
    CHECK(is_near(jobs[0].submitted, 200'000));
    CHECK(is_near(jobs[0].started, 200'000));
    CHECK(is_near(jobs[0].completed, 700'000));
    CHECK(jobs[0].started_basis == model::Basis::Observed);
    CHECK(feed.driver(jobs[0]) == "gl");
    CHECK(feed.api_call(jobs[0]) == "eglSwapBuffers");
    CHECK_FALSE(jobs[1].queued); // which call was its first, nothing tells
    CHECK_FALSE(jobs[1].started);
    CHECK_FALSE(jobs[1].completed);
    CHECK(feed.count(Anomaly::CommandUntimed) == 1);
}

namespace {

/// Frames every 16 ms, of which 2 ms are for drawing; `queued_at` is when the layer says that each
/// was queued, as time after the end of the one before.
std::vector<model::Job> throttled_frames(std::int64_t queued_at)
{
    constexpr std::int64_t ms = 1'000'000;
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    feed.at(10)("lttng_gpu_gl:device", {{"device", 7}, {"name", "GPU"}, {"timer_resolution", 1}});
    feed.at(20)("lttng_gpu_gl:queue", {{"queue", 70}, {"device", 7}, {"context", 70}});
    for (std::uint64_t number = 1; number <= 20; ++number) {
        const auto end = static_cast<std::int64_t>(number) * 16 * ms;
        const auto on_device = [](std::int64_t time) {
            return Numbers{device_zero + static_cast<std::uint64_t>(time)};
        };
        feed.at(end - 100)("lttng_gpu_gl:device_clock",
                           {{"device", 7},
                            {"device_time", device_zero + static_cast<std::uint64_t>(end - 100)},
                            {"before_ns", end - 100},
                            {"after_ns", end - 100}});
        feed.at(end - 10)("lttng_gpu_gl:command", {{"begin_ns", end - ms},
                                                   {"function", swap_buffers},
                                                   {"queued_ns", end - 16 * ms + queued_at},
                                                   {"queue", 70},
                                                   {"command", number},
                                                   {"times", Labelled{0, "expected"}}});
        feed.at(end)("lttng_gpu_gl:frame", {{"begin_ns", end - ms},
                                            {"function", swap_buffers},
                                            {"surface", 5},
                                            {"context", 70},
                                            {"frame", number}});
        feed.at(end + 2 * ms)("lttng_gpu_gl:command_times", {{"command", Numbers{number}},
                                                             {"queue", 70},
                                                             {"validity", times_valid},
                                                             {"queued", on_device(end - ms)},
                                                             {"submit", on_device(end - ms)},
                                                             {"start", on_device(end - ms)},
                                                             {"end", on_device(end + ms)},
                                                             {"observed_ns", end + 2 * ms}});
    }
    std::vector<model::Job> jobs;
    std::ranges::copy_if(feed.jobs(), std::back_inserter(jobs),
                         [&](const model::Job& job) { return feed.driver(job) == "gl"; });
    CHECK(jobs.size() == 20);
    CHECK(feed.frames().size() == 20);
    for (const model::Frame& frame : feed.frames()) {
        CHECK((!frame.begin || (frame.gpu && std::abs(frame.gpu->value() - 2 * ms) <= 2)));
    }
    return jobs;
}

} // namespace

TEST_CASE("opengl_frame_when_the_program_sleeps_before_it_then_is_queued_from_its_first_call")
{
    constexpr std::int64_t ms = 1'000'000;
    for (const model::Job& job : throttled_frames(14 * ms)) {
        REQUIRE(job.queued);
        CHECK(std::abs((*job.submitted - *job.queued).value() - ms) <= 2);
    }
}

TEST_CASE("opengl_frame_when_told_to_be_queued_before_the_one_before_it_ended_then_that_is_unknown")
{
    const auto jobs = throttled_frames(-5);
    for (std::size_t job = 1; job < jobs.size(); ++job) {
        CHECK_FALSE(jobs[job].queued);
        CHECK(jobs[job].submitted);
    }
}
