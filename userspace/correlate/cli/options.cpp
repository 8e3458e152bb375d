// SPDX-License-Identifier: MIT
//
// See options.hpp. The only file that includes CLI11, which is slow to compile.
#include "options.hpp"

#include "time_option.hpp"

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
    "3 unreadable trace, 4 trace read but damaged or lossy (details on stderr).";

constexpr const char* report_columns =
    "CSV has one row per ring (scope queue) and one per process on it (scope process):\n"
    "scope, device, ring, driver, pid, comm, jobs, depth_mean, depth_max and latency\n"
    "(count, min, p50, p90, p99, max, sum in ns) of host_queue and device_queue, busy_ns,\n"
    "busy_ratio, latency of execution, idle/host_only/device_only/both_ns,\n"
    "jobs_start_unknown, fifo_violations, jobs_completion_inferred, preemptions, faults,\n"
    "blocked_ns, latency of waits, latency_error_ratio. Percentiles are nearest-rank.\n";

constexpr const char* jobs_columns =
    "One row per job in order of queueing; an empty CSV cell or JSON null is unknown.\n"
    "The basis of a time is observed, inferred (FIFO rule) or unknown.\n";

constexpr const char* doctor_exit_codes =
    "Exit codes: 0 GPU events can be recorded here, 1 something essential is missing,\n"
    "2 bad arguments or output not writable.";

constexpr const char* export_notes =
    "ctf: DIR becomes one CTF 1.8 trace with all events of the inputs, unchanged, and the\n"
    "device's events of OpenCL commands (lttng_gpu_device:command_*) at their times on\n"
    "the trace's clock, and those of kernel drivers' jobs (lttng_gpu_device:job_*).\n"
    "Sources whose environment names another host or process get traces of their own\n"
    "below DIR. csv, json: what jobs --format writes; -o is a file.\n";

constexpr const char* merge_notes =
    "Combines traces of several runs of one program, for what cannot be recorded at once,\n"
    "into one CTF 1.8 trace. The times of each later run are shifted onto the first's, so\n"
    "that the first OpenCL command (else call), or the first EVENT, coincides. The field\n"
    "run in the context of each packet tells the run of its events. How much alike the\n"
    "runs are is said on stderr, with a warning and exit code 4 when it is too little.\n";

constexpr unsigned most_threads = 64;
constexpr unsigned most_default_threads = 4; // more do not help

constexpr const char* record_notes =
    "lttng-gpu record [OPTIONS] -- COMMAND...\n"
    "Everything after -- is the command; it runs with this terminal, and with kernel and user\n"
    "space recorded. The report goes to standard error, because standard output is the\n"
    "command's. Ctrl-C is for the command; when it ends, the recording does. kill -USR1 of\n"
    "record takes a snapshot (with --snapshot). What was started or loaded is stopped and\n"
    "unloaded afterwards; without root, or without the probes, user space is recorded only.\n"
    "Exit codes: the command's own, 128 + N when signal N ended it; 2 bad arguments,\n"
    "125 not (completely) recorded, 126 command not executable, 127 command not found.";

struct Texts {
    std::string events = "all";
    std::string buffers;
    std::string trigger;
    bool has_no_report = false;
    std::string format = "text";
    std::string reader = "automatic";
    std::string begin;
    std::string end;
    std::string to;
};

std::string time_error(const std::string& text)
{
    return parse_time(text) ? ""
                            : "`" + text + "`: invalid time (examples: 1718000000000000000, +2.5)";
}

void add_options(CLI::App& command, Options& options, Texts& texts)
{
    command
        .add_option("TRACE", options.traces,
                    "directories searched for CTF traces, files of ftrace or Perfetto, or "
                    "net://HOST/host/TARGET/SESSION")
        ->required();
    command.add_option("--format", texts.format, "text, json or csv")
        ->check(CLI::IsMember({"text", "json", "csv"}));
    command.add_option("--begin", texts.begin, "absolute ns, or +seconds after the first event")
        ->check(time_error);
    command.add_option("--end", texts.end, "absolute ns, or +seconds after the first event")
        ->check(time_error);
    command.add_option("--reader", texts.reader, "automatic or babeltrace2")
        ->check(CLI::IsMember({"automatic", "babeltrace2"}));
    command
        .add_option("--threads", options.threads,
                    "threads that read; default: one per CPU, at most 4")
        ->check(CLI::Range(1U, most_threads));
    command.add_flag("--read-once", options.reads_once,
                     "do not read a second time what lacks events (for very long captures)");
    command.add_option("-o,--output", options.output, "write to FILE, not to standard output");
}

