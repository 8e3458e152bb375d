// SPDX-License-Identifier: MIT
//
// The lines of the text report about the recording itself: what the window leaves out, gaps of
// CPUs, corrected clocks, and where rings were not in order.
#pragma once

#include "report.hpp"

#include <string>

namespace lttng_gpu::report {

/// "cpu_begins_late", as in the JSON report.
const char* name_of(model::CpuGap::Kind kind);

/// " of 3.55 s (1.17 s at the start left out: CPUs 0, 1 and 2 start later)", or nothing.
std::string left_out_text(const Report& report);
/// One line for each thing that a reader should know before the figures.
std::string recording_lines(const RecordingNote& recording);
/// Why the occupancy of a ring, or a part of it, is unknown; empty: it is known, or bounded.
std::string unknown_words(const Phases& phases);
/// How much evidence there was for and against order, where there was any against it.
std::string disorder_lines(const Report& report, const QueueReport& queue, const std::string& ring);

} // namespace lttng_gpu::report
