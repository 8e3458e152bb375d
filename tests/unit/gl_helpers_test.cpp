// SPDX-License-Identifier: MIT
//
// Jobs that threads of Mesa submit for calls of OpenGL: of which call they are, where a program
// does more than show frames.
#include "calls/helper_threads.hpp"
#include "opencl_program.hpp"

#include <algorithm>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t us = 1'000;
constexpr Labelled swap_buffers{2001, "eglSwapBuffers"};
constexpr Labelled read_pixels{2002, "glReadPixels"};
constexpr Labelled make_current{2003, "eglMakeCurrent"};
constexpr Labelled map_range{2004, "glMapBufferRange"};
constexpr Labelled get_query{2005, "glGetQueryObjectui64v"};
constexpr Labelled gl_finish{2006, "glFinish"};
constexpr int query_result = 0x8866;
constexpr int query_available = 0x8867;

/// A program that draws, and a thread of Mesa that submits for it 100 us later.
class Drawing {
public:
    explicit Drawing(const char* helper = "app:cs0") : m_helper{helper}
    {
        m_feed.clock_offset(0).in_namespace(model::initial_pid_namespace);
    }
    Drawing& call(const Labelled& function, std::int64_t begin, std::int64_t end,
                  const char* event = "call", int pname = 0)
    {
        m_feed.in(100, m_thread, "app");
        Fields fields{{"function", function}, {"begin_ns", begin}};
        const std::string name = event;
        if (name == "query_result") {
            fields["pname"] = pname;
        } else if (name == "frame") {
            fields["surface"] = 5;
            fields["frame"] = ++m_frame;
        }
        m_feed.at(end)("lttng_gpu_gl:" + name, fields);
        return *this;
    }
    /// Which thread calls, and has its own context and thread of Mesa.
    Drawing& of(std::int64_t thread)
    {
        m_thread = thread;
        return *this;
    }
    Drawing& swap(std::int64_t begin, std::int64_t end)
    {
        return call(swap_buffers, begin, end, "frame");
    }
    Drawing& job(std::int64_t queued)
    {
        m_feed.in(100, m_thread + 2, m_helper);
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", m_thread},
                            {"fence_seqno", ++m_seqno}};
        m_feed.at(queued)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
        m_feed.at(queued + us)("drm_sched_job_done", fields);
        return *this;
    }
    /// The calls of all jobs; of one that has several, with their number.
    std::vector<std::string> calls()
    {
        std::vector<std::string> calls;
        for (const model::Job& job : m_feed.jobs()) {
            calls.push_back(m_feed.api_call(job) +
                            (job.api_calls > 1 ? " " + std::to_string(job.api_calls) : ""));
        }
        return calls;
    }
    std::string text()
    {
        std::string text;
        for (const std::string& call : calls()) {
            text += (text.empty() ? "" : ", ") + (call.empty() ? "none" : call);
        }
        return text;
    }

private:
    JobFeeder m_feed{estimated_calls};
    const char* m_helper;
    std::int64_t m_thread = 101;
    std::uint64_t m_frame = 0;
    std::uint64_t m_seqno = 0;
};

std::string repeated(int times, const std::string& each)
{
    std::string all;
    for (int turn = 0; turn < times; ++turn) {
        all += (turn == 0 ? "" : ", ") + each;
    }
    return all;
}

struct Submitter {
    Labelled function;
    const char* event = "call";
};

/// What a job of a thread of Mesa is named after that one call.
std::string name_after(const Submitter& submitter)
{
    Drawing drawing;
    drawing.swap(1 * ms, 2 * ms).job(2 * ms + 100 * us);
    for (std::int64_t begin = 20 * ms; begin < 200 * ms; begin += 20 * ms) {
        drawing.call(submitter.function, begin, begin + 2 * ms, submitter.event, query_result);
        drawing.job(begin + ms);
    }
    return drawing.calls().back();
}

} // namespace

