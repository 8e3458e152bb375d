// SPDX-License-Identifier: MIT
//
// See options.hpp. The only file that includes CLI11, which is slow to compile.
#include "options.hpp"

#include "../correlate/base/apis.hpp"
#include "../correlate/report/time_option.hpp"
#include "../doctor/api_needs.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#ifndef LTTNG_GPU_VERSION
#define LTTNG_GPU_VERSION "unknown"
#endif

namespace lttng_gpu::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 fine, 1 nothing to report, 2 bad arguments or output not writable,\n"
    "3 unreadable trace, 4 trace read but damaged or lossy (details on stderr),\n"
    "5 internal error or out of memory.";

constexpr const char* report_columns =
    "CSV has one row per ring (scope queue), one per process on a ring (scope process) and\n"
    "one per clock of a device (scope clock):\n"
    "scope, device, ring, driver, pid, comm, jobs, depth_mean, depth_max and latency\n"
    "(count, min, p50, p90, p99, max, sum in ns) of host_queue and device_queue, busy_ns,\n"
    "busy_ratio, latency of execution, idle/host_only/device_only/both_ns,\n"
    "jobs_start_unknown, fifo_violations, jobs_completion_inferred, preemptions, faults,\n"
    "blocked_ns, latency of waits, latency_error_ratio, clock_*. Percentiles are nearest-rank.\n";

constexpr const char* jobs_columns =
    "One row per job, sorted by queueing time. An empty CSV cell or JSON null is unknown.\n"
    "The basis of a time is observed, inferred (FIFO rule) or unknown.\n";

constexpr const char* frames_notes =
    "A frame of a surface is from the return of the call that ended the one before it (a swap, a\n"
    "present) to the return of the call that ends it. It is late when that took more than 1.5\n"
    "times the median of the up to 32 frames before it. Text has a summary of each surface and\n"
    "the latest frames; CSV and JSON have one row per frame, in order of their ends. An empty\n"
    "CSV cell or JSON null is unknown.\n";

constexpr const char* doctor_exit_codes =
    "Exit codes: 0 kernel GPU events can be recorded here, 1 something is missing for that,\n"
    "2 bad arguments or output not writable, 5 internal error or out of memory.";

constexpr const char* diagnose_notes =
    "Shows why the jobs with the longest latency were late. The time from queued to completed is\n"
    "cut into parts, each with one reason; the parts add up to the latency. Parts marked `before`\n"
    "lie before the job was queued, while its process had nothing on the device. What a job "
    "waited\n"
    "for is followed to its root, indented. Then: time by reason over all jobs. States of threads\n"
    "(preempted, blocked, CPU bound) need sched_switch, and sched_waking for what follows a "
    "sleep.\n"
    "JSON has schema lttng-gpu/diagnosis/1; CSV has one row per part of each job that is shown.\n"
    "With --frame: why frames took so long, from the frame before to the end of the last job; "
    "what\n"
    "their thread did, the jobs it waited for, and what late frames have more of than others.\n";

constexpr const char* export_notes =
    "ctf: DIR becomes one CTF 1.8 trace with all events of the inputs, unchanged. It adds\n"
    "events of the device, at their times on the trace's clock: of OpenCL commands\n"
    "(lttng_gpu_device:command_*) and of kernel drivers' jobs (lttng_gpu_device:job_*).\n"
    "Inputs from another boot, host or process become separate traces below DIR.\n"
    "csv, json: the same as jobs --format; -o is a file.\n"
    "sqlite: a database of jobs, their intervals, rings, processes, API calls, waits and of\n"
    "what is missing, with views. perfetto, chrome: a timeline for ui.perfetto.dev or\n"
    "about:tracing. parquet: the rows of jobs, for DuckDB and Python, where lttng-gpu was built\n"
    "with libparquet. Such a file has its name only when it is complete.\n";

constexpr const char* merge_notes =
    "Combines traces of several runs of one program into one CTF 1.8 trace, for data that\n"
    "cannot be recorded in one run. The times of each later run are shifted so that its\n"
    "first OpenCL command (or call), or the first EVENT, is at the time of the first\n"
    "run's. The field run in the context of each packet is the number of the run. Stderr\n"
    "shows how similar the runs are; if they differ too much: a warning and exit code 4.\n";

