// SPDX-License-Identifier: MIT
//
// The names that programs give to parts of their work and to objects, in the calls of jobs.
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr Labelled gl_flush{2002, "glFlush"};
constexpr Labelled make_current{2005, "eglMakeCurrent"};
constexpr Labelled client_wait{2004, "glClientWaitSync"};
constexpr Labelled fence_sync{2008, "glFenceSync"};
constexpr Labelled get_query{2009, "glGetQueryObjectuiv"};
constexpr Labelled queue_submit{3002, "vkQueueSubmit"};

class Drawing {
public:
    Drawing() { m_feed.clock_offset(0).in(100, 101, "app"); }
    /// Makes a job.
    Drawing& flush_at(std::int64_t time, std::int64_t tid = 101)
    {
        ++m_jobs;
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", m_jobs}};
        m_feed.in(100, tid, "app")
            .at(time + 10)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
        m_feed.at(time + 20)("drm_sched_job_done", fields);
        m_feed.at(time + 30)("lttng_gpu_gl:call", {{"function", gl_flush}, {"begin_ns", time}});
        return *this;
    }
    Drawing& push(std::int64_t time, const char* name, std::int64_t tid = 101)
    {
        m_feed.in(100, tid, "app").at(time)("lttng_gpu_gl:debug_group_push", {{"name", name}});
        return *this;
    }
    Drawing& pop(std::int64_t time, std::int64_t tid = 101)
    {
        m_feed.in(100, tid, "app").at(time)("lttng_gpu_gl:debug_group_pop", {{"context", 1}});
        return *this;
    }
    Drawing& make(std::int64_t time, std::uint64_t context, std::int64_t tid = 101)
    {
        m_feed.in(100, tid, "app")
            .at(time)("lttng_gpu_gl:context_current", {{"function", make_current},
                                                       {"begin_ns", time - 5},
                                                       {"result", 1},
                                                       {"context", context}});
        return *this;
    }
    std::vector<std::string> groups()
    {
        std::vector<std::string> all;
        for (const model::Job& job : m_feed.jobs()) {
            CHECK(m_feed.api_call(job) == "glFlush");
            all.push_back(m_feed.text(job.debug_group));
        }
        return all;
    }
    JobFeeder& feed() { return m_feed; }

private:
    JobFeeder m_feed;
    std::uint64_t m_jobs = 0;
};

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("job_when_debug_groups_are_open_then_has_the_innermost")
{
    Drawing drawing;
    drawing.pop(50)
        .flush_at(100)
        .push(200, "frame")
        .flush_at(300)
        .push(400, "shadow pass")
        .flush_at(500);
    drawing.pop(600).flush_at(700).pop(800).flush_at(900).pop(1'000).flush_at(1'100);
    CHECK(drawing.groups() == Texts{"", "frame", "shadow pass", "frame", "", ""});
}

TEST_CASE("job_when_another_thread_has_a_debug_group_then_has_none")
{
    Drawing drawing;
    drawing.push(100, "mine").flush_at(200, 102).flush_at(300);
    CHECK(drawing.groups() == Texts{"", "mine"});
}

TEST_CASE("job_when_another_context_is_current_then_has_that_ones_debug_group")
{
    Drawing drawing;
    drawing.make(100, 1).push(200, "first").make(300, 2).flush_at(400).push(500, "second");
    drawing.flush_at(600).make(700, 1).flush_at(800);
    drawing.make(900, 0).make(1'000, 2, 102).flush_at(1'100, 102); // the context in another thread
    CHECK(drawing.groups() == Texts{"", "second", "first", "second"});
}

TEST_CASE("job_when_debug_groups_are_too_deep_then_has_the_deepest_that_is_kept")
{
    Drawing drawing;
    for (int depth = 0; depth < 100; ++depth) {
        drawing.push(100 + depth, depth == 63 ? "kept" : "group");
    }
    drawing.flush_at(300);
    for (int depth = 100; depth > 64; --depth) {
        drawing.pop(400);
    }
    drawing.flush_at(500).pop(600).flush_at(700);
    CHECK(drawing.groups() == Texts{"kept", "kept", "group"});
}

TEST_CASE("submission_when_its_queue_has_a_label_then_the_job_has_it_as_debug_group")
{
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    std::uint64_t jobs = 0;
    const auto submit = [&](std::int64_t time, std::uint64_t queue) {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", ++jobs}};
        feed.at(time + 10)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
        feed.at(time + 20)("drm_sched_job_done", fields);
        feed.at(time + 30)("lttng_gpu_vulkan:submit", {{"function", queue_submit},
                                                       {"begin_ns", time},
                                                       {"queue", queue},
                                                       {"submission", jobs},
                                                       {"timed", 0}});
    };
    feed.at(100)("lttng_gpu_vulkan:label_begin", {{"queue", 70}, {"name", "lighting"}});
    submit(200, 70);
    submit(300, 71);
    feed.at(400)("lttng_gpu_vulkan:label_end", {{"queue", 70}});
    submit(500, 70);
    Texts groups;
    for (const model::Job& job : feed.jobs()) {
        groups.push_back(feed.text(job.debug_group));
    }
    CHECK(groups == Texts{"lighting", "", ""});
}

TEST_CASE("call_when_its_object_has_a_label_then_is_named_with_it")
{
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    const auto call = [&](std::int64_t end, const char* event, const Labelled& function,
                          const char* field, std::uint64_t object) {
        feed.at(end)(event, {{"function", function},
                             {"begin_ns", static_cast<std::uint64_t>(end - 50)},
                             {field, object}});
    };
    const auto label = [&](std::int64_t time, std::uint64_t kind, std::uint64_t object,
                           const char* name) {
        feed.at(time)("lttng_gpu_gl:label", {{"object", object}, {"kind", kind}, {"name", name}});
    };
    call(100, "lttng_gpu_gl:fence_create", fence_sync, "sync", 5);
    label(110, 0, 5, "shadow");
    label(120, 0x82E3, 5, "visible");
    call(200, "lttng_gpu_gl:fence_wait", client_wait, "sync", 5);
    call(300, "lttng_gpu_gl:query_result", get_query, "query", 5);
    call(400, "lttng_gpu_gl:fence_wait", client_wait, "sync", 6);
    call(500, "lttng_gpu_gl:fence_create", fence_sync, "sync", 5); // another one at that address
    call(600, "lttng_gpu_gl:fence_wait", client_wait, "sync", 5);
    Texts names;
    for (const model::ReturnedCall& returned : feed.calls()) {
        names.push_back(feed.text(returned.name));
    }
    CHECK(names == Texts{"glFenceSync", "glClientWaitSync(shadow)", "glGetQueryObjectuiv(visible)",
                         "glClientWaitSync", "glFenceSync", "glClientWaitSync"});
    CHECK(feed.waits().size() == 3); // the named one, too
}