TEST_CASE("thread_when_mesa_names_it_so_then_submits_for_others")
{
    for (const char* name : {"app:cs0", "app:gl0", "a.out:gl12", "gdrv0", "amdgpu_cs:0"}) {
        CAPTURE(name);
        CHECK(model::is_helper_name(name));
    }
    for (const char* name : {"app", "app:gl", "app:glx0", "app:gl0x", "gl0", ":global"}) {
        CAPTURE(name);
        CHECK_FALSE(model::is_helper_name(name));
    }
}

TEST_CASE("job_when_the_thread_that_makes_opengls_calls_queued_it_then_names_the_programs_call")
{
    Drawing drawing{"app:gl0"};
    for (std::int64_t frame = 1; frame <= 6; ++frame) {
        drawing.swap(frame * 20 * ms, frame * 20 * ms + ms).job(frame * 20 * ms + ms + 100 * us);
    }
    CHECK(drawing.text() == repeated(6, "eglSwapBuffers"));
}

TEST_CASE("job_when_made_by_a_read_back_then_is_not_the_swaps_before_it")
{
    Drawing drawing;
    for (std::int64_t begin = 20 * ms; begin < 140 * ms; begin += 20 * ms) {
        drawing.swap(begin, begin + ms).job(begin + ms + 100 * us);
        drawing.job(begin + 3 * ms + 100 * us).call(read_pixels, begin + 3 * ms, begin + 5 * ms);
    }
    // Which of both made a job is in doubt: nothing tells what they make.
    const auto calls = drawing.calls();
    REQUIRE(calls.size() == 12);
    for (std::size_t job = 0; job < calls.size(); ++job) {
        CHECK((calls[job].empty() ||
               calls[job] == (job % 2 == 0 ? "eglSwapBuffers" : "glReadPixels")));
    }
}

TEST_CASE("job_when_a_program_only_reads_back_then_names_that_call")
{
    Drawing drawing;
    for (std::int64_t begin = 20 * ms; begin < 140 * ms; begin += 20 * ms) {
        drawing.job(begin + 100 * us).call(read_pixels, begin, begin + 5 * ms);
    }
    // They are asked for when the call returns: the first before it is known what it makes.
    CHECK(drawing.text() == "none, none, " + repeated(4, "glReadPixels"));
}

/// Into a buffer: the driver submits nothing for that.
TEST_CASE("job_of_a_swap_when_a_read_back_made_none_then_is_the_swaps_alone")
{
    Drawing drawing;
    for (std::int64_t begin = 20 * ms; begin < 220 * ms; begin += 20 * ms) {
        drawing.call(read_pixels, begin, begin + 100 * us);
        drawing.swap(begin + ms, begin + 2 * ms).job(begin + 2 * ms + 100 * us);
    }
    CHECK(drawing.text() == repeated(10, "eglSwapBuffers"));
}

TEST_CASE("job_of_a_swap_when_a_call_after_it_made_none_then_is_not_that_calls")
{
    Drawing drawing;
    for (std::int64_t begin = 20 * ms; begin < 420 * ms; begin += 20 * ms) {
        drawing.swap(begin, begin + ms);
        drawing.call(make_current, begin + ms, begin + ms + 10 * us, "context_current");
        drawing.call(map_range, begin + ms + 20 * us, begin + ms + 30 * us);
        drawing.job(begin + ms + 100 * us);
    }
    std::size_t swaps = 0;
    for (const std::string& call : drawing.calls()) {
        CHECK((call.empty() || call == "eglSwapBuffers"));
        swaps += call == "eglSwapBuffers" ? 1 : 0;
    }
    CHECK(swaps >= 15); // until it is known what such a call makes, there is doubt
}

TEST_CASE("job_of_a_query_when_its_result_was_asked_for_then_names_that_call")
{
    for (const int pname : {query_result, query_available}) {
        Drawing drawing;
        for (std::int64_t begin = 20 * ms; begin < 140 * ms; begin += 20 * ms) {
            drawing.job(begin + 100 * us);
            drawing.call(get_query, begin, begin + ms, "query_result", pname);
        }
        const char* const expected = pname == query_result ? "glGetQueryObjectui64v" : "none";
        CHECK(drawing.text() == "none, none, " + repeated(4, expected));
    }
}

