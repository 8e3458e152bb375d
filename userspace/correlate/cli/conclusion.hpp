// SPDX-License-Identifier: MIT
//
// What is said once a pass is over, by the commands and by the babeltrace2 plugin
// alike: the report in the format asked for, and, on a stream for people, what keeps
// a result from being the whole truth. Each note is one line.
#pragma once

#include "../model/ring_names.hpp"
#include "../report/format.hpp"
#include "../report/output.hpp"
#include "correlation.hpp"

#include <iosfwd>

namespace lttng_gpu::cli {

void print_line(std::ostream& errors, std::string_view message);

/// What was recorded; null: it was read once only.
report::RecordingNote recording_note(const Outcome& outcome, const CaptureSurvey* survey);

void write_report(const report::Report& report, const Outcome& outcome, report::Format format,
                  report::Output& output);

/// True: the trace is damaged or has gaps.
bool print_damage(std::ostream& errors, const Outcome& outcome);
/// True: there are no jobs, or none in the window.
bool print_emptiness(std::ostream& errors, const Outcome& outcome);
/// Rows are out before a ring shows that it is not FIFO, so only a word can take back
/// what they say.
void print_order_notes(std::ostream& errors, const model::RingTable& rings);
/// Of rings that rows show by their numbers, the names that became known too late.
void print_name_notes(std::ostream& errors, const model::RingNames& names);

} // namespace lttng_gpu::cli
