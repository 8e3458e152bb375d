// SPDX-License-Identifier: MIT
//
// Jobs and calls of threads that have the same number, on one machine or on several, in one pid
// namespace or in several.
#include "calls/caller_match.hpp"
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr std::uint64_t initial = model::initial_pid_namespace;
constexpr std::uint64_t container = 4'026'532'500;
constexpr std::uint64_t other_container = 4'026'532'600;
constexpr std::uint32_t kernel_trace = 0;
constexpr std::uint32_t user_trace = 1;
constexpr std::uint32_t other_user_trace = 2;

/// What a trace records of a thread; 0: it does not record that.
struct Who {
    std::int64_t pid = 0; // of the initial namespace
    std::int64_t tid = 0;
    std::uint64_t pid_ns = 0;
    std::int64_t vpid = 0;
    std::int64_t vtid = 0;
    std::string_view comm = "app";
};

/// As a reader gives them: vpid and vtid stand in for what is not there.
trace::ContextValues contexts(const Who& who)
{
    const auto number = [](std::int64_t value) {
        return value == 0 ? trace::FieldValue{} : trace::FieldValue{value};
    };
    trace::ContextValues values;
    values.pid = number(who.pid != 0 ? who.pid : who.vpid);
    values.tid = number(who.tid != 0 ? who.tid : who.vtid);
    values.procname = trace::FieldValue{who.comm};
    values.pid_ns = who.pid_ns == 0 ? trace::FieldValue{} : trace::FieldValue{who.pid_ns};
    values.vpid = number(who.vpid);
    values.vtid = number(who.vtid);
    return values;
}