constexpr const char* device_notes =
    "Of each kernel that was recorded inside and each location of its source: how often warps (or\n"
    "work-items, where the device has no warps that are known) came there, how many of a warp's\n"
    "lanes were active, and the share of warps' time (--device-times). Of each launch, by the\n"
    "device's timer: how long it ran, warps at once, multiprocessors, the most busy one against "
    "the\n"
    "mean (imbalance), and the time from the first idle multiprocessor to the end (tail). What "
    "was\n"
    "left alone is told with its reason. JSON has schema lttng-gpu/device/1.\n";

constexpr const char* view_notes =
    "Serves the page of report --html for traces of any size on this machine only: parts are\n"
    "sent when they are looked at. The address has a secret, which nobody else has. Ctrl-C ends\n"
    "it.\n";

constexpr unsigned most_threads = 64;
constexpr unsigned most_default_threads = 4; // more do not help

constexpr const char* record_notes =
    "lttng-gpu record [OPTIONS] [--] COMMAND...\n"
    "The command begins after --, or with the first word that is no option. It runs on this\n"
    "terminal while kernel and user space are recorded. The report goes to standard error,\n"
    "because standard output belongs to the command. Ctrl-C goes to it; the recording ends\n"
    "when the command ends. With\n"
    "--snapshot, kill -USR1 of record takes a snapshot. Afterwards record stops what it started\n"
    "and unloads what it loaded. Without root or probes only user space is recorded.\n"
    "Programs of an API are recorded by its layer, which needs its provider beside it and\n"
    "LTTng-UST; the API's loader and a driver are the system's. Other programs of the same user\n"
    "that run with such a layer meanwhile are recorded, too.\n"
    "Exit codes: the command's own, 128 + N when signal N ended it; 2 bad arguments,\n"
    "125 not (completely) recorded, 126 command not executable, 127 command not found.";

struct Texts {
    std::string events = "all";
    std::optional<std::string> apis;
    std::string buffers;
    std::string device_buffer;
    std::string trigger;
    bool has_counters = false;
    std::string counter_interval;
    bool has_no_report = false;
    std::string format = "text";
    std::string reader = "automatic";
    std::string begin;
    std::string end;
    std::string to;
    std::string job;
    std::string over;
    std::string frame;
    std::string colour = "auto";
};

std::string time_error(const std::string& text)
{
    return report::parse_time(text)
               ? ""
               : "`" + text + "`: invalid time (examples: 1718000000000000000, +2.5)";
}

void add_trace_argument(CLI::App& command, Options& options)
{
    command
        .add_option("TRACE", options.traces,
                    "directories with CTF traces, files of ftrace or Perfetto, or "
                    "net://HOST/host/TARGET/SESSION")
        ->required();
}

/// What all commands have that look at the jobs of traces.
void add_reading_options(CLI::App& command, Options& options, Texts& texts)
{
    command.add_option("--begin", texts.begin, "absolute ns, or +seconds after the first event")
        ->check(time_error);
    command.add_option("--end", texts.end, "absolute ns, or +seconds after the first event")
        ->check(time_error);
    command.add_option("--reader", texts.reader, "automatic or babeltrace2")
        ->check(CLI::IsMember({"automatic", "babeltrace2"}));
    command
        .add_option("--threads", options.threads,
                    "number of threads; default: one per CPU, at most 4")
        ->check(CLI::Range(1U, most_threads));
    command.add_flag("--read-once", options.reads_once,
                     "do not read incomplete captures a second time (for very long captures)");
}

void add_options(CLI::App& command, Options& options, Texts& texts)
{
    add_trace_argument(command, options);
    command.add_option("--format", texts.format, "text, json or csv")
        ->check(CLI::IsMember({"text", "json", "csv"}));
    add_reading_options(command, options, texts);
    command.add_option("-o,--output", options.output, "write to FILE instead of standard output");
}

void add_reason_options(CLI::App& command, Options& options, const char* meaning)
{
    auto* without = command.add_flag_callback(
        "--no-reasons", [&options] { options.has_reasons = false; },
        "do not look for the reasons why jobs are late");
    command
        .add_flag_callback(
            "--reasons", [&options] { options.has_reasons = true; }, meaning)
        ->excludes(without);
}

