// SPDX-License-Identifier: MIT
//
// What is printed after a pass, by the commands and by the babeltrace2 plugin: the
// report in the requested format and, on standard error, the reasons why a result is
// incomplete. Each note is one line.
#pragma once

#include "../report/format.hpp"
#include "../report/output.hpp"
#include "../report/text_overview.hpp"
#include "../rings/ring_names.hpp"
#include "pipeline.hpp"

#include <filesystem>
#include <iosfwd>
#include <vector>

namespace lttng_gpu::run {

void print_line(std::ostream& errors, std::string_view message);

/// What was recorded; null: it was read once only.
report::RecordingNote recording_note(const Outcome& outcome, const CaptureSurvey* survey);

/// Which of several inputs do not tell the boot they are of: only recordings of LTTng do, so
/// whether the times of the others mean the same is for the user to know.
void print_unknown_boots(std::ostream& errors, const std::vector<std::filesystem::path>& inputs,
                         const trace::EventSource& source);

/// `inputs`: the traces; what recorded them decides how to record what is missing.
void write_report(const report::Report& report, const Outcome& outcome, report::Format format,
                  const report::TextOptions& text, const std::vector<std::filesystem::path>& inputs,
                  report::Output& output);

/// Returns true when the trace is damaged or has gaps.
bool print_damage(std::ostream& errors, const Outcome& outcome);
/// Returns true when no part of the window is inside the trace.
bool print_if_outside(std::ostream& errors, const Outcome& outcome);
/// Returns true when there are no jobs, or none in the window.
bool print_if_empty(std::ostream& errors, const Outcome& outcome,
                    const std::vector<std::filesystem::path>& inputs);
/// The same for frames, of which there are so many in the window.
bool print_if_no_frames(std::ostream& errors, const Outcome& outcome, std::uint64_t frames);
/// Rows are written before a ring is known not to be FIFO, so only a note can correct
/// them.
void print_order_notes(std::ostream& errors, const model::RingTable& rings);
/// Names of rings that became known only after rows showed their numbers.
void print_name_notes(std::ostream& errors, const model::RingNames& names);

} // namespace lttng_gpu::run
