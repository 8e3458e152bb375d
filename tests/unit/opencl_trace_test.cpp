// SPDX-License-Identifier: MIT
//
// OpenCL commands of traces in files.
#include "command_line.hpp"
#include "ctf_writer.hpp"
#include "opencl_program.hpp"
#include "trace/open/open_traces.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using nlohmann::json;

namespace {

constexpr std::int64_t origin = 1'700'000'000'000'000'000; // of the clock of the written trace

/// A process that enqueues one command a millisecond; the device clock is 2 s behind
/// and 100 ppm slow. Gives what `queued` was in truth.
std::vector<std::int64_t> write_commands(const std::filesystem::path& directory, std::size_t count,
                                         const CtfEnumerator& validity = {3, "valid = 3"})
{
    CtfWriter writer{directory, 1, true, origin};
    const auto on_device = [](std::int64_t time) {
        return Numbers{2'000'000'000 + static_cast<std::uint64_t>(time - time / 10'000)};
    };
    const auto add = [&](std::int64_t time, const char* name, std::vector<CtfField> fields) {
        writer.add(0, {static_cast<std::uint64_t>(time), name, std::move(fields), 100, 101, "app"});
    };
    add(1, "lttng_gpu_opencl:device",
        {{"device", std::uint64_t{7}},
         {"parent", std::uint64_t{0}},
         {"name", "GPU"},
         {"timer_resolution", std::uint64_t{1}}});
    add(2, "lttng_gpu_opencl:queue",
        {{"queue", std::uint64_t{70}},
         {"context", std::uint64_t{1}},
         {"device", std::uint64_t{7}},
         {"properties", std::uint64_t{2}},
         {"profiling", CtfEnumerator{1, "off = 0, application = 1"}}});
    std::vector<std::int64_t> truth;
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = static_cast<std::int64_t>(i + 1) * 1'000'000;
        const auto slack = static_cast<std::int64_t>((i * 37) % 50) * 1'000 + 100;
        truth.push_back(begin + slack);
        add(begin + 100'000, "lttng_gpu_opencl:kernel_enqueue",
            {{"command", std::uint64_t{i + 1}},
             {"queue", std::uint64_t{70}},
             {"begin_ns", static_cast<std::uint64_t>(begin)},
             {"type", ndrange},
             {"function", CtfEnumerator{259, "clEnqueueNDRangeKernel = 259"}},
             {"blocking", std::uint64_t{0}},
             {"waits_for", i == 0 ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{i}},
             {"name", "sum"}});
        add(begin + 600'000, "lttng_gpu_opencl:command_times",
            {{"command", Numbers{i + 1}},
             {"queue", std::uint64_t{70}},
             {"type", Numbers{ndrange}},
             {"status", std::int64_t{0}},
             {"validity", validity},
             {"queued", on_device(truth.back())},
             {"submit", on_device(truth.back() + 10'000)},
             {"start", on_device(truth.back() + 20'000)},
             {"end", on_device(truth.back() + 30'000)},
             {"observed_ns", static_cast<std::uint64_t>(truth.back() + 30'000 + slack)}});
    }
    return truth;
}

json run_json(std::vector<std::string> arguments, const std::filesystem::path& file)
{
    arguments.insert(arguments.end(), {"--format", "json", "-o", file.string()});
    const Result result = test::run(std::move(arguments));
    CHECK(result.code == 0);
    CHECK(result.errors.empty());
    std::ifstream stream{file};
    return json::parse(stream);
}

std::string run_text(const std::filesystem::path& trace, const std::filesystem::path& file)
{
    CHECK(test::run({"report", "--details", trace.string(), "-o", file.string()}).code == 0);
    std::ifstream stream{file};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

} // namespace

TEST_CASE("opencl_trace_when_read_from_files_then_the_first_time_is_as_exact_as_the_last")
{
    const TemporaryDirectory directory;
    const auto trace = directory.path() / "trace";
    const auto truth = write_commands(trace, 200);
    for (const std::string reader : {"automatic", "babeltrace2"}) {
        const json jobs =
            run_json({"jobs", "--reader", reader, trace.string()}, directory.path() / "jobs");
        REQUIRE(jobs.size() == truth.size());
        for (std::size_t i = 0; i < truth.size(); ++i) {
            const std::int64_t error = jobs[i]["clock_error_ns"];
            const std::int64_t queued = jobs[i]["queued_ns"];
            CHECK(std::abs(queued - origin - truth[i]) <= error);
            CHECK(error < 1'000); // one command alone leaves some ten thousand
            CHECK(jobs[i]["api_call"] == "clEnqueueNDRangeKernel(sum)");
        }
    }
    const json report = run_json({"report", trace.string()}, directory.path() / "report");
    REQUIRE(report["device_clocks"].size() == 1);
    const json& clock = report["device_clocks"][0];
    CHECK(clock["device"] == "GPU");
    CHECK(clock["pid"] == 100);
    CHECK(clock["commands_mapped"] == 200);
    CHECK(clock["bounds"] == 400);
    CHECK(std::abs(clock["drift_ppm"].get<double>() - 100) < clock["drift_error_ppm"]);
    CHECK(clock["drift_error_ppm"] < 2);
    CHECK(clock["error_max_ns"] < 1'000);
    CHECK(clock["matching"]["basis"] == "causality");
    CHECK(clock["matching"]["commands_aligned"] == 0);
    CHECK(clock["matching"]["error_max_ns"].is_null());
    CHECK(report["queues"][0]["dependencies"][0]["count"] == 199);
}

TEST_CASE("opencl_trace_when_few_bounds_leave_any_drift_then_states_none")
{
    const TemporaryDirectory directory;
    const auto trace = directory.path() / "trace";
    write_commands(trace, 2);
    const json report = run_json({"report", trace.string()}, directory.path() / "report");
    CHECK(report["device_clocks"][0]["commands_mapped"] == 2);
    CHECK(report["device_clocks"][0]["drift_ppm"].is_null());
    CHECK(report["device_clocks"][0]["drift_error_ppm"].is_null());
    CHECK(run_text(trace, directory.path() / "text").find("drift not known") != std::string::npos);
}

TEST_CASE("opencl_trace_when_no_command_has_times_then_the_load_is_unknown_and_not_idle")
{
    const TemporaryDirectory directory;
    const auto trace = directory.path() / "trace";
    write_commands(trace, 3, {4, "unavailable = 4"});
    const json report = run_json({"report", trace.string()}, directory.path() / "report");
    const json& accounting = report["accounting"];
    CHECK(accounting["jobs_incomplete"]["no_queue"] == 0); // the calls were seen
    CHECK(accounting["jobs_incomplete"]["no_times"] == 3);
    CHECK(accounting["anomalies"]["command_times_unavailable"] == 3);
    CHECK(report["device_clocks"][0]["invalid"]["unavailable"] == 3); // both readings met them
    const json& queue = report["queues"][0];
    CHECK(queue["jobs_without_times"] == 3);
    CHECK(queue["execution"]["busy_ns"].is_null());
    CHECK(queue["execution"]["busy_ratio"].is_null());
    CHECK(queue["host_queue"]["depth_mean"].is_null());
    CHECK(queue["state_ns"]["idle"].is_null());
    const std::string text = run_text(trace, directory.path() / "text");
    CHECK(text.find("3 jobs · busy unknown") != std::string::npos);
    CHECK(text.find("GPU idle while jobs waited unknown") != std::string::npos);
    CHECK(text.find("no queue event") == std::string::npos);
}

TEST_CASE("lists_of_numbers_when_read_then_are_the_same_with_both_readers")
{
    const TemporaryDirectory directory;
    const std::vector<std::uint64_t> numbers{1, 0, ~std::uint64_t{0}, 42};
    {
        CtfWriter writer{directory.path() / "trace", 1};
        writer.add(0, {1'000,
                       "listed",
                       {{"before", std::uint64_t{5}},
                        {"empty", std::vector<std::uint64_t>{}},
                        {"numbers", numbers},
                        {"after", "text"}}});
    }
    for (const auto reader : {trace::Reader::Automatic, trace::Reader::Babeltrace2}) {
        trace::ReadOptions options;
        options.reader = reader;
        const auto source = trace::open_traces(
            {directory.path() / "trace"},
            {{"listed", {"after", "numbers", "empty", "before"}, false}}, options);
        REQUIRE(source);
        struct Consumer final : trace::EventConsumer {
            void on_event(const trace::RawEvent& event) override
            {
                ++count;
                CHECK(event.fields[0].as_text() == "text");
                CHECK(event.fields[3].as_unsigned() == 5);
                CHECK(event.fields[2].kind() == trace::FieldValue::Kind::Numbers);
                CHECK(event.fields[2].as_numbers().size() == 0);
                const trace::NumberList list = event.fields[1].as_numbers();
                for (std::size_t index = 0; index < list.size(); ++index) {
                    numbers.push_back(list[index]);
                }
            }
            void on_loss(const trace::Loss&) override {}
            int count = 0;
            std::vector<std::uint64_t> numbers;
        } consumer;
        while ((*source)->read_some(consumer).value_or(false)) {
        }
        CHECK(consumer.count == 1);
        CHECK(consumer.numbers == numbers);
    }
}
