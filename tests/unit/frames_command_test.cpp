// SPDX-License-Identifier: MIT
//
// The command `frames` on traces in files, and what the report says of frames.
#include "command_line.hpp"
#include "ctf_writer.hpp"
#include "gpu_trace.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using nlohmann::json;

namespace {

constexpr std::uint64_t ms = 1'000'000;

/// 30 frames of 16 ms with a job each; of frame 25 the job is executed for 44 ms longer.
void write_frames(const std::filesystem::path& directory)
{
    CtfWriter writer{directory, 1};
    std::uint64_t time = 100 * ms;
    for (std::uint64_t number = 1; number <= 30; ++number) {
        writer.add(0, queue_event(time + 4 * ms, number));
        writer.add(0, run_event(time + 5 * ms, number));
        time += number == 25 ? 44 * ms : 0;
        writer.add(0, done_event(time + 10 * ms, number));
        time += 16 * ms;
        const std::uint64_t begin = time - 13 * ms - (number == 25 ? 44 * ms : 0);
        writer.add(0, {time,
                       "lttng_gpu_opencl:frame",
                       {{"begin_ns", begin},
                        {"result", std::int64_t{0}},
                        {"function", CtfEnumerator{7, "eglSwapBuffers = 7"}},
                        {"frame", number},
                        {"surface", std::uint64_t{5}},
                        {"context", std::uint64_t{9}},
                        {"draws", std::uint64_t{12}},
                        {"dispatches", std::uint64_t{0}},
                        {"uploads", std::uint64_t{0}}}});
    }
}

/// What the command writes to a file.
Result run_to_file(std::vector<std::string> arguments, const std::filesystem::path& trace)
{
    const TemporaryDirectory outside; // of the input
    const std::filesystem::path file = outside.path() / "output";
    arguments.insert(arguments.end(), {"-o", file.string(), trace.string()});
    Result result = run(arguments);
    std::ifstream written{file};
    result.out = {std::istreambuf_iterator<char>{written}, {}};
    return result;
}

} // namespace

TEST_CASE("frames_command_when_a_frame_is_late_then_says_by_what")
{
    const TemporaryDirectory trace;
    write_frames(trace.path());
    const Result all = run_to_file({"frames", "--format", "json"}, trace.path());
    CHECK(all.code == 0);
    const json rows = json::parse(all.out);
    REQUIRE(rows.size() == 30);
    CHECK(rows[0]["begin_ns"].is_null());
    CHECK(rows[1]["interval_ns"] == 16 * ms);
    CHECK(rows[1]["jobs"] == 1);
    CHECK(rows[1]["function"] == "eglSwapBuffers");
    CHECK(rows[1]["host_queue_ns"] == 1 * ms);
    CHECK(rows[1]["execution_ns"] == 5 * ms);
    CHECK(rows[1]["late"].is_null());
    CHECK(rows[20]["late"] == "no");
    CHECK(rows[24]["late"] == "yes");
    CHECK(rows[24]["late_by"] == "execution");

    const Result late = run_to_file({"frames", "--format", "csv", "--late"}, trace.path());
    CHECK(std::count(late.out.begin(), late.out.end(), '\n') == 2);
    const Result top = run_to_file({"frames", "--format", "json", "--top", "3"}, trace.path());
    const json most = json::parse(top.out);
    REQUIRE(most.size() == 3);
    CHECK(most[0]["frame"] == 25);
    CHECK(most[1]["frame"] == 10);

    const Result text = run_to_file({"frames"}, trace.path());
    CHECK(text.out.find("30 frames · 1 late (1 execution)") != std::string::npos);
    CHECK(text.out.find("the latest frames") != std::string::npos);
}

