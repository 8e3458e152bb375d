// SPDX-License-Identifier: MIT
//
// Options of record, and the words of its command.
#include "option_groups.hpp"

#include "../correlate/base/apis.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lttng_gpu::cli {
namespace {

std::string counter_interval_error(const std::string& text)
{
    const auto interval = record::parse_duration(text);
    return interval && *interval >= record::least_counter_interval
               ? ""
               : "`" + text + "`: no interval of 1 ms or more (examples: 1ms, 100ms, 1s)";
}

std::string size_error(const std::string& text)
{
    return record::parse_size(text) ? "" : "`" + text + "`: invalid size (examples: 512K, 4M)";
}

std::string names_of_apis()
{
    std::string names;
    for (const Api& api : apis) {
        names += (names.empty() ? "" : ",") + std::string{api.name};
    }
    return names;
}

} // namespace

std::string duration_error(const std::string& text)
{
    return record::parse_duration(text) ? ""
                                        : "`" + text + "`: invalid duration (examples: 500us, 5ms)";
}

void add_record_options(CLI::App& command, record::RecordOptions& options, Texts& texts)
{
    command.add_option("-o,--output", options.folder,
                       "new or empty directory for the trace; default: ./lttng-gpu-DATE-TIME");
    command.add_option("--events", texts.events,
                       "all, kernel or user; additional events: kernel:PATTERN, user:PATTERN, "
                       "syscall:NAME");
    command.add_option("--api", texts.apis,
                       "APIs whose calls are recorded (" + names_of_apis() + "); default: all");
    command
        .add_option("--buffers", texts.buffers,
                    "memory of each channel on each CPU (K, M, G); default: depends on free memory")
        ->check(size_error);
    command.add_flag("--no-loss", options.is_without_loss,
                     "applications wait when a buffer is full instead of losing events");
    command.add_flag("--preload", options.has_preload,
                     "record OpenCL also in programs that do not use a loader (LD_PRELOAD)");
    command.add_flag("--api-times", options.has_api_times,
                     "record when the GPU ran also where that needs timestamps in the program's "
                     "work (OpenGL, Vulkan)");
    command.add_flag("--counters", texts.has_counters,
                     "also read frequencies, load, power and temperatures of GPUs while it runs");
    command
        .add_option("--counter-interval", texts.counter_interval,
                    "read them at this interval, 1ms or more; default 10ms; implies --counters")
        ->check(counter_interval_error);
    command.add_option("--user", options.user,
                       "run the command as this user; default: who called sudo, else as record");
    command.add_flag("--snapshot", options.is_flight_recorder,
                     "flight recorder: keep the last events in memory, write them on request");
    command
        .add_option("--trigger", texts.trigger,
                    "take a snapshot when a job was longer in the host queue (5ms, 500us)")
        ->check(duration_error);
    command
        .add_option("--max-snapshots", options.most_snapshots,
                    "take at most N snapshots; default 10")
        ->check(CLI::Range(1U, 1'000'000U));
    command.add_flag("--snapshot-at-exit", options.has_snapshot_at_exit,
                     "take one more snapshot when the command has ended");
    command.add_flag("--no-report", texts.has_no_report, "do not print a report");
    command.add_option("--format", texts.format, "format of the report: text, json or csv")
        ->check(CLI::IsMember({"text", "json", "csv"}));
    command.add_option("--report", options.report_file,
                       "write the report to FILE (-: standard output)");
    command.add_flag("-v,--verbose", options.is_verbose, "show the commands that record runs");
    command.add_flag("-n,--dry-run", options.is_dry_run,
                     "only print these commands, to standard output");
    command.add_flag("--recover", options.is_recovery,
                     "only clean up after a record that was killed (the next record does it, too)");
}

void add_device_options(CLI::App& command, record::RecordOptions& options, Texts& texts)
{
    command.add_flag("--device-trace", options.device.kernels,
                     "record inside of OpenCL kernels, of all or of KERNEL,... (patterns)");
    command
        .add_option("--device-points", options.device.points,
                    "where in kernels: loops, branches (and loops), functions, all or placed")
        ->check(CLI::IsMember({"loops", "branches", "functions", "all", "placed"}));
    command.add_flag("--device-times", options.device.has_times,
                     "a time of the device's timer with each record (NVIDIA)");
    command
        .add_option("--device-buffer", texts.device_buffer,
                    "memory on the device for each launch (K, M, G); default 16M")
        ->check(size_error);
}

Expected<void> finish_record_options(record::RecordOptions& options, const Texts& texts)
{
    const auto events = record::parse_events(texts.events);
    if (!events) {
        return Failure{events.error()};
    }
    options.events = *events;
    if (texts.apis) {
        const auto chosen = record::parse_apis(*texts.apis);
        if (!chosen) {
            return Failure{chosen.error()};
        }
        options.apis = *chosen;
    }
    options.buffer_bytes = record::parse_size(texts.buffers);
    if (options.device.kernels == "true") {
        options.device.kernels = "*"; // the option without a value
    }
    options.device.buffer_bytes = record::parse_size(texts.device_buffer);
    options.trigger = record::parse_duration(texts.trigger);
    options.counter_interval = record::parse_duration(texts.counter_interval);
    if (texts.has_counters && !options.counter_interval) {
        options.counter_interval = record::default_counter_interval;
    }
    options.is_flight_recorder |= options.trigger.has_value();
    options.has_report = !texts.has_no_report;
    return record::check(options);
}

int split_command(int argc, const char* const* argv, std::vector<std::string>& command)
{
    if (argc < 2 || std::string_view{argv[1]} != "record") {
        return argc;
    }
    const char* const* const end = argv + argc;
    const char* const* const mark =
        std::find_if(argv, end, [](const char* word) { return std::string_view{word} == "--"; });
    if (mark != end) {
        command.assign(mark + 1, end);
    }
    return static_cast<int>(mark - argv);
}

Expected<void> take_command(const CLI::App& record, std::vector<std::string>& command)
{
    const std::vector<std::string> words = record.remaining();
    if (words.empty()) {
        return {};
    }
    if (words.front().starts_with("-")) {
        return Failure{
            {ErrorKind::BadArguments, "record: unknown option " + words.front() + " (see --help)"}};
    }
    if (!command.empty()) {
        return Failure{{ErrorKind::BadArguments,
                        "record: `" + words.front() + "` before -- is no option (see --help)"}};
    }
    command = words;
    return {};
}

} // namespace lttng_gpu::cli
