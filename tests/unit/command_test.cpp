// SPDX-License-Identifier: MIT
//
// The whole program from command line to exit code, on trace files written on
// the spot: the promised columns and keys, and every kind of bad input.
#include "command_line.hpp"
#include "gpu_trace.hpp"
#include "report/time_option.hpp"

#include <array>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <streambuf>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* jobs_header =
    "device,ring,driver,context,seqno,pid,tid,comm,queued_ns,submitted_ns,started_ns,"
    "started_basis,completed_ns,completed_basis,status,api_call\n";

/// Runs with `-o` and gives back the file.
Result run_to_file(const TemporaryDirectory& directory, std::vector<std::string> arguments)
{
    const fs::path file = directory.path() / "result";
    arguments.insert(arguments.end(), {"-o", file.string()});
    Result result = run(std::move(arguments));
    std::ifstream stream{file};
    result.out = {std::istreambuf_iterator<char>{stream}, {}};
    return result;
}

/// Takes nothing.
class FullBuffer : public std::streambuf {};

bool is_one_line(const std::string& text)
{
    return text.starts_with("lttng-gpu: ") && text.find('\n') == text.size() - 1;
}

fs::path two_jobs(const TemporaryDirectory& directory)
{
    write_two_jobs(directory.path() / "trace");
    return directory.path() / "trace";
}

} // namespace

TEST_CASE("jobs_csv_when_trace_is_fine_then_is_exactly_this")
{
    const TemporaryDirectory directory;
    const Result result = run_to_file(directory, {"jobs", two_jobs(directory), "--format", "csv"});
    CHECK(result.code == 0);
    CHECK(result.errors.empty());
    CHECK(result.out ==
          std::string{jobs_header} +
              "0000:04:00.0,gfx_0.0.0,amdgpu,9,1,100,101,app,1000,2000,2000,inferred,3000,"
              "observed,complete,\n"
              "0000:04:00.0,gfx_0.0.0,amdgpu,9,2,100,101,app,1100,2100,3000,inferred,4500,"
              "observed,complete,\n");
}

TEST_CASE("jobs_csv_when_values_are_unknown_then_cells_are_empty_and_text_is_quoted")
{
    const TemporaryDirectory directory;
    CtfEvent queue = queue_event(10, 1);
    queue.procname = "a,\"b\"";
    CtfEvent done = done_event(20, 7);
    done.fields[0].value = std::uint64_t{10}; // of another context
    write_ctf(directory.path() / "trace", {{{{queue, done}}}});
    const Result result =
        run_to_file(directory, {"jobs", directory.path() / "trace", "--format", "csv"});
    CHECK(result.code == 0);
    CHECK(result.out == std::string{jobs_header} +
                            "0000:04:00.0,gfx_0.0.0,,9,1,100,101,\"a,\"\"b\"\"\",10,,,unknown,,"
                            "unknown,incomplete,\n"
                            ",,,10,7,,,,,,,unknown,20,observed,incomplete,\n");
}

TEST_CASE("jobs_json_when_values_are_unknown_then_are_null_and_keys_are_the_columns")
{
    const TemporaryDirectory directory;
    write_ctf(directory.path() / "trace", {{{{queue_event(10, 1), other_event(30)}}}});
    const Result result =
        run_to_file(directory, {"jobs", directory.path() / "trace", "--format", "json"});
    const auto rows = nlohmann::ordered_json::parse(result.out);
    REQUIRE(rows.size() == 1);
    std::string keys;
    for (const auto& [key, value] : rows[0].items()) {
        keys += (keys.empty() ? "" : ",") + key;
    }
    std::string columns = jobs_header;
    columns.pop_back();
    CHECK(keys == columns + ",runnable_ns,observed_ns,interval,fault,clock_error_ns,"
                            "api_call_basis,api_calls,debug_group");
    CHECK(rows[0]["queued_ns"] == 10);
    CHECK(rows[0]["submitted_ns"].is_null());
    CHECK(rows[0]["driver"].is_null());
    CHECK(rows[0]["api_call"].is_null());
    CHECK(rows[0]["completed_basis"] == "unknown");
}

