// SPDX-License-Identifier: MIT
//
// The command line as plain values. Parsing only: whether a trace can be read
// is found out later, because that has an exit code of its own.
#pragma once

#include "../correlate/base/expected.hpp"
#include "../correlate/diagnose/frame_diagnosis.hpp"
#include "../correlate/diagnose/selection.hpp"
#include "../correlate/report/frames_sink.hpp"
#include "../correlate/report/jobs_sink.hpp"
#include "../correlate/report/text_overview.hpp"
#include "../correlate/trace/open/open_traces.hpp"
#include "../export/jobs/job_format.hpp"
#include "../record/record_options.hpp"

#include <filesystem>
#include <iosfwd>
#include <variant>
#include <vector>

namespace lttng_gpu::cli {

enum class Command { Report, Jobs, Frames, Diagnose, View, Doctor, Export, Merge, Record, Device };

struct Options {
    Command command = Command::Report;
    std::vector<std::filesystem::path> traces;
    report::Format format = report::Format::Text;
    report::WindowRequest window;
    report::FrameChoice frames;
    trace::Reader reader = trace::Reader::Automatic;
    unsigned threads = 1;
    bool reads_once = false;
    bool estimates_calls = false;
    bool details_follow = false; // what `device` tells is printed after the report
    std::string output;          // empty: standard output
    /// Of report: reasons are told of any trace, of none, or (unset) of those where it is quick.
    std::optional<bool> has_reasons;
    std::string html;          // of report: the page; empty: the report as text
    unsigned short port = 0;   // of view; 0: any that is free
    bool opens_browser = true; // of view
    std::optional<exporting::JobFormat> job_format; // of export; none: ctf
    std::string align;                // of merge: an event's name; empty: the program's first call
    std::filesystem::path root = "/"; // of the machine that doctor checks
    diagnose::Wanted diagnosed;       // of diagnose: which jobs are shown
    diagnose::WantedFrames diagnosed_frames;
    record::RecordOptions record;
    report::TextOptions text; // its screen is not known before the output
    report::ColourChoice colour = report::ColourChoice::Automatic;
    bool is_ascii = false;
};

/// --help or --version was requested and has been printed.
struct HelpPrinted {};

Expected<std::variant<Options, HelpPrinted>> parse_options(int argc, const char* const* argv,
                                                           std::ostream& help);

} // namespace lttng_gpu::cli
