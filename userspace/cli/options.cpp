// SPDX-License-Identifier: MIT
//
// See options.hpp.
#include "options.hpp"

#include "../correlate/report/time_option.hpp"
#include "../correlate/trace/open/recognise.hpp"
#include "../doctor/api_needs.hpp"
#include "help_texts.hpp"
#include "option_groups.hpp"
#include "suggestions.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <thread>

#ifndef LTTNG_GPU_VERSION
#define LTTNG_GPU_VERSION "unknown"
#endif

namespace lttng_gpu::cli {
namespace {

constexpr unsigned most_default_threads = 4; // more do not help

/// The commands that --help lists, in its order.
class Commands {
public:
    explicit Commands(CLI::App& app) : m_app{app} {}
    CLI::App& add(Command command, const char* name, const char* words, const std::string& notes)
    {
        CLI::App* const added = m_app.add_subcommand(name, words);
        added->footer(notes);
        m_commands.emplace_back(added, command);
        return *added;
    }
    /// The one that was named.
    std::pair<const CLI::App*, Command> chosen() const
    {
        return *std::find_if(m_commands.begin(), m_commands.end(),
                             [](const auto& command) { return command.first->parsed(); });
    }

    std::vector<std::string> names() const
    {
        std::vector<std::string> names;
        for (const auto& command : m_commands) {
            names.push_back(command.first->get_name());
        }
        return names;
    }
    /// Of the command that was named, or of lttng-gpu itself.
    std::vector<std::string> option_names() const
    {
        const auto found = std::find_if(m_commands.begin(), m_commands.end(),
                                        [](const auto& one) { return one.first->parsed(); });
        const CLI::App& app = found != m_commands.end() ? *found->first : m_app;
        std::vector<std::string> names;
        for (const CLI::Option* const option : app.get_options()) {
            for (const std::string& name : option->get_lnames()) {
                names.push_back("--" + name);
            }
        }
        return names;
    }

private:
    CLI::App& m_app;
    std::vector<std::pair<const CLI::App*, Command>> m_commands;
};

std::string export_footer()
{
    return std::string{export_notes} +
           (exporting::why_no_parquet() ? "Parquet: this lttng-gpu was built without "
                                          "libparquet (Debian sid: libparquet-dev).\n"
                                        : "") +
           exit_codes;
}

void add_record(Commands& commands, Options& options, Texts& texts)
{
    CLI::App& record =
        commands.add(Command::Record, "record", "run a command and record its GPU jobs", {});
    // Now it has none, else the program's would come after this one, which is made when it is asked
    // for.
    record.footer([] {
        return std::string{record_notes} + "\n\nOn this machine:\n" + doctor::api_lines_here();
    });
    add_record_options(record, options.record, texts);
    add_device_options(record, options.record, texts);
    record.prefix_command();
}

void add_commands(Commands& commands, Options& options, Texts& texts)
{
    const auto with_codes = [](const char* notes) { return std::string{notes} + exit_codes; };
    CLI::App& report = commands.add(Command::Report, "report", "occupancy and latency of each ring",
                                    with_codes(report_columns));
    add_report_options(report, options, texts);
    add_text_options(report, options, texts);
    CLI::App& jobs = commands.add(Command::Jobs, "jobs", "one row per job with all its times",
                                  with_codes(jobs_columns));
    add_options(jobs, options, texts);
    add_ascii_option(jobs, options);
    CLI::App& diagnosis = commands.add(Command::Diagnose, "diagnose",
                                       "why the worst jobs were late", with_codes(diagnose_notes));
    add_options(diagnosis, options, texts);
    add_diagnose_options(diagnosis, options, texts);
    add_colour_option(diagnosis, texts);
    add_ascii_option(diagnosis, options);
    CLI::App& frames =
        commands.add(Command::Frames, "frames", "frames, those that were late, and why",
                     with_codes(frames_notes));
    add_options(frames, options, texts);
    add_frames_options(frames, options.frames);
    add_ascii_option(frames, options);
    add_record(commands, options, texts);
    add_doctor_options(
        commands.add(Command::Doctor, "doctor",
                     "what can be recorded on this machine, and how to fix what is missing",
                     doctor_exit_codes),
        options, texts);
    add_export_options(
        commands.add(Command::Export, "export",
                     "convert a trace: CTF, csv, json, sqlite, perfetto, chrome, parquet",
                     export_footer()),
        options, texts);
    add_merge_options(commands.add(Command::Merge, "merge",
                                   "merge several runs of a program into one trace",
                                   with_codes(merge_notes)),
                      options);
    add_device_command(commands.add(Command::Device, "device",
                                    "what happened inside of kernels (record --device-trace)",
                                    with_codes(device_notes)),
                       options, texts);
    add_view_options(
        commands.add(Command::View, "view", "show a trace in the browser", with_codes(view_notes)),
        options, texts);
}

/// What options mean together.
Expected<void> finish(Options& options, const Texts& texts, const CLI::App& command)
{
    options.format = *report::format_named(texts.format);
    options.colour = texts.colour == "always"  ? report::ColourChoice::Always
                     : texts.colour == "never" ? report::ColourChoice::Never
                                               : report::ColourChoice::Automatic;
    options.reader =
        texts.reader == "babeltrace2" ? trace::Reader::Babeltrace2 : trace::Reader::Automatic;
    options.window = {report::parse_time(texts.begin), report::parse_time(texts.end)};
    if (options.command == Command::Export) {
        if (const auto settled = finish_export_options(options, texts); !settled) {
            return settled;
        }
    }
    if (is_empty(options.window)) {
        return Failure{{ErrorKind::BadArguments, "--begin must be before --end"}};
    }
    if (options.command == Command::Diagnose) {
        return finish_diagnose_options(options, texts);
    }
    if (options.command == Command::Record) {
        if (const auto taken = take_command(command, options.record.command); !taken) {
            return taken;
        }
        return finish_record_options(options.record, texts);
    }
    return {};
}

std::string did_you_mean(const std::optional<std::string>& word)
{
    return word ? fmt::format("; did you mean {}?", *word) : std::string{};
}

/// A trace without a command is to be reported. Nothing is changed where the first word is an
/// option or a command.
Expected<void> default_to_report(std::vector<const char*>& words, const Commands& commands)
{
    if (words.size() < 2) {
        return Failure{{ErrorKind::BadArguments, "give a trace or a command (see --help)"}};
    }
    const std::string first = words[1];
    const std::vector<std::string> names = commands.names();
    if (first.starts_with('-') || std::find(names.begin(), names.end(), first) != names.end()) {
        return {};
    }
    std::error_code error;
    if (!trace::is_live(first) && !std::filesystem::exists(first, error)) {
        return Failure{{ErrorKind::BadArguments,
                        fmt::format("{} is no command, and no file has that name{} (see --help)",
                                    first, did_you_mean(nearest(first, names)))}};
    }
    words.insert(words.begin() + 1, "report");
    return {};
}

/// CLI11 tells which words it did not expect; that may be a mistyped option.
std::string words_of(const CLI::ParseError& error, const CLI::App& app, const Commands& commands)
{
    std::optional<std::string> meant;
    for (const std::string& word : app.remaining(true)) {
        if (word.starts_with("--") && !meant) {
            meant = nearest(word.substr(0, word.find('=')), commands.option_names());
        }
    }
    return fmt::format("{}{} (see --help)", error.what(), did_you_mean(meant));
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
    Commands commands{app};
    add_commands(commands, options, texts);
    std::vector<const char*> words{argv, argv + argc};
    if (const auto known = default_to_report(words, commands); !known) {
        return Failure{known.error()};
    }
    argc = split_command(static_cast<int>(words.size()), words.data(), options.record.command);
    try {
        app.parse(argc, words.data());
    } catch (const CLI::Success& answered) {
        app.exit(answered, help, help);
        return HelpPrinted{};
    } catch (const CLI::ParseError& error) {
        return Failure{{ErrorKind::BadArguments, words_of(error, app, commands)}};
    }
    const auto [command, which] = commands.chosen();
    options.command = which;
    if (const auto finished = finish(options, texts, *command); !finished) {
        return Failure{finished.error()};
    }
    return options;
}

} // namespace lttng_gpu::cli