TEST_CASE("report_json_when_trace_is_fine_then_has_the_promised_keys_and_numbers")
{
    const TemporaryDirectory directory;
    const Result result =
        run_to_file(directory, {"report", two_jobs(directory), "--format", "json"});
    CHECK(result.code == 0);
    const json report = json::parse(result.out);
    CHECK(report.at("schema") == "lttng-gpu/report/1");
    CHECK(report.at("window") == json{{"begin_ns", 1000}, {"end_ns", 6000}});
    const json& accounting = report.at("accounting");
    CHECK(accounting.at("events_read") == 7);
    CHECK(accounting.at("events_lost") == 0);
    CHECK(accounting.at("packets_lost") == 0);
    CHECK(accounting.at("jobs_complete") == 2);
    CHECK(accounting.at("jobs_incomplete") ==
          json{{"no_queue", 0}, {"no_submit", 0}, {"no_complete", 0}, {"no_times", 0}});
    CHECK(accounting.at("anomalies").at("duplicate_submit") == 0);
    REQUIRE(report.at("queues").size() == 1);
    const json& queue = report.at("queues")[0];
    CHECK(queue.at("device") == "0000:04:00.0");
    CHECK(queue.at("ring") == "gfx_0.0.0");
    CHECK(queue.at("driver") == "amdgpu");
    CHECK(queue.at("jobs") == 2);
    CHECK(queue.at("host_queue").at("depth_mean") == 0.4);
    CHECK(queue.at("host_queue").at("depth_max") == 2);
    CHECK(queue.at("host_queue").at("depth_hist_ns") == json{{"0", 3900}, {"1", 200}, {"2", 900}});
    CHECK(queue.at("device_queue").at("latency_ns") == json{{"count", 2},
                                                            {"min", 0},
                                                            {"p50", 0},
                                                            {"p90", 900},
                                                            {"p99", 900},
                                                            {"max", 900},
                                                            {"sum", 900},
                                                            {"error_ratio", 0}});
    CHECK(queue.at("execution").at("busy_ns") == 2500);
    CHECK(queue.at("execution").at("busy_ratio") == 0.5);
    CHECK(queue.at("execution").at("latency_ns").at("sum") == 2500);
    CHECK(queue.at("state_ns") ==
          json{{"idle", 1500}, {"host_only", 1000}, {"device_only", 2400}, {"both", 100}});
    const json& process = queue.at("processes").at(0);
    CHECK(process.at("pid") == 100);
    CHECK(process.at("comm") == "app");
    CHECK(process.at("jobs") == 2);
    CHECK(queue.at("host_queue").at("depth_mean_bounds") == json::array({0.4, 0.4}));
    CHECK(queue.at("execution").at("busy_ratio_bounds") == json::array({0.5, 0.5}));
    for (const char* phase : {"host_queue", "device_queue", "execution"}) {
        for (const auto& [key, value] : process.at(phase).items()) {
            CHECK(value == queue.at(phase).at(key));
        }
    }
}

TEST_CASE("report_when_windowed_by_seconds_then_counts_what_was_submitted_inside")
{
    const TemporaryDirectory directory;
    const Result result = run_to_file(directory, {"report", two_jobs(directory), "--format", "json",
                                                  "--begin", "+0.00000105", "--end", "3000"});
    const json report = json::parse(result.out);
    CHECK(report.at("window") == json{{"begin_ns", 2050}, {"end_ns", 3000}});
    CHECK(report.at("queues")[0].at("jobs") == 1);
    CHECK(report.at("queues")[0].at("execution").at("busy_ns") == 950);
}

TEST_CASE("report_text_and_csv_when_trace_is_fine_then_name_the_ring")
{
    const TemporaryDirectory directory;
    const Result text = run_to_file(directory, {"report", two_jobs(directory), "--details"});
    CHECK(text.out.find("0000:04:00.0 gfx_0.0.0 (amdgpu)") != std::string::npos);
    CHECK(text.out.find("start times inferred (FIFO)") != std::string::npos);
    const Result csv = run_to_file(directory, {"report", two_jobs(directory), "--format", "csv"});
    std::istringstream lines{csv.out};
    std::string header;
    std::string queue;
    std::string process;
    std::getline(lines, header);
    std::getline(lines, queue);
    std::getline(lines, process);
    CHECK(queue.starts_with("queue,0000:04:00.0,gfx_0.0.0,amdgpu,,,2,"));
    CHECK(process.starts_with("process,0000:04:00.0,gfx_0.0.0,amdgpu,100,app,2,"));
    const auto cells = [](const std::string& row) {
        return std::count(row.begin(), row.end(), ',');
    };
    CHECK(cells(queue) == cells(header));
    CHECK(cells(process) == cells(header));
}

TEST_CASE("jobs_text_when_trace_is_fine_then_has_a_line_per_job")
{
    const TemporaryDirectory directory;
    const Result result = run_to_file(directory, {"jobs", two_jobs(directory)});
    CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 3);
    CHECK(result.out.find("1.00 µs") != std::string::npos);
}