class Story {
public:
    Story()
    {
        name(kernel_trace, "boot 1", "one");
        name(user_trace, "boot 1", "one");
        feed.at(1)("lttng_gpu_opencl:call_begin", {{"function", flush}}); // rows wait for calls
    }
    Story& name(std::uint32_t trace, const char* boot, const char* host)
    {
        feed.trace(trace).facts({{}, Duration{0}, {boot, host}, {}});
        return *this;
    }
    /// A job of the kernel's driver is queued at 1050.
    Story& job(const Who& who, std::uint64_t seqno = 1)
    {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", seqno}};
        feed.trace(kernel_trace).with(contexts(who));
        feed.at(1'050)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
        feed.at(1'051)("drm_sched_job_done", fields);
        return *this;
    }
    /// A call from 1000 to `end`.
    Story& call(const Who& who, const Labelled& function, std::uint32_t trace = user_trace,
                std::int64_t begin = 1'000, std::int64_t end = 1'100)
    {
        feed.trace(trace).with(contexts(who));
        feed.at(end)("lttng_gpu_opencl:call", {{"function", function}, {"begin_ns", begin}});
        return *this;
    }
    /// A command that is under way from 1000 to 2000.
    Story& command(const Who& who)
    {
        Program program{feed};
        feed.trace(user_trace).with(contexts(who));
        program.device(10).queue(20).clock(100).enqueue(1'000, 1'010, 1);
        program.times(2'000, 1, {1'001, 1'002, 1'003, 1'999});
        return *this;
    }
    std::string call_of(std::uint64_t seqno = 1)
    {
        for (const model::Job& job : feed.jobs()) {
            if (feed.driver(job) == "amdgpu" && job.fence.seqno->value() == seqno) {
                return feed.api_call(job);
            }
        }
        return "no such job";
    }
    std::uint64_t count(Anomaly anomaly) { return feed.count(anomaly); }

    JobFeeder feed;
};

const Who inside{5'100, 5'101, container, 7, 8};       // as the kernel has it
const Who outside{7, 8, initial, 7, 8};                // likewise
const Who inside_itself{0, 0, container, 7, 8};        // as the program has it
const Who outside_itself{0, 0, initial, 7, 8};         // likewise
const Who outside_of_old_kernel{7, 8, 0, 0, 0};        // tid and pid alone
const Who inside_of_old_kernel{5'100, 5'101, 0, 0, 0}; // likewise
const Who without_namespace{0, 0, 0, 7, 8};            // an older recording

} // namespace

TEST_CASE("call_when_two_namespaces_have_a_thread_of_that_number_then_names_the_jobs_of_its_own")
{
    Story story;
    story.job(inside, 1).job(outside, 2);
    story.call(inside_itself, flush).call(outside_itself, finish);
    CHECK(story.call_of(1) == "clFlush");
    CHECK(story.call_of(2) == "clFinish");
    CHECK(story.count(Anomaly::ApiCallElsewhere) == 0);
}

TEST_CASE("call_when_the_job_is_of_a_thread_of_that_number_in_another_namespace_then_is_not_joined")
{
    Story story;
    story.job(outside, 1);
    story.call(inside_itself, flush);
    CHECK(story.call_of(1).empty());
    CHECK(story.count(Anomaly::ApiCallElsewhere) == 1);
}

TEST_CASE("call_when_on_another_machine_then_is_not_joined")
{
    Story story;
    story.name(user_trace, "boot 2", "one"); // two virtual machines of one name
    story.job(outside).call(outside_itself, flush);
    CHECK(story.call_of().empty());
    CHECK(story.count(Anomaly::ApiCallElsewhere) == 1);
}

TEST_CASE("call_when_two_machines_have_a_thread_of_that_number_then_names_the_jobs_of_its_own")
{
    Story story;
    story.name(other_user_trace, "boot 2", "two");
    story.call(outside_itself, finish, other_user_trace);
    story.job(outside).call(outside_itself, flush);
    CHECK(story.call_of() == "clFlush");
    CHECK(story.count(Anomaly::ApiCallElsewhere) == 0);
}

TEST_CASE("call_when_hosts_are_named_but_no_boots_then_goes_by_the_host")
{
    Story same;
    same.feed.trace(other_user_trace).facts({{}, Duration{0}, {{}, "one"}, {}});
    same.job(outside).call(outside_itself, flush, other_user_trace);
    CHECK(same.call_of() == "clFlush");
    Story other;
    other.feed.trace(other_user_trace).facts({{}, Duration{0}, {{}, "two"}, {}});
    other.job(outside).call(outside_itself, flush, other_user_trace);
    CHECK(other.call_of().empty());
    CHECK(other.count(Anomaly::ApiCallElsewhere) == 1);
}

TEST_CASE("call_when_its_machine_is_not_named_then_it_is_that_of_all_others_or_unknown")
{
    Story one;
    one.feed.trace(other_user_trace).facts({{}, Duration{0}, {{}, "(none)"}, {}});
    one.job(outside).call(outside_itself, flush, other_user_trace);
    CHECK(one.call_of() == "clFlush");
    Story several;
    several.name(user_trace, "boot 2", "two");
    several.feed.trace(other_user_trace).facts({{}, Duration{0}, {{}, "(none)"}, {}});
    several.job(outside).call(outside_itself, flush, other_user_trace);
    CHECK(several.call_of().empty());
    CHECK(several.count(Anomaly::ApiCallMachineUnknown) == 1);
}

TEST_CASE("call_of_the_initial_namespace_when_the_kernel_tells_none_then_its_numbers_suffice")
{
    Story story;
    Who renamed = outside_of_old_kernel;
    renamed.comm = "renamed";
    story.job(renamed).call(outside_itself, flush);
    CHECK(story.call_of() == "clFlush");
}

TEST_CASE("call_of_a_container_when_the_kernel_tells_no_namespace_then_is_not_joined")
{
    Story story;
    story.job(outside_of_old_kernel).call(inside_itself, flush);
    CHECK(story.call_of().empty());
    CHECK(story.count(Anomaly::ApiCallNamespaceUnknown) == 1);
}

TEST_CASE("call_without_a_namespace_when_pid_tid_and_name_agree_then_is_joined")
{
    Story story;
    story.job(outside_of_old_kernel).call(without_namespace, flush);
    CHECK(story.call_of() == "clFlush");
    Story new_kernel;
    new_kernel.job(outside).call(without_namespace, flush);
    CHECK(new_kernel.call_of() == "clFlush");
}

TEST_CASE("call_without_a_namespace_when_name_or_pid_differ_then_is_not_joined")
{
    Who other_name = outside_of_old_kernel;
    other_name.comm = "cat";
    Who other_pid = outside_of_old_kernel;
    other_pid.pid = 6;
    Who no_name = outside_of_old_kernel;
    no_name.comm = "";
    for (const Who& who : {other_name, other_pid, no_name}) {
        Story story;
        story.job(who).call(without_namespace, flush);
        CHECK(story.call_of().empty());
        CHECK(story.count(Anomaly::ApiCallNamespaceUnknown) == 1);
    }
}

TEST_CASE("calls_without_a_namespace_when_they_overlap_in_one_thread_then_are_of_several")
{
    Story story;
    story.job(outside_of_old_kernel);
    story.call(without_namespace, flush);
    story.call(without_namespace, finish, user_trace, 1'020, 1'200);
    CHECK(story.call_of().empty());
    CHECK(story.count(Anomaly::ApiCallNamespaceUnknown) == 1);
}

TEST_CASE(
    "helpers_job_when_two_namespaces_have_a_process_of_that_number_then_may_be_of_its_own_only")
{
    Who helper = inside;
    helper.vtid = 20;
    helper.tid = 5'120;
    helper.comm = "app:cs0";
    Story story;
    story.job(helper).command(inside_itself);
    CHECK(story.call_of().empty()); // calls from before the trace may submit, too
    CHECK(story.count(Anomaly::ApiCallHelperInDoubt) == 1);
    Story other;
    other.job(helper).command(outside_itself);
    CHECK(other.call_of().empty());
    CHECK(other.count(Anomaly::ApiCallElsewhere) == 1);
    Story unknown;
    unknown.job(helper).command(without_namespace);
    CHECK(unknown.call_of().empty());
    CHECK(unknown.count(Anomaly::ApiCallNamespaceUnknown) == 1);
}

TEST_CASE("queues_when_two_namespaces_have_a_process_of_that_number_then_are_not_one")
{
    Story story;
    story.command(inside_itself);
    Program program{story.feed};
    story.feed.trace(user_trace).with(contexts(outside_itself));
    program.device(3'010).queue(3'020).enqueue(3'030, 3'040, 1);
    program.times(4'000, 1, {3'031, 3'032, 3'033, 3'999});
    const auto& jobs = story.feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(story.feed.ring(jobs[0]) == "queue 1 of pid 7 in pid namespace 4026532500");
    CHECK(story.feed.ring(jobs[1]) == "queue 1 of pid 7");
    CHECK(story.count(Anomaly::DuplicateQueue) == 0);
}