void add_report_options(CLI::App& command, Options& options, Texts& texts)
{
    add_options(command, options, texts);
    command.add_option("--html", options.html,
                       "write a page for the browser to FILE, which needs nothing else");
    add_reason_options(
        command, options,
        "look for reasons in every trace, also for JSON; default: text, up to 200000 jobs");
}

void add_view_options(CLI::App& command, Options& options, Texts& texts)
{
    add_trace_argument(command, options);
    add_reading_options(command, options, texts);
    command.add_option("--port", options.port, "serve on this port; default: any that is free");
    command.add_flag_callback(
        "--no-browser", [&options] { options.opens_browser = false; },
        "only print the page's address");
    add_reason_options(
        command, options,
        "each job's panel has its diagnosis in every trace; default: up to 200000 jobs");
}

std::string duration_error(const std::string& text)
{
    return record::parse_duration(text) ? ""
                                        : "`" + text + "`: invalid duration (examples: 500us, 5ms)";
}

std::string counter_interval_error(const std::string& text)
{
    const auto interval = record::parse_duration(text);
    return interval && *interval >= record::least_counter_interval
               ? ""
               : "`" + text + "`: no interval of 1 ms or more (examples: 1ms, 100ms, 1s)";
}

std::string job_error(const std::string& text)
{
    return diagnose::parse_job_name(text)
               ? ""
               : "`" + text + "`: no job (examples: 0000:04:00.0/gfx_0.0.0:17, 9:17)";
}

std::string frame_error(const std::string& text)
{
    return diagnose::parse_frame_name(text)
               ? ""
               : "`" + text + "`: no frame (examples: 17, 0x55d0c3a0:17, late)";
}

void add_diagnose_options(CLI::App& command, Options& options, Texts& texts)
{
    command.add_option("--worst", options.diagnosed.worst, "show the N worst jobs; default 5")
        ->check(CLI::Range(0U, 1'000'000U));
    command.add_option("--job", texts.job, "show this job: DEVICE/RING:SEQNO or CONTEXT:SEQNO")
        ->check(job_error);
    command
        .add_option(
            "--frame", texts.frame,
            "instead of jobs, show this frame: N or SURFACE:N; or the worst late ones: late")
        ->check(frame_error);
    command.add_option("--over", texts.over, "show all jobs of at least this latency (5ms, 500us)")
        ->check(duration_error);
}

Expected<void> finish_diagnose_options(Options& options, const Texts& texts)
{
    if (std::any_of(options.traces.begin(), options.traces.end(), trace::is_live)) {
        return Failure{{ErrorKind::BadArguments,
                        "diagnose reads what was recorded, not a session that is being recorded"}};
    }
    if (!texts.frame.empty()) {
        if (!texts.job.empty() || !texts.over.empty()) {
            return Failure{{ErrorKind::BadArguments, "--frame excludes --job and --over"}};
        }
        options.diagnosed_frames = *diagnose::parse_frame_name(texts.frame);
    }
    if (!texts.job.empty()) {
        options.diagnosed.job = diagnose::parse_job_name(texts.job);
    }
    if (const auto over = record::parse_duration(texts.over)) {
        options.diagnosed.over = *over;
    }
    return {};
}

void add_ascii_option(CLI::App& command, Options& options)
{
    command.add_flag("--ascii", options.is_ascii,
                     "only ASCII; default where the locale has no UTF-8");
}