TEST_CASE("job_of_a_helper_when_mesa_submits_in_the_call_before_then_names_it")
{
    const std::array submitters{
        Submitter{{1, "glReadPixels"}},
        Submitter{{2, "glReadnPixelsARB"}},
        Submitter{{3, "glGetTexImage"}},
        Submitter{{4, "glGetCompressedTextureSubImage"}},
        Submitter{{5, "glGetBufferSubData"}},
        Submitter{{6, "glGetNamedBufferSubData"}},
        Submitter{{7, "glMapBuffer"}},
        Submitter{{8, "glMapNamedBufferRangeEXT"}},
        Submitter{{9, "glGetQueryObjectuiv"}, "query_result"},
        Submitter{{10, "glFenceSync"}, "fence_create"},
        Submitter{{11, "eglCreateSyncKHR"}, "fence_create"},
        Submitter{{12, "eglCreateSync"}, "fence_create"},
        Submitter{{13, "eglCreateSync64KHR"}, "fence_create"},
        Submitter{{14, "eglMakeCurrent"}, "context_current"},
        Submitter{{15, "glXMakeContextCurrent"}, "context_current"},
        Submitter{{16, "eglWaitClient"}},
        Submitter{{17, "eglWaitGL"}},
        Submitter{{18, "glXWaitGL"}},
        Submitter{{19, "eglPostSubBufferNV"}},
        Submitter{{20, "glXCopySubBufferMESA"}},
        Submitter{{21, "eglCopyBuffers"}},
    };
    for (const Submitter& submitter : submitters) {
        CHECK(name_after(submitter) == submitter.function.label);
    }
    for (const char* name : {"glLinkProgram", "glUnmapBuffer", "eglTerminate", "glXWaitX",
                             "eglWaitNative", "eglClientWaitSyncKHR"}) {
        CAPTURE(name);
        CHECK(name_after({{30, name}}) != name);
    }
}

namespace {

/// Two threads show frames at the same time. After that, each alone waits for its own.
std::vector<std::string> calls_of_two_threads_that_wait(std::int64_t first_wait)
{
    Drawing drawing;
    for (std::int64_t time = 20 * ms; time < first_wait; time += 20 * ms) {
        drawing.of(101).swap(time, time + ms);
        drawing.of(201).swap(time + 100 * us, time + ms + 100 * us);
        drawing.of(101).job(time + ms + 300 * us);
        drawing.of(201).job(time + ms + 400 * us);
    }
    for (std::int64_t round = 0; round < 20; ++round) {
        const std::int64_t time = first_wait + 100 * ms + 20 * ms * round;
        drawing.of(round % 2 == 0 ? 101 : 201).swap(time, time + ms);
        drawing.job(time + 2 * ms).call(gl_finish, time + 3 * ms, time + 5 * ms);
    }
    return drawing.calls();
}

} // namespace

TEST_CASE("job_of_a_helper_when_it_is_known_late_whose_they_are_then_names_its_call_all_the_same")
{
    // Rows are held back for a second anyway.
    for (const std::int64_t first_wait : {500 * ms, 4'000 * ms, 8'000 * ms}) {
        const auto calls = calls_of_two_threads_that_wait(first_wait);
        CAPTURE(first_wait);
        CHECK(static_cast<std::size_t>(std::ranges::count(calls, "eglSwapBuffers")) ==
              calls.size());
    }
}

TEST_CASE("job_of_a_helper_when_it_is_known_too_late_whose_they_are_then_has_no_call_until_then")
{
    const auto calls = calls_of_two_threads_that_wait(13'000 * ms);
    const auto named = std::ranges::count(calls, "eglSwapBuffers");
    CHECK(calls.front().empty());
    CHECK(named > 10); // of 20, but for the first ones
    CHECK(static_cast<std::size_t>(named) < calls.size() / 2);
}
