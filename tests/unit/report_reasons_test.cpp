// SPDX-License-Identifier: MIT
//
// The reasons that cost most, in the report: what the summary of a diagnosis gives, how the screen
// and JSON show it, and when the command tells it.
#include "command_line.hpp"
#include "diagnose_story.hpp"
#include "gpu_trace.hpp"
#include "report/report_sink.hpp"
#include "run/reasons.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace lttng_gpu::test {
namespace {

using report::ReasonCost;
using report::Report;

std::vector<std::string> lines_of(const std::string& text)
{
    std::istringstream stream{text};
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

ReasonCost cost(const std::string& words, std::int64_t time, bool is_usual = false)
{
    ReasonCost made;
    made.name = words;
    made.words = words;
    made.is_usual = is_usual;
    made.jobs = 3;
    made.time = time;
    made.ring = "gfx";
    made.pid = Pid{42};
    made.comm = "app";
    made.time_there = time / 2;
    return made;
}

/// Its only section is that of the reasons.
Report of(std::vector<ReasonCost> reasons)
{
    Report report;
    report::ReasonCosts costs;
    costs.jobs = 7;
    for (const ReasonCost& reason : reasons) {
        costs.time += reason.time;
    }
    costs.reasons = std::move(reasons);
    report.reasons = std::move(costs);
    return report;
}

std::string section(const Report& report, std::size_t width = 100)
{
    report::Screen screen;
    screen.width = width;
    return report::reasons_section({report, screen, {}});
}

bool has(const std::string& text, std::string_view word)
{
    return text.find(word) != std::string::npos;
}

TEST_CASE("reasons_when_execution_costs_most_then_causes_keep_their_lines")
{
    const std::string text =
        section(of({cost("executing", 600, true), cost("first", 200), cost("second", 90),
                    cost("third", 60), cost("fourth", 30), cost("fifth", 20)}));
    INFO(text);
    const auto lines = lines_of(text);
    REQUIRE(lines.size() == 7); // an empty one, the title, four, the usual
    CHECK(lines[2].starts_with("first "));
    CHECK(has(lines[2], "20.0%"));
    CHECK(has(lines[2], "200ns"));
    CHECK(has(lines[2], "gfx, 42 app"));
    CHECK(has(lines[2], "100ns"));
    CHECK(lines[5].starts_with("fourth "));
    CHECK(lines[6] == "normal: executing 60.0%");
    CHECK_FALSE(has(text, "fifth"));
}

TEST_CASE("reasons_when_nothing_is_in_the_way_then_says_so")
{
    const std::string text = section(of({cost("executing", 600, true)}));
    CHECK(text == "\nreasons: nothing delayed jobs\nnormal: executing 100.0%\n");
}

TEST_CASE("reasons_when_part_is_unknown_then_says_what_to_record")
{
    ReasonCost unknown = cost("unknown: no sched events recorded", 60);
    unknown.cause = "no sched events recorded";
    unknown.advice = "record --events all";
    const std::string text = section(of({cost("first", 200), unknown}));
    INFO(text);
    CHECK(has(text, "\nunknown: no sched events recorded"));
    CHECK(has(text, "\nto know more: record --events all\n"));
}

TEST_CASE("reasons_when_screen_is_narrow_then_lines_fit")
{
    ReasonCost unknown = cost("behind an unknown process's jobs, which has a long name", 60);
    unknown.advice = "record --events all,kernel:sched_switch,kernel:sched_waking";
    for (const std::size_t width : {40, 60, 80, 100}) {
        for (const auto& line :
             lines_of(section(of({unknown, cost("executing", 9, true)}), width))) {
            INFO(line);
            // A word that is longer is left to the terminal.
            CHECK((report::columns_of(line) <= width || line.find(' ', 2) == std::string::npos));
        }
    }
}

TEST_CASE("reasons_when_screen_is_narrow_then_the_command_to_know_more_is_whole")
{
    ReasonCost unknown = cost("unknown", 60);
    unknown.advice = "record --events all,kernel:sched_switch,kernel:sched_waking";
    for (const std::size_t width : {40, 60, 80}) {
        const std::string text = section(of({unknown}), width);
        INFO(text);
        CHECK(has(text, "all,kernel:sched_switch,kernel:sched_waking\n"));
    }
}

TEST_CASE("reasons_when_they_were_not_looked_for_then_names_the_command")
{
    Report report;
    CHECK(section(report).empty());
    CHECK_FALSE(nlohmann::json::parse(report_json(report)).contains("reasons"));
    report.has_reasons_elsewhere = true;
    CHECK(section(report) == "\nreasons: lttng-gpu diagnose TRACE\n");
}

TEST_CASE("reasons_json_has_the_same_figures")
{
    const auto json = nlohmann::json::parse(
        report_json(of({cost("first", 200), cost("executing", 100, true)})))["reasons"];
    CHECK(json["jobs"] == 7);
    CHECK(json["time_ns"] == 300);
    REQUIRE(json["by_reason"].size() == 2);
    const auto& first = json["by_reason"][0];
    CHECK(first["reason"] == "first");
    CHECK(first["unknown_because"].is_null());
    CHECK(first["usual"] == false);
    CHECK(first["jobs"] == 3);
    CHECK(first["time_ns"] == 200);
    CHECK(first["most"]["ring"] == "gfx");
    CHECK(first["most"]["device"].is_null());
    CHECK(first["most"]["pid"] == 42);
    CHECK(first["most"]["time_ns"] == 100);
}

diagnose::Diagnosis diagnosis(const Known<RingId>& ring, std::int64_t pid,
                              const std::vector<diagnose::Part>& parts)
{
    diagnose::Diagnosis made;
    made.job.ring = ring;
    made.job.actor.pid = Pid{pid};
    made.job.queued = made.job.submitted = made.job.completed = Timestamp{};
    made.parts = parts;
    for (const diagnose::Part& part : parts) {
        made.end = made.end + (part.is_before ? Duration{} : part.length);
    }
    return made;
}

diagnose::Part part(diagnose::Reason reason, std::int64_t length,
                    diagnose::Gap gap = diagnose::Gap::None, bool is_before = false)
{
    diagnose::Part made;
    made.reason = reason;
    made.gap = gap;
    made.length = Duration{length};
    made.is_before = is_before;
    return made;
}

TEST_CASE("reason_costs_are_sorted_by_latency_and_name_where_most_of_it_was")
{
    using diagnose::Gap;
    using diagnose::Reason;
    StringPool strings;
    model::RingTable rings{strings};
    const RingId ring = rings.intern(TraceId{}, "device", "gfx");
    diagnose::Summary summary;
    summary.add(diagnosis(ring, 1,
                          {part(Reason::Blocked, 900, Gap::None, true),
                           part(Reason::Dependency, 10), part(Reason::Execution, 5)}));
    summary.add(diagnosis(
        ring, 2, {part(Reason::Dependency, 30), part(Reason::Unknown, 20, Gap::NoSchedEvents)}));
    const report::ReasonCosts costs = run::reason_costs(summary, rings, trace::Recorder::Lttng);
    CHECK(costs.jobs == 2);
    CHECK(costs.time == 65);
    REQUIRE(costs.reasons.size() == 3); // what was only before is no part of the latency
    CHECK(costs.reasons[0].name == "dependency");
    CHECK(costs.reasons[0].words == "waited for a fence");
    CHECK(costs.reasons[0].time == 40);
    CHECK(costs.reasons[0].jobs == 2);
    CHECK(costs.reasons[0].pid == Pid{2});
    CHECK(costs.reasons[0].ring == "gfx");
    CHECK(costs.reasons[0].device == "device");
    CHECK(costs.reasons[0].time_there == 30);
    CHECK(costs.reasons[1].words == "unknown: no sched events recorded");
    CHECK(has(costs.reasons[1].advice, "kernel:sched_switch"));
    CHECK(costs.reasons[2].name == "execution");
    CHECK(costs.reasons[2].is_usual);
}

TEST_CASE("report_tells_reasons_of_text_and_elsewhere_on_request")
{
    const TemporaryDirectory directory;
    const std::string trace = directory.path() / "trace";
    write_two_jobs(trace);
    const auto output = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"report", trace});
        const std::string file = directory.path() / "report";
        arguments.insert(arguments.end(), {"-o", file});
        CHECK(run(arguments).code == 0);
        std::ifstream written{file};
        return std::string{std::istreambuf_iterator<char>{written}, {}};
    };
    CHECK(has(output({}), "\nnormal: executing"));
    CHECK_FALSE(has(output({"--no-reasons"}), "executing"));
    CHECK_FALSE(has(output({"--read-once"}), "executing"));
    CHECK_FALSE(has(output({"--ring", "gfx_0.0.0"}), "normal: executing"));
    CHECK_FALSE(has(output({"--format", "json"}), "\"reasons\""));
    const auto json = nlohmann::json::parse(output({"--format", "json", "--reasons"}));
    CHECK(json["reasons"]["jobs"] == 2);
    CHECK(run({"report", trace, "--reasons", "--no-reasons"}).code == 2);
    CHECK(run({"view", "--help"}).out.find("--no-reasons") != std::string::npos);
}

} // namespace
} // namespace lttng_gpu::test