void add_doctor_options(CLI::App& command, Options& options, Texts& texts)
{
    command.add_option("--format", texts.format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
    command
        .add_option("--root", options.root, "look at the files of a machine below this directory")
        ->check(CLI::ExistingDirectory);
    command.add_option("-o,--output", options.output, "write to FILE, not to standard output");
}

void add_export_options(CLI::App& command, Options& options, Texts& texts)
{
    command.add_option("TRACE", options.traces, "directories searched for CTF traces")->required();
    command.add_option("--to", texts.to, "ctf, csv or json")
        ->required()
        ->check(CLI::IsMember({"ctf", "csv", "json"}));
    command.add_option("-o,--output", options.output, "new directory (ctf) or file to write");
}

void add_merge_options(CLI::App& command, Options& options)
{
    command.add_option("RUN", options.traces, "directory with the traces of one run")
        ->required()
        ->expected(2, -1);
    command.add_option("--align", options.align,
                       "name of the event whose first occurrence coincides in all runs");
    command.add_option("-o,--output", options.output, "new directory to write")->required();
}

/// CSV and JSON are the rows of jobs.
Expected<void> settle_export(Options& options, const std::string& to)
{
    if (to != "ctf") {
        options.command = Command::Jobs;
        options.format = *report::format_named(to);
    } else if (options.output.empty()) {
        return Failure{{ErrorKind::BadArguments,
                        "a CTF trace is a directory: name a new one with -o (see --help)"}};
    }
    return {};
}

std::string size_error(const std::string& text)
{
    return record::parse_size(text) ? "" : "`" + text + "`: invalid size (examples: 512K, 4M)";
}

std::string duration_error(const std::string& text)
{
    return record::parse_duration(text) ? ""
                                        : "`" + text + "`: invalid duration (examples: 500us, 5ms)";
}

void add_record_options(CLI::App& command, record::RecordOptions& options, Texts& texts)
{
    command.add_option("-o,--output", options.folder,
                       "folder of the trace, new or empty; default: ./lttng-gpu-DATE-TIME");
    command.add_option("--events", texts.events,
                       "all, kernel or user; and more events: kernel:PATTERN, user:PATTERN");
    command
        .add_option("--buffers", texts.buffers,
                    "memory of each channel on each CPU (K, M, G); default: by the machine's")
        ->check(size_error);
    command.add_flag("--no-loss", options.is_without_loss,
                     "applications wait when a buffer is full, and lose no event");
    command.add_flag("--preload", options.has_preload,
                     "OpenCL also for programs that use no loader (LD_PRELOAD)");
    command.add_flag("--snapshot", options.is_flight_recorder,
                     "flight recorder: keeps the last events in memory, writes on demand");
    command
        .add_option("--trigger", texts.trigger,
                    "with a snapshot when a job was longer in the host queue (5ms, 500us)")
        ->check(duration_error);
    command.add_option("--max-snapshots", options.most_snapshots, "no more than N; default 10")
        ->check(CLI::Range(1U, 1'000'000U));
    command.add_flag("--snapshot-at-exit", options.has_snapshot_at_exit,
                     "one more snapshot when the command has ended");
    command.add_flag("--no-report", texts.has_no_report, "only record");
    command.add_option("--format", texts.format, "of the report: text, json or csv")
        ->check(CLI::IsMember({"text", "json", "csv"}));
    command.add_option("--report", options.report_file,
                       "write the report to FILE, - is standard output");
    command.add_flag("-v,--verbose", options.is_verbose, "show the commands that are run");
    command.add_flag("-n,--dry-run", options.is_dry_run,
                     "only print these commands to standard output");
    command.add_flag("--recover", options.is_recovery,
                     "only clean up what a killed record left behind (the next record does, too)");
}

Expected<void> finish_record_options(record::RecordOptions& options, const Texts& texts)
{
    const auto events = record::parse_events(texts.events);
    if (!events) {
        return Failure{events.error()};
    }
    options.events = *events;
    options.buffer_bytes = record::parse_size(texts.buffers);
    options.trigger = record::parse_duration(texts.trigger);
    options.is_flight_recorder |= options.trigger.has_value();
    options.has_report = !texts.has_no_report;
    return record::check(options);
}

/// Takes away what follows "--" after `record`: none of it is ours to read.
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

} // namespace

Expected<std::variant<Options, Answered>> parse_options(int argc, const char* const* argv,
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
    CLI::App* report = app.add_subcommand("report", "occupancy and latency of every ring");
    CLI::App* jobs = app.add_subcommand("jobs", "one row per job with all its times");
    CLI::App* record = app.add_subcommand("record", "run a command and record its GPU jobs");
    CLI::App* doctor = app.add_subcommand("doctor", "what this machine lacks for recording");
    CLI::App* to =
        app.add_subcommand("export", "the trace in another form: one CTF trace, csv, json");
    CLI::App* merge = app.add_subcommand("merge", "one trace from several runs of a program");
    to->footer(std::string{export_notes} + exit_codes);
    merge->footer(std::string{merge_notes} + exit_codes);
    add_export_options(*to, options, texts);
    add_merge_options(*merge, options);
    report->footer(std::string{report_columns} + exit_codes);
    jobs->footer(std::string{jobs_columns} + exit_codes);
    doctor->footer(doctor_exit_codes);
    add_options(*report, options, texts);
    add_options(*jobs, options, texts);
    add_doctor_options(*doctor, options, texts);
    record->footer(record_notes);
    add_record_options(*record, options.record, texts);
    argc = split_command(argc, argv, options.record.command);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& answered) {
        app.exit(answered, help, help);
        return Answered{};
    } catch (const CLI::ParseError& error) {
        return Failure{{ErrorKind::BadArguments, std::string{error.what()} + " (see --help)"}};
    }
    options.command = doctor->parsed()   ? Command::Doctor
                      : jobs->parsed()   ? Command::Jobs
                      : to->parsed()     ? Command::Export
                      : merge->parsed()  ? Command::Merge
                      : record->parsed() ? Command::Record
                                         : Command::Report;
    options.format = *report::format_named(texts.format);
    if (options.command == Command::Export) {
        if (const auto settled = settle_export(options, texts.to); !settled) {
            return Failure{settled.error()};
        }
    }
    options.reader =
        texts.reader == "babeltrace2" ? trace::Reader::Babeltrace2 : trace::Reader::Automatic;
    options.window = {parse_time(texts.begin), parse_time(texts.end)};
    if (is_empty(options.window)) {
        return Failure{{ErrorKind::BadArguments, "--begin must be before --end"}};
    }
    if (options.command == Command::Record) {
        if (const auto good = finish_record_options(options.record, texts); !good) {
            return Failure{good.error()};
        }
    }
    return options;
}

} // namespace lttng_gpu::cli
