// SPDX-License-Identifier: MIT
//
// One line of a text trace: as the tracefs file `trace`, `trace-cmd report` and `perf
// script` write them, told apart by what stands where. Takes the columns apart and
// leaves the event's own text alone.
#pragma once

#include "../raw_event.hpp"

#include <optional>

namespace lttng_gpu::trace::ftrace {

enum class LineKind : std::uint8_t {
    Event,
    Note,          // a header, an empty line, a call chain: no event
    Entries,       // how many events the buffers held and were given
    BufferStarted, // the first line of a CPU whose older events were overwritten
    Lost,
    Unread, // none of these
};

struct TextLine {
    LineKind kind = LineKind::Unread;
    std::optional<std::int64_t> time; // ns; nothing when the trace clock counts no seconds
    std::uint32_t cpu = 0;
    FieldValue tid;
    FieldValue pid;
    std::string_view comm;
    std::string_view event; // the event's name without its system
    std::string_view text;  // what its print format made
    std::optional<std::uint64_t> lost;
    std::uint32_t cpus = 0;            // Note, Entries: the trace says that it is of so many
    bool is_overwritten = false;       // Entries: more were written than are there
    std::optional<std::uint64_t> held; // Entries: as many are there
    bool has_cpu = true;               // Event: the line has it
    bool has_stamp = true;             // Event: something stands where the time has to stand
    std::string_view file;             // Note: several files follow, this is one
};

/// Views point into `line`, which has no line feed.
TextLine parse_line(std::string_view line);

/// Whether in an event's text another line begins: two writers of one console or file.
bool holds_another_line(std::string_view text);

/// Why a text whose events have no times cannot be read, and what to do.
std::string_view no_times_text(bool has_stamps);

/// A CPU number above this is taken for damage.
constexpr std::uint32_t most_cpus = 8192;

} // namespace lttng_gpu::trace::ftrace
