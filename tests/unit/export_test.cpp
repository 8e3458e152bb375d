// SPDX-License-Identifier: MIT
//
// The device's events of an export, on traces that real drivers seldom give.
#include "command_line.hpp"
#include "ctf_writer.hpp"
#include "trace/open/open_traces.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

using Numbers = std::vector<std::uint64_t>;
constexpr std::int64_t origin = 1'700'000'000'000'000'000; // of the clock of the written trace
constexpr std::uint64_t device_zero = 5'000'000'000'000;   // what the device shows then

int export_ctf(const std::filesystem::path& trace, const std::filesystem::path& output,
               std::string& told)
{
    const Result result = run({"export", "--to", "ctf", trace.string(), "-o", output.string()});
    told = result.errors;
    return result.code;
}

std::size_t count_events(const std::filesystem::path& trace, const std::string& name)
{
    struct Counter final : trace::EventConsumer {
        void on_event(const trace::RawEvent&) override { ++count; }
        void on_loss(const trace::Loss&) override {}
        std::size_t count = 0;
    } counter;
    const auto source = trace::open_traces({trace}, {{name, {}, false}}, {});
    REQUIRE(source);
    while ((*source)->read_some(counter).value_or(false)) {
    }
    return counter.count;
}

class OpenClTrace {
public:
    explicit OpenClTrace(const std::filesystem::path& directory)
        : m_writer{directory, 1, true, origin}
    {
        add(1'000, "lttng_gpu_opencl:device",
            {{"device", std::uint64_t{7}},
             {"parent", std::uint64_t{0}},
             {"name", "GPU"},
             {"timer_resolution", std::uint64_t{1}}});
    }
    void clock(std::int64_t time)
    {
        add(time, "lttng_gpu_opencl:device_clock",
            {{"device", std::uint64_t{7}},
             {"device_time", device_zero + static_cast<std::uint64_t>(time)},
             {"before_ns", static_cast<std::uint64_t>(time)},
             {"after_ns", static_cast<std::uint64_t>(time)}});
    }
    /// Nothing tells of its enqueueing.
    void times(std::int64_t seen, std::uint64_t command, std::int64_t queued)
    {
        const auto shown = [&](std::int64_t after) {
            return Numbers{device_zero + static_cast<std::uint64_t>(queued + after)};
        };
        add(seen, "lttng_gpu_opencl:command_times",
            {{"command", Numbers{command}},
             {"queue", std::uint64_t{70}},
             {"type", Numbers{0x11F0}},
             {"status", std::int64_t{0}},
             {"validity", CtfEnumerator{3, "valid = 3"}},
             {"queued", shown(0)},
             {"submit", shown(10)},
             {"start", shown(20)},
             {"end", shown(30)},
             {"observed_ns", static_cast<std::uint64_t>(seen)}});
    }
    void queue(std::int64_t time)
    {
        add(time, "lttng_gpu_opencl:queue",
            {{"queue", std::uint64_t{70}},
             {"context", std::uint64_t{1}},
             {"device", std::uint64_t{7}},
             {"properties", std::uint64_t{2}},
             {"profiling", CtfEnumerator{1, "off = 0, application = 1"}}});
    }
    /// More than what is read, and put in order, at once.
    void fill(std::int64_t begin)
    {
        for (std::int64_t time = begin; time < begin + 4'500; ++time) {
            clock(time);
        }
    }
    void finish() { m_writer.finish(); }

private:
    void add(std::int64_t time, const char* name, std::vector<CtfField> fields)
    {
        m_writer.add(0, {static_cast<std::uint64_t>(time), name, std::move(fields)});
    }

    CtfWriter m_writer;
};

} // namespace

TEST_CASE("export_when_a_device_time_is_before_the_clocks_zero_then_only_that_is_left_out")
{
    const TemporaryDirectory directory;
    {
        OpenClTrace trace{directory.path() / "trace"};
        trace.queue(2'000);
        trace.clock(10'000);
        trace.times(20'000, 1, -1'000'000);
        trace.times(30'000, 2, 25'000);
        trace.clock(1'000'000'000);
        trace.finish();
    }
    std::string told;
    const auto output = directory.path() / "out";
    CHECK(export_ctf(directory.path() / "trace", output, told) == 4);
    CHECK(told.find("4 device events are left out") != std::string::npos);
    CHECK(count_events(output, "lttng_gpu_device:command_end") == 1);
}

TEST_CASE("export_when_device_times_go_back_without_end_then_files_are_not_without_number")
{
    constexpr std::uint64_t commands = 70;
    const TemporaryDirectory directory;
    {
        OpenClTrace trace{directory.path() / "trace"};
        trace.queue(2'000);
        trace.clock(10'000);
        for (std::uint64_t number = 1; number <= commands; ++number) {
            const auto at = static_cast<std::int64_t>(number);
            // One is of now, for the rows to go on, the next one of long ago.
            trace.times(10'000'000'000 + at * 100'000'000, 2 * number,
                        10'000'000'000 + at * 100'000'000 - 1'000);
            trace.clock(10'050'000'000 + at * 100'000'000);
            trace.times(10'060'000'000 + at * 100'000'000, 2 * number + 1,
                        1'000'000'000 - at * 1'000'000);
            trace.fill(10'070'000'000 + at * 100'000'000);
        }
        trace.finish();
    }
    std::string told;
    const auto output = directory.path() / "out";
    CHECK(export_ctf(directory.path() / "trace", output, told) == 4);
    CHECK(told.find("device events are left out") != std::string::npos);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator{output}) {
        files += entry.path().filename().string().starts_with("device") ? 1 : 0;
    }
    CHECK(files == 64);
    CHECK(count_events(output, "lttng_gpu_device:command_end") < 2 * commands);
}

TEST_CASE("export_when_a_job_is_preempted_then_that_is_not_a_completion")
{
    const TemporaryDirectory directory;
    {
        CtfWriter writer{directory.path() / "trace", 1, true, origin};
        const auto add = [&](std::uint64_t time, const char* name, std::uint64_t context,
                             std::vector<CtfField> more = {}) {
            std::vector<CtfField> fields{{"dev", std::uint64_t{0}},
                                         {"ctx", context},
                                         {"class", std::uint64_t{0}},
                                         {"instance", std::uint64_t{0}},
                                         {"seqno", std::uint64_t{1}}};
            fields.insert(fields.end(), more.begin(), more.end());
            writer.add(0, {time, name, fields});
        };
        const std::vector<CtfField> in{{"prio", std::uint64_t{0}}, {"port", std::uint64_t{0}}};
        const auto ended = [](std::uint64_t completed) {
            return std::vector<CtfField>{{"completed", completed}};
        };
        add(1'000, "i915_request_add", 30);
        add(2'000, "i915_request_in", 30, in);
        add(10'000, "i915_request_add", 31);
        add(12'000, "i915_request_out", 30, ended(0));
        add(13'000, "i915_request_in", 31, in);
        add(20'000, "i915_request_out", 31, ended(1));
        add(21'000, "i915_request_in", 30, in);
        add(30'000, "i915_request_out", 30, ended(1));
        writer.finish();
    }
    std::string told;
    const auto output = directory.path() / "out";
    CHECK(export_ctf(directory.path() / "trace", output, told) == 0);
    CHECK(count_events(output, "lttng_gpu_device:job_preempted") == 1);
    CHECK(count_events(output, "lttng_gpu_device:job_completed") == 2);
    CHECK(count_events(output, "lttng_gpu_device:job_started") == 3);
}
