// SPDX-License-Identifier: MIT
//
// Options of the commands that read traces, and of doctor.
#include "option_groups.hpp"

#include "../correlate/report/time_option.hpp"
#include "../correlate/trace/open/recognise.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lttng_gpu::cli {
namespace {

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

} // namespace

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
    command.add_flag("--estimated-calls", options.estimates_calls,
                     "also name API calls of jobs that are likely and not proven (`estimated`)");
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

void add_options(CLI::App& command, Options& options, Texts& texts)
{
    add_trace_argument(command, options);
    command.add_option("--format", texts.format, "text, json or csv")
        ->check(CLI::IsMember({"text", "json", "csv"}));
    add_reading_options(command, options, texts);
    command.add_option("-o,--output", options.output, "write to FILE instead of standard output");
}

void add_report_options(CLI::App& command, Options& options, Texts& texts)
{
    add_options(command, options, texts);
    command.add_option("--html", options.html,
                       "write a page for the browser to FILE, which needs nothing else");
    add_reason_options(command, options,
                       "tell the reasons why jobs are late in JSON, too; text has them by default");
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

void add_colour_option(CLI::App& command, Texts& texts)
{
    command.add_option("--color,--colour", texts.colour, "auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}));
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
    add_colour_option(command, texts);
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

} // namespace lttng_gpu::cli
