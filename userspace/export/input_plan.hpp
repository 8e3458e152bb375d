// SPDX-License-Identifier: MIT
//
// Which traces are read and where in the output each goes: known from their metadata
// before any event is read. Chunks of one trace (session rotation) are one source.
//
// CTF keeps host name and, with buffers per process, the process only once per trace, in
// its environment. So sources that say different things there go into traces of their
// own, and so do those of different boots (the identity of LTTng's clock): threads and fences of
// one boot are others in the next, and host names need not differ. All others share one.
#pragma once

#include "../correlate/trace/trace_discovery.hpp"
#include "output_directory.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace lttng_gpu::exporting {

struct InputSource {
    std::vector<trace::TraceDirectory> directories; // of one trace
    std::size_t group = 0;                          // index into InputPlan::groups
    std::size_t run = 0;                            // which of the inputs of merge; counted from 1
    std::string label;                              // "kernel", "ust", "ust-2": differ in a group
    std::int64_t shift_ns = 0;                      // added to its times
    std::vector<std::filesystem::path> readable;    // the same as CTF 1.8
};

/// Where the zero of a clock of nanoseconds lies.
struct NanosecondClock {
    std::int64_t seconds = 0;
    std::uint64_t cycles = 0;
};

struct InputGroup {
    std::string name;                 // what its trace is called
    std::vector<std::size_t> sources; // indices
    bool has_device_events = false;   // an earlier export has added them
    /// The clock of the source whose fields hold times of it (those of API events),
    /// else of the first: all sources that can are put on it, so that the trace has one.
    std::optional<NanosecondClock> clock;
    bool needs_clock = false; // such fields were seen
};

struct InputPlan {
    std::vector<InputSource> sources;
    std::vector<InputGroup> groups;
    std::vector<ScratchDirectory> scratch; // of translated traces
    /// What the environment of each output trace says besides.
    std::vector<std::pair<std::string, std::string>> notes;

    std::vector<std::filesystem::path> paths() const;
    std::vector<std::filesystem::path> paths_of_group(std::size_t group) const;
    std::vector<std::filesystem::path> paths_of_run(std::size_t run) const;
};

/// The inputs of each run. Run numbers are given when there are several.
/// CTF 2 traces are translated.
Expected<InputPlan> plan_input(const std::vector<std::vector<std::filesystem::path>>& runs);

} // namespace lttng_gpu::exporting
