// SPDX-License-Identifier: MIT
//
// What is advised to record fits what recorded the trace, and the rights of who reads it.
#include "command_line.hpp"
#include "perfetto_writer.hpp"

#include "coverage/recording_advice.hpp"
#include "trace/open/recognise.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using trace::Recorder;

namespace {

constexpr std::array recorders{Recorder::Lttng, Recorder::TraceCmd, Recorder::Perfetto,
                               Recorder::Text};

bool has(std::string_view text, std::string_view words)
{
    return text.find(words) != std::string_view::npos;
}

} // namespace

TEST_CASE("advice_when_recorder_is_not_lttng_then_names_nothing_of_lttng")
{
    for (const Recorder recorder : recorders) {
        const std::string all = std::string{model::scheduler_advice(recorder)} + "; " +
                                std::string{model::buffer_advice(recorder)} + "; " +
                                model::job_advice(recorder, false);
        CAPTURE(all);
        const bool is_lttng = recorder == Recorder::Lttng;
        CHECK(has(all, "enable-event") == is_lttng);
        CHECK(has(all, "--events") == is_lttng);
        CHECK(has(all, "--buffers") == is_lttng);
        CHECK(has(all, "trace-cmd record") == (recorder == Recorder::TraceCmd));
        CHECK(has(all, "ftrace_events") == (recorder == Recorder::Perfetto));
        CHECK(has(all, "sched_switch"));
        CHECK(has(all, "sched_waking"));
    }
}

TEST_CASE("advice_when_reader_is_root_then_says_nothing_of_rights")
{
    for (const Recorder recorder : recorders) {
        CHECK_FALSE(has(model::job_advice(recorder, true), "as root"));
    }
    CHECK(has(model::job_advice(Recorder::Lttng, false), "as root"));
    CHECK(has(model::job_advice(Recorder::TraceCmd, false), "as root"));
}

TEST_CASE("recorder_when_input_is_a_file_then_is_told_by_its_form")
{
    const auto folder = std::filesystem::temp_directory_path();
    // One file at a time: all have one name.
    const auto recorder_of = [&folder](std::string_view content) {
        const TemporaryFile file{content};
        const std::vector<std::filesystem::path> inputs{folder, file.path()};
        return trace::recorder_of(inputs);
    };
    CHECK(recorder_of(perfetto_bytes(bundle(0, done(5, 1)))) == Recorder::Perfetto);
    CHECK(recorder_of({"\x17\x08\x44tracing6\0\0\0", 14}) == Recorder::TraceCmd);
    CHECK(recorder_of("# tracer: nop\n") == Recorder::Text);
    CHECK(recorder_of("") == Recorder::Text);
    CHECK(trace::recorder_of({folder}) == Recorder::Lttng);
    CHECK(trace::recorder_of({"net://localhost/host/a/b"}) == Recorder::Lttng);
}

TEST_CASE("advice_when_perfetto_trace_has_no_jobs_then_names_its_config")
{
    const TemporaryFile file{perfetto_bytes(
        "packet { ftrace_events { cpu: 0 event { timestamp: 5 pid: 1 sched_switch { prev_comm: 'a' "
        "prev_pid: 1 next_comm: 'b' next_pid: 2 } } } }")};
    const std::string rows = file.path().string() + ".csv";
    const auto made = run({"jobs", file.path().string(), "-o", rows});
    std::filesystem::remove(rows);
    CHECK(made.code == 1);
    CHECK(has(made.errors, "ftrace_events: \"SYSTEM/*\""));
    CHECK_FALSE(has(made.errors, "enable-event"));
}
