// SPDX-License-Identifier: MIT
//
// Every job of a kernel's driver names a call or has exactly one cause why it does not, and the
// report tells how many of each there are.
#include "opencl_program.hpp"
#include "report/report_sink.hpp"
#include "report/text_call_account.hpp"
#include "system/actor_origins.hpp"

#include <nlohmann/json.hpp>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using model::NoCall;

namespace {

/// A program with calls in thread 101 of process 100, and jobs of anybody.
class Jobs {
public:
    Jobs() { feed.in_namespace(model::initial_pid_namespace); }

    Jobs& queued(std::int64_t time, std::int64_t pid, std::int64_t tid, const char* comm)
    {
        feed.in(pid, tid, comm);
        return steps(time, true);
    }
    Jobs& steps(std::int64_t time, bool has_queue_event)
    {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", ++made}};
        if (has_queue_event) {
            feed.at(time)("drm_sched_job_queue", fields);
        }
        feed.at(time)("drm_sched_job_run", fields);
        feed.at(time + 1)("drm_sched_job_done", fields);
        feed.in(100, 101, "app");
        return *this;
    }
    /// Checks on the way that no job was left out or counted twice.
    const model::CallAccount& account()
    {
        REQUIRE(feed.call_account());
        const model::CallAccount& all = *feed.call_account();
        CHECK(all.all_named() + all.all_unnamed() == made);
        return all;
    }

    JobFeeder feed;
    std::uint64_t made = 0;
};

/// The only cause that counted anything, and how often.
void check_only(Jobs& jobs, NoCall cause, std::uint64_t times = 1)
{
    const model::CallAccount& account = jobs.account();
    CHECK(account.at(cause) == times);
    CHECK(account.all_unnamed() == times);
}

} // namespace