void add_text_options(CLI::App& command, Options& options, Texts& texts)
{
    command.add_flag("--details", options.text.has_details,
                     "everything about each ring after the first screen");
    command
        .add_option("--ring", options.text.rings,
                    "details of this ring only: a name or a pattern (repeatable)")
        ->expected(1);
    command.add_option("--top", options.text.top, "rows of each table")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100'000}));
    command.add_option("--color,--colour", texts.colour, "auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}));
    add_ascii_option(command, options);
}

void add_frames_options(CLI::App& command, report::FrameChoice& choice)
{
    command.add_flag("--late", choice.is_late_only, "only frames that were late");
    command
        .add_option("--top", choice.most,
                    "only the N latest frames, the latest first; default of text: 10")
        ->check(CLI::Range(1U, 1'000'000U));
}

void add_doctor_options(CLI::App& command, Options& options, Texts& texts)
{
    command.add_option("--format", texts.format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
    command
        .add_option("--root", options.root, "check the system whose files are below this directory")
        ->check(CLI::ExistingDirectory);
    command.add_option("-o,--output", options.output, "write to FILE instead of standard output");
}

void add_device_command(CLI::App& command, Options& options, Texts& texts)
{
    add_trace_argument(command, options);
    command.add_option("--format", texts.format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
    command.add_option("-o,--output", options.output, "write to FILE instead of standard output");
}

void add_export_options(CLI::App& command, Options& options, Texts& texts)
{
    command
        .add_option("TRACE", options.traces,
                    "directories with CTF traces; but for ctf also files of ftrace or Perfetto")
        ->required();
    command.add_option("--to", texts.to, "ctf, csv, json, sqlite, perfetto, chrome or parquet")
        ->required()
        ->check(CLI::IsMember({"ctf", "csv", "json", "sqlite", "perfetto", "chrome", "parquet"}));
    add_reading_options(command, options, texts);
    command.add_option("-o,--output", options.output, "new directory (ctf) or file to write");
}

void add_merge_options(CLI::App& command, Options& options)
{
    command.add_option("RUN", options.traces, "directory with the traces of one run")
        ->required()
        ->expected(2, -1);
    command.add_option("--align", options.align, "align the runs at the first event of this name");
    command.add_option("-o,--output", options.output, "new directory to write")->required();
}

std::optional<exporting::JobFormat> job_format_named(std::string_view name)
{
    using exporting::JobFormat;
    if (name == "sqlite") {
        return JobFormat::Sqlite;
    }
    if (name == "perfetto") {
        return JobFormat::Perfetto;
    }
    if (name == "parquet") {
        return JobFormat::Parquet;
    }
    return name == "chrome" ? std::optional{JobFormat::Chrome} : std::nullopt;
}

/// CSV and JSON are the rows of jobs.
Expected<void> finish_export_options(Options& options, const Texts& texts)
{
    options.job_format = job_format_named(texts.to);
    if (const auto rows = report::format_named(texts.to)) {
        options.command = Command::Jobs;
        options.format = *rows;
        options.is_whole_file = !options.output.empty();
    } else if (options.job_format) {
        if (std::any_of(options.traces.begin(), options.traces.end(), trace::is_live)) {
            return Failure{{ErrorKind::BadArguments,
                            "a session that is being recorded has no "
                            "end: export it to csv or json, or its trace later"}};
        }
    } else if (options.output.empty()) {
        return Failure{{ErrorKind::BadArguments,
                        "a CTF trace is a directory: name a new one with -o (see --help)"}};
    } else if (!texts.begin.empty() || !texts.end.empty() || texts.reader != "automatic") {
        return Failure{{ErrorKind::BadArguments,
                        "--to ctf has all events: no --begin, --end or --reader (see --help)"}};
    }
    return {};
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

void add_record_options(CLI::App& command, record::RecordOptions& options, Texts& texts)
{
    command.add_option("-o,--output", options.folder,
                       "new or empty directory for the trace; default: ./lttng-gpu-DATE-TIME");
    command.add_option("--events", texts.events,
                       "all, kernel or user; additional events: kernel:PATTERN, user:PATTERN");
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

/// Removes what follows "--" after `record`: these are not options of lttng-gpu.
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

/// Without "--" the command begins with the first word that is no option.
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

} // namespace

Expected<std::variant<Options, HelpPrinted>> parse_options(int argc, const char* const* argv,
                                                           std::ostream& help)
{
    Options options;
    // Only the CPUs that this process may use count.
    options.threads = std::clamp(std::thread::hardware_concurrency(), 1U, most_default_threads);
    Texts texts;
    CLI::App app{"Where GPU jobs spend their time: host queue, device queue, execution.",
                 "lttng-gpu"};
    app.set_version_flag("--version", "lttng-gpu " LTTNG_GPU_VERSION);
    app.require_subcommand(1);
    app.footer(exit_codes);
    CLI::App* report = app.add_subcommand("report", "occupancy and latency of each ring");
    CLI::App* jobs = app.add_subcommand("jobs", "one row per job with all its times");
    CLI::App* diagnosis = app.add_subcommand("diagnose", "why the worst jobs were late");
    CLI::App* frames = app.add_subcommand("frames", "frames, those that were late, and why");
    CLI::App* record = app.add_subcommand("record", "run a command and record its GPU jobs");
    CLI::App* doctor = app.add_subcommand(
        "doctor", "what can be recorded on this machine, and how to fix what is missing");
    CLI::App* to = app.add_subcommand(
        "export", "convert a trace: CTF, csv, json, sqlite, perfetto, chrome, parquet");
    CLI::App* merge = app.add_subcommand("merge", "merge several runs of a program into one trace");
    CLI::App* device =
        app.add_subcommand("device", "what happened inside of kernels (record --device-trace)");
    CLI::App* view = app.add_subcommand("view", "show a trace in the browser");
    to->footer(std::string{export_notes} +
               (exporting::why_no_parquet() ? "Parquet: this lttng-gpu was built without "
                                              "libparquet (Debian sid: libparquet-dev).\n"
                                            : "") +
               exit_codes);
    merge->footer(std::string{merge_notes} + exit_codes);
    add_export_options(*to, options, texts);
    add_merge_options(*merge, options);
    report->footer(std::string{report_columns} + exit_codes);
    jobs->footer(std::string{jobs_columns} + exit_codes);
    frames->footer(std::string{frames_notes} + exit_codes);
    doctor->footer(doctor_exit_codes);
    add_report_options(*report, options, texts);
    add_text_options(*report, options, texts);
    view->footer(std::string{view_notes} + exit_codes);
    add_view_options(*view, options, texts);
    add_options(*jobs, options, texts);
    diagnosis->footer(std::string{diagnose_notes} + exit_codes);
    add_options(*diagnosis, options, texts);
    add_diagnose_options(*diagnosis, options, texts);
    add_ascii_option(*diagnosis, options);
    add_options(*frames, options, texts);
    add_frames_options(*frames, options.frames);
    add_ascii_option(*frames, options);
    add_ascii_option(*jobs, options);
    add_doctor_options(*doctor, options, texts);
    record->footer(std::string{}); // else that of the program comes after it
    record->footer([] {
        return std::string{record_notes} + "\n\nOn this machine:\n" + doctor::api_lines_here();
    });
    add_record_options(*record, options.record, texts);
    add_device_options(*record, options.record, texts);
    device->footer(std::string{device_notes} + exit_codes);
    add_device_command(*device, options, texts);
    record->prefix_command();
    argc = split_command(argc, argv, options.record.command);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& answered) {
        app.exit(answered, help, help);
        return HelpPrinted{};
    } catch (const CLI::ParseError& error) {
        return Failure{{ErrorKind::BadArguments, std::string{error.what()} + " (see --help)"}};
    }
    options.command = doctor->parsed()      ? Command::Doctor
                      : jobs->parsed()      ? Command::Jobs
                      : frames->parsed()    ? Command::Frames
                      : diagnosis->parsed() ? Command::Diagnose
                      : to->parsed()        ? Command::Export
                      : merge->parsed()     ? Command::Merge
                      : view->parsed()      ? Command::View
                      : device->parsed()    ? Command::Device
                      : record->parsed()    ? Command::Record
                                            : Command::Report;
    options.format = *report::format_named(texts.format);
    options.colour = texts.colour == "always"  ? report::ColourChoice::Always
                     : texts.colour == "never" ? report::ColourChoice::Never
                                               : report::ColourChoice::Automatic;
    if (options.command == Command::Export) {
        if (const auto settled = finish_export_options(options, texts); !settled) {
            return Failure{settled.error()};
        }
    }
    options.reader =
        texts.reader == "babeltrace2" ? trace::Reader::Babeltrace2 : trace::Reader::Automatic;
    options.window = {report::parse_time(texts.begin), report::parse_time(texts.end)};
    if (is_empty(options.window)) {
        return Failure{{ErrorKind::BadArguments, "--begin must be before --end"}};
    }
    if (options.command == Command::Diagnose) {
        if (const auto settled = finish_diagnose_options(options, texts); !settled) {
            return Failure{settled.error()};
        }
    }
    if (options.command == Command::Record) {
        if (const auto taken = take_command(*record, options.record.command); !taken) {
            return Failure{taken.error()};
        }
        if (const auto good = finish_record_options(options.record, texts); !good) {
            return Failure{good.error()};
        }
    }
    return options;
}

} // namespace lttng_gpu::cli
