// SPDX-License-Identifier: MIT
//
// The command line as plain values. Parsing only: whether a trace can be read
// is found out later, because that has an exit code of its own.
#pragma once

#include "../correlate/base/expected.hpp"
#include "../correlate/report/frames_sink.hpp"
#include "../correlate/report/jobs_sink.hpp"
#include "../correlate/trace/open/open_traces.hpp"
#include "../record/record_options.hpp"

#include <filesystem>
#include <iosfwd>
#include <variant>
#include <vector>

namespace lttng_gpu::cli {

enum class Command { Report, Jobs, Frames, Doctor, Export, Merge, Record };

struct Options {
    Command command = Command::Report;
    std::vector<std::filesystem::path> traces;
    report::Format format = report::Format::Text;
    report::WindowRequest window;
    report::FrameChoice frames;
    trace::Reader reader = trace::Reader::Automatic;
    unsigned threads = 1;
    bool reads_once = false;
    std::string output;               // empty: standard output
    std::string align;                // of merge: an event's name; empty: the program's first call
    std::filesystem::path root = "/"; // of the machine that doctor checks
    record::RecordOptions record;
};

/// --help or --version was requested and has been printed.
struct HelpPrinted {};

Expected<std::variant<Options, HelpPrinted>> parse_options(int argc, const char* const* argv,
                                                           std::ostream& help);

} // namespace lttng_gpu::cli