TEST_CASE("command_when_no_gpu_events_then_says_what_was_looked_for")
{
    const TemporaryDirectory directory;
    write_ctf(directory.path() / "trace", {{{{other_event(1), other_event(2)}}}});
    const std::string trace = directory.path() / "trace";
    const Result jobs = run_to_file(directory, {"jobs", trace, "--format", "csv"});
    CHECK(jobs.code == 1);
    CHECK(jobs.out == jobs_header);
    CHECK(is_one_line(jobs.errors));
    CHECK(jobs.errors.find("amdgpu, i915, xe") != std::string::npos);
    const Result report = run_to_file(directory, {"report", trace, "--format", "json"});
    CHECK(report.code == 1);
    CHECK(json::parse(report.out).at("queues").empty());
}

TEST_CASE("command_when_window_is_outside_then_has_nothing_to_report")
{
    const TemporaryDirectory directory;
    const Result result = run_to_file(directory, {"report", two_jobs(directory), "--begin", "+1"});
    CHECK(result.code == 1);
    CHECK(is_one_line(result.errors));
}

TEST_CASE("command_when_arguments_are_bad_then_exit_code_is_two")
{
    const TemporaryDirectory directory;
    const std::string trace = two_jobs(directory);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{},
          {"explode"},
          {"report"},
          {"report", trace, "--format", "xml"},
          {"jobs", trace, "--begin", "soon"},
          {"jobs", trace, "--begin", "5", "--end", "5"},
          {"jobs", trace, "--begin", "+2", "--end", "+1"},
          {"report", trace, "--unknown"},
          {"report", trace, "-o", directory.path() / "no/such/place"}}) {
        const Result result = run(arguments);
        CHECK(result.code == 2);
        CHECK(is_one_line(result.errors));
    }
}

TEST_CASE("options_when_reader_and_threads_are_given_then_are_passed_on")
{
    const auto parse = [](std::vector<const char*> argv) {
        std::ostringstream help;
        auto parsed = cli::parse_options(static_cast<int>(argv.size()), argv.data(), help);
        REQUIRE(parsed);
        return std::get<cli::Options>(*parsed);
    };
    const cli::Options plain = parse({"lttng-gpu", "report", "trace"});
    CHECK(plain.reader == trace::Reader::Automatic);
    CHECK(plain.threads >= 1);
    CHECK(plain.threads <= 4);
    const cli::Options chosen =
        parse({"lttng-gpu", "jobs", "trace", "--reader", "babeltrace2", "--threads", "7"});
    CHECK(chosen.reader == trace::Reader::Babeltrace2);
    CHECK(chosen.threads == 7);
    CHECK(run({"report", "trace", "--threads", "0"}).code == 2);
    CHECK(run({"report", "trace", "--reader", "other"}).code == 2);
}

TEST_CASE("command_when_trace_is_unreadable_then_exit_code_is_three")
{
    const TemporaryDirectory directory;
    fs::create_directories(directory.path() / "empty");
    fs::create_directories(directory.path() / "broken");
    fs::create_directories(directory.path() / "ctf2");
    std::ofstream{directory.path() / "file"} << "text";
    std::ofstream{directory.path() / "broken/metadata"} << "/* CTF 1.8 */ trace { nonsense";
    std::ofstream{directory.path() / "ctf2/metadata"} << "\x1e{}";
    for (const char* name : {"gone", "empty", "file", "broken", "ctf2"}) {
        const fs::path output = directory.path() / "output";
        const Result result = run({"jobs", directory.path() / name, "-o", output});
        INFO(name);
        CHECK(result.code == 3);
        CHECK(is_one_line(result.errors));
        CHECK_FALSE(fs::exists(output));
    }
}

TEST_CASE("command_when_events_were_lost_then_prints_result_and_exit_code_is_four")
{
    const TemporaryDirectory directory;
    write_ctf(directory.path() / "trace",
              {{{{queue_event(10, 1), run_event(20, 1)}, 0}, {{done_event(50, 1)}, 7}}});
    const Result result =
        run_to_file(directory, {"report", directory.path() / "trace", "--format", "json"});
    CHECK(result.code == 4);
    CHECK(result.errors.find("7 events lost") != std::string::npos);
    const json report = json::parse(result.out);
    CHECK(report.at("accounting").at("events_lost") == 7);
    CHECK(report.at("queues")[0].at("jobs_start_unknown") == 1);
}