TEST_CASE("job_when_its_thread_was_in_a_call_then_is_counted_as_named")
{
    Jobs jobs;
    Program program{jobs.feed};
    program.device(10).queue(20).clock(100);
    jobs.queued(1'050, 100, 101, "app");
    program.enqueue(1'000, 1'100, 1);
    CHECK(jobs.account().same_thread == 1);
    CHECK(jobs.account().all_unnamed() == 0);
}

TEST_CASE("job_when_its_process_makes_no_calls_then_that_is_the_cause")
{
    Jobs jobs;
    jobs.queued(5, 200, 201, "Xorg"); // before the first event of an API
    Program program{jobs.feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'100, 1);
    jobs.queued(1'050, 200, 201, "Xorg");
    check_only(jobs, NoCall::ProcessWithout, 2);
}

TEST_CASE("job_when_its_thread_was_in_no_call_of_a_process_that_makes_some_then_that_is_the_cause")
{
    Jobs jobs;
    Program program{jobs.feed};
    program.device(10).queue(20).clock(100);
    jobs.queued(900, 100, 101, "app");    // before the first call
    jobs.queued(1'050, 100, 102, "pool"); // another thread, which is not known as a driver's
    program.enqueue(1'000, 1'100, 1);
    check_only(jobs, NoCall::ThreadInNone, 2);
}

TEST_CASE("job_when_no_event_tells_of_its_queueing_then_that_is_the_cause")
{
    Jobs jobs;
    Program program{jobs.feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'100, 1);
    jobs.feed.in(100, 101, "app");
    jobs.steps(1'050, false);
    check_only(jobs, NoCall::QueuedUnknown);
}

TEST_CASE("job_when_no_event_tells_its_thread_then_that_is_the_cause")
{
    Jobs jobs;
    Program program{jobs.feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'100, 1);
    jobs.feed.in_nobody();
    jobs.steps(1'200, true);
    check_only(jobs, NoCall::ThreadUnknown);
}

TEST_CASE("job_of_a_helper_when_no_call_came_before_then_that_is_the_cause")
{
    Jobs jobs;
    Program program{jobs.feed};
    program.device(10).queue(20).clock(100);
    jobs.queued(900, 100, 103, "app:cs0");
    program.enqueue(1'000, 1'100, 1);
    program.times(2'000, 1, {1'050, 1'100, 1'200, 1'900});
    check_only(jobs, NoCall::HelperUnmatched);
    CHECK(jobs.feed.count(Anomaly::ApiCallHelperUnmatched) == 1);
}

TEST_CASE("job_of_a_helper_when_several_calls_fit_then_the_report_says_what_to_record")
{
    Jobs jobs;
    Program program{jobs.feed};
    program.device(10).queue(20, 70, 7, profiling_off).clock(100);
    for (std::int64_t call = 0; call < 4; ++call) {
        program.enqueue(1'000 + 100 * call, 1'050 + 100 * call,
                        static_cast<std::uint64_t>(call + 1));
    }
    for (std::int64_t job = 0; job < 3; ++job) {
        jobs.queued(2'000 + 100 * job, 100, 103, "app:cs0");
    }
    const model::CallAccount& account = jobs.account();
    CHECK(account.at(NoCall::HelperInDoubt) + account.at(NoCall::Untimed) == account.all_unnamed());
    CHECK(account.all_unnamed() > 0);
    report::Report report;
    report.trace.calls = account;
    CHECK(report::call_advice(report) == "report --estimated-calls");
    report.trace.calls->has_estimates = true;
    CHECK(report::call_advice(report) ==
          "record --events all,syscall:ioctl,kernel:sched_switch,kernel:sched_waking");
    CHECK(report::unnamed_jobs_text(report).find("of 3 jobs of programs whose calls were") !=
          std::string::npos);
}

TEST_CASE("call_advice_when_something_was_not_recorded_then_names_that")
{
    report::Report report;
    CHECK(report::call_advice(report).empty());
    model::CallAccount& account = report.trace.calls.emplace();
    account.at(NoCall::HelperInDoubt) = 2;
    account.has_estimates = true;
    account.has_ioctls = true;
    account.has_sched = true;
    CHECK(report::call_advice(report).empty()); // OpenCL has the device's times, or never will
    report.api_calls.emplace_back().name = "vkQueueSubmit";
    CHECK(report::call_advice(report) == "record --api-times");
    account.has_device_times = true;
    CHECK(report::call_advice(report).empty());
    account = {};
    account.at(NoCall::ThreadInNone) = 2; // no event of a driver's thread would help
    CHECK(report::call_advice(report).empty());
}

TEST_CASE("report_when_calls_were_recorded_then_has_each_cause_by_name")
{
    report::Report report;
    CHECK(report::call_account_lines(report).empty());
    CHECK(nlohmann::json::parse(report::report_json(report))["accounting"]["api_calls_of_jobs"]
              .is_null());
    report.trace.calls.emplace();
    report.trace.calls->helper_thread = 7;
    report.trace.calls->at(NoCall::HelperInDoubt) = 2;
    report.trace.calls->at(NoCall::ProcessWithout) = 5;
    const std::string text = report::call_account_lines(report);
    CHECK(text.find("7  name their call (helper_thread 7)\n") != std::string::npos);
    CHECK(text.find("2  none: a thread of the driver queued them for one of several calls\n") !=
          std::string::npos);
    CHECK(text.find("5  none: their process made no recorded call until then\n") !=
          std::string::npos);
    const auto json =
        nlohmann::json::parse(report::report_json(report))["accounting"]["api_calls_of_jobs"];
    CHECK(json["named"]["helper_thread"] == 7);
    CHECK(json["unnamed"].size() == model::no_call_count);
    CHECK(json["unnamed"]["helper_in_doubt"] == 2);
    CHECK(json["unnamed"]["process_without_calls"] == 5);
    CHECK(json["unnamed"]["thread_in_no_call"] == 0);
    CHECK(json["recorded"]["ioctls"] == false);
    CHECK(json["advice"] == "report --estimated-calls");
}