TEST_CASE("diagnose_when_a_frame_is_asked_for_then_its_time_and_jobs_are_told")
{
    const TemporaryDirectory trace;
    write_frames(trace.path());
    const Result one = run_to_file({"diagnose", "--frame", "25", "--format", "json"}, trace.path());
    CHECK(one.code == 0);
    const json told = json::parse(one.out);
    REQUIRE(told["frames"].size() == 1);
    const json& frame = told["frames"][0];
    CHECK(frame["frame"] == 25);
    CHECK(frame["late"] == "yes");
    CHECK(frame["latency_ns"] == 60 * ms);
    std::uint64_t sum = 0;
    const json* wait = nullptr;
    for (const json& part : frame["parts"]) {
        sum += part["time_ns"].get<std::uint64_t>();
        wait = part["reason"] == "own_wait" ? &part : wait;
    }
    CHECK(sum == 60 * ms);
    REQUIRE(wait != nullptr);
    CHECK((*wait)["time_ns"] == 50 * ms);
    CHECK((*wait)["place"] == "in_call");
    CHECK((*wait)["basis"] == "inferred");
    CHECK((*wait)["root"][1]["reason"] == "long_execution");
    CHECK((*wait)["root"][1]["time_ns"] == 49 * ms);
    REQUIRE(frame["jobs"].size() == 1);
    CHECK(frame["jobs"][0]["latency_ns"] == 50 * ms);
    CHECK(told["summary"]["frames"] == 29);
    CHECK(told["summary"]["reasons"][0]["reason"] == "long_execution");
    CHECK(told["summary"]["reasons"][0]["mean_late_ns"] == 49 * ms);

    const json late = json::parse(
        run_to_file({"diagnose", "--frame", "late", "--format", "json"}, trace.path()).out);
    REQUIRE(late["frames"].size() == 1);
    CHECK(late["frames"][0] == frame);
    const Result text = run_to_file({"diagnose", "--frame", "0x5:25"}, trace.path());
    CHECK(text.out.find("frame 25 of") != std::string::npos);
    CHECK(text.out.find("executing, much longer than usual") != std::string::npos);
    const Result csv = run_to_file({"diagnose", "--frame", "25", "--format", "csv"}, trace.path());
    CHECK(csv.out.find(",own_wait,") != std::string::npos);

    const Result none = run_to_file({"diagnose", "--frame", "9:25"}, trace.path());
    CHECK(none.code == 1);
    CHECK(none.errors.find("no such frame") != std::string::npos);
    CHECK(run_to_file({"diagnose", "--frame", "soon"}, trace.path()).code == 2);
    CHECK(run_to_file({"diagnose", "--frame", "3", "--over", "1ms"}, trace.path()).code == 2);
}

TEST_CASE("report_when_there_are_frames_and_calls_then_has_them")
{
    const TemporaryDirectory trace;
    write_frames(trace.path());
    const json report = json::parse(run_to_file({"report", "--format", "json"}, trace.path()).out);
    REQUIRE(report["frames"].size() == 1);
    CHECK(report["frames"][0]["frames"] == 30);
    CHECK(report["frames"][0]["late"] == 1);
    CHECK(report["frames"][0]["late_by"]["execution"] == 1);
    REQUIRE(report["api_calls"].size() == 1);
    CHECK(report["api_calls"][0]["name"] == "eglSwapBuffers");
    CHECK(report["api_calls"][0]["count"] == 30);
    // All but the first job, which was over before an event told of the API.
    CHECK(report["api_calls"][0]["jobs"]["count"] == 29);
    CHECK(report["api_calls"][0]["jobs"]["host_queue_ns"] == 29 * ms);
    const Result text = run_to_file({"report"}, trace.path());
    CHECK(text.out.find("\nframes\n") != std::string::npos);
}

TEST_CASE("frames_command_when_there_are_none_then_says_so")
{
    const TemporaryDirectory trace;
    write_two_jobs(trace.path());
    const Result none = run_to_file({"frames", "--format", "csv"}, trace.path());
    CHECK(none.code == 1);
    CHECK(none.out.starts_with("api,pid,tid,comm,surface,frame,"));
    CHECK(none.errors.find("no frames in the trace") != std::string::npos);
    const json report = json::parse(run_to_file({"report", "--format", "json"}, trace.path()).out);
    CHECK(!report.contains("frames"));
    CHECK(!report.contains("api_calls"));
}

TEST_CASE("frames_command_when_a_window_is_given_then_frames_count_by_their_end")
{
    const TemporaryDirectory trace;
    write_frames(trace.path());
    const Result some = run_to_file(
        {"frames", "--format", "json", "--begin", "140000000", "--end", "200000000"}, trace.path());
    CHECK(some.code == 0);
    CHECK(json::parse(some.out).size() == 4); // 148, 164, 180 and 196 ms
}