TEST_CASE("command_when_packet_is_damaged_then_says_so_in_one_line")
{
    const TemporaryDirectory directory;
    const fs::path trace = directory.path() / "trace";
    write_ctf(trace, {{{{queue_event(10, 1), run_event(20, 1), done_event(30, 1)}},
                       {{queue_event(40, 2)}}}});
    // The second packet's event gets an id that no event class has.
    const fs::path stream = trace / "channel0_0";
    const auto size = fs::file_size(stream);
    write_ctf(directory.path() / "one", {{{{queue_event(40, 2)}}}});
    const auto second = fs::file_size(directory.path() / "one/channel0_0");
    std::fstream file{stream, std::ios::in | std::ios::out | std::ios::binary};
    file.seekp(static_cast<std::streamoff>(size - second + 52));
    file << "\x7f\x7f\x7f\x7f";
    file.close();
    const Result result = run_to_file(directory, {"jobs", trace, "--format", "csv"});
    CHECK(result.code == 4);
    CHECK(is_one_line(result.errors));
    CHECK(result.errors.find("what could be read: " + stream.string() + ": the packet at byte") !=
          std::string::npos);
    CHECK(result.out.find(",10,20,20,inferred,30,observed,complete,") != std::string::npos);
}

TEST_CASE("command_when_events_were_lost_and_file_is_cut_then_says_both")
{
    const TemporaryDirectory directory;
    const fs::path trace = directory.path() / "trace";
    write_ctf(trace, {{{{queue_event(10, 1), run_event(20, 1)}, 0}, {{done_event(50, 1)}, 7}}});
    const fs::path stream = trace / "channel0_0";
    fs::resize_file(stream, fs::file_size(stream) - 1);
    const Result result = run_to_file(directory, {"report", trace});
    CHECK(result.code == 4);
    CHECK(result.errors.find("the file ends inside it") != std::string::npos);
    CHECK(result.errors.find("7 events lost") != std::string::npos);
    CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 2);
}

TEST_CASE("command_when_lines_or_events_are_left_out_then_counts_them")
{
    const TemporaryDirectory directory;
    const fs::path text = directory.path() / "trace.txt";
    std::ofstream file{text};
    file << "# tracer: nop\nno line of a trace\n";
    for (int second = 10; second < 2000; ++second) {
        file << " a-1 [000] d..1. " << second << ".000001: drm_sched_process_job: fence=" << second
             << ", signaled\n";
    }
    file << " a-1 [000] d..1. 10.000001: drm_sched_process_job: fence=10, signaled\n"; // again
    file.close();
    const Result result = run_to_file(directory, {"report", text, "--format", "json"});
    const json anomalies = json::parse(result.out).at("accounting").at("anomalies");
    CHECK(anomalies.at("line_unread") == 1);
    CHECK(anomalies.at("event_out_of_order") == 1);
}

TEST_CASE("command_when_output_is_full_then_says_so")
{
    const TemporaryDirectory directory;
    const Result result = run({"jobs", two_jobs(directory), "-o", "/dev/full"});
    CHECK(result.code == 2);
    CHECK(result.errors == "lttng-gpu: cannot write /dev/full: No space left on device\n");
}

TEST_CASE("command_when_asked_for_help_or_version_then_answers")
{
    CHECK(run({"--version"}).out.starts_with("lttng-gpu "));
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--help"}, {"report", "--help"}, {"jobs", "--help"}}) {
        const Result result = run(arguments);
        CHECK(result.code == 0);
        CHECK(result.out.find("Exit codes") != std::string::npos);
    }
}

TEST_CASE("command_when_an_exception_leaves_it_then_that_is_an_internal_error")
{
    FullBuffer full;
    std::ostream help{&full};
    help.exceptions(std::ios::badbit);
    std::ostringstream errors;
    const std::array<const char*, 2> argv{"lttng-gpu", "--version"};
    CHECK(cli::run_command_line(argv.size(), argv.data(), help, errors) == 5);
    CHECK(errors.str().starts_with("lttng-gpu: internal error: "));
    CHECK(is_one_line(errors.str()));
}

TEST_CASE("time_when_written_as_seconds_then_is_exact_nanoseconds")
{
    using report::parse_time;
    CHECK(parse_time("+1.5")->nanoseconds == 1'500'000'000);
    CHECK(parse_time("+1.5")->is_relative);
    CHECK(parse_time("+0.000000001")->nanoseconds == 1);
    CHECK(parse_time("+.25")->nanoseconds == 250'000'000);
    CHECK(parse_time("+3")->nanoseconds == 3'000'000'000);
    CHECK(parse_time("1700000000123456789")->nanoseconds == 1700000000123456789);
    CHECK_FALSE(parse_time("1700000000123456789")->is_relative);
    for (const char* bad : {"", "+", "+.", "+1.0000000001", "+-1", "1.5", "soon", "+1s", "1e9",
                            "99999999999999999999", "+99999999999"}) {
        INFO(bad);
        CHECK_FALSE(parse_time(bad));
    }
}
