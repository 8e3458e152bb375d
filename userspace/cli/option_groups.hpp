// SPDX-License-Identifier: MIT
//
// The options of the commands. Only the files that add them include CLI11, which is slow to
// compile.
#pragma once

#include "options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lttng_gpu::cli {

constexpr unsigned most_threads = 64;

/// Options as they were written, until all of them are known.
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

/// What is wrong with a duration; nothing if it is right.
std::string duration_error(const std::string& text);

// trace_options.cpp: of the commands that read traces, and of doctor.

/// What all commands have that look at the jobs of traces.
void add_reading_options(CLI::App& command, Options& options, Texts& texts);
/// `meaning`: of --reasons, with what happens without an option.
void add_reason_options(CLI::App& command, Options& options, const char* meaning);
/// Which traces, which part of them, and where rows of which format go.
void add_options(CLI::App& command, Options& options, Texts& texts);
void add_report_options(CLI::App& command, Options& options, Texts& texts);
void add_view_options(CLI::App& command, Options& options, Texts& texts);
void add_diagnose_options(CLI::App& command, Options& options, Texts& texts);
void add_colour_option(CLI::App& command, Texts& texts);
void add_ascii_option(CLI::App& command, Options& options);
void add_text_options(CLI::App& command, Options& options, Texts& texts);
void add_frames_options(CLI::App& command, report::FrameChoice& choice);
void add_doctor_options(CLI::App& command, Options& options, Texts& texts);
void add_device_command(CLI::App& command, Options& options, Texts& texts);
Expected<void> finish_diagnose_options(Options& options, const Texts& texts);

// export_options.cpp: of the commands that write traces and files.

void add_export_options(CLI::App& command, Options& options, Texts& texts);
void add_merge_options(CLI::App& command, Options& options);
Expected<void> finish_export_options(Options& options, const Texts& texts);

// recording_options.cpp: of record, and the words of its command.

void add_record_options(CLI::App& command, record::RecordOptions& options, Texts& texts);
void add_device_options(CLI::App& command, record::RecordOptions& options, Texts& texts);
Expected<void> finish_record_options(record::RecordOptions& options, const Texts& texts);
/// Removes what follows "--" after `record`: these are not options of lttng-gpu.
int split_command(int argc, const char* const* argv, std::vector<std::string>& command);
/// Without "--" the command begins with the first word that is no option.
Expected<void> take_command(const CLI::App& record, std::vector<std::string>& command);

} // namespace lttng_gpu::cli
