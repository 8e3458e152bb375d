// SPDX-License-Identifier: MIT
//
// Options of export and merge.
#include "option_groups.hpp"

#include "../correlate/trace/open/recognise.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace lttng_gpu::cli {
namespace {

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

} // namespace

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
    add_reason_options(command, options,
                       "sqlite: look for the reasons of all jobs; default: of up to 200000");
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

/// CSV and JSON are the rows of jobs.
Expected<void> finish_export_options(Options& options, const Texts& texts)
{
    options.job_format = job_format_named(texts.to);
    if (options.has_reasons && options.job_format != exporting::JobFormat::Sqlite) {
        return Failure{{ErrorKind::BadArguments, "only --to sqlite has reasons (see --help)"}};
    }
    if (options.has_reasons.value_or(false) && options.reads_once) {
        return Failure{
            {ErrorKind::BadArguments, "--reasons takes two readings: no --read-once (see --help)"}};
    }
    if (const auto rows = report::format_named(texts.to)) {
        options.command = Command::Jobs;
        options.format = *rows;
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

} // namespace lttng_gpu::cli
