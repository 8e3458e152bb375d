// SPDX-License-Identifier: MIT
//
// What the commands that read traces have in common: where results and messages go, when a reading
// ends, and the exit code.
#pragma once

#include "../correlate/base/interruption.hpp"
#include "../correlate/base/progress.hpp"
#include "../correlate/report/output.hpp"
#include "../correlate/run/reading.hpp"
#include "options.hpp"

#include <iosfwd>

namespace lttng_gpu::cli {

/// Tells the error, on one line; the exit code.
int fail(std::ostream& errors, const Error& error);
int conclude(std::ostream& errors, const run::Outcome& outcome, const Options& options,
             report::Output& output);
/// Not one event came out: that is an unreadable trace, not a damaged one.
bool is_unreadable(const run::Outcome& outcome);
int fail_unreadable(std::ostream& errors, const run::Outcome& outcome);

struct Run {
    const Options& options;
    Workers& workers;
    report::Output& output;
    Progress& progress;
    std::ostream& errors;
    bool is_live;               // of a session that is being recorded
    Interruption* interruption; // null: signals end the program

    bool is_interrupted() const { return interruption != nullptr && interruption->is_requested(); }
    /// What is being recorded has no other end, and what was read of it is told.
    bool is_abandoned() const { return is_interrupted() && !is_live; }
    /// The file does not get its name.
    int abandon() const;
    void show_progress(const trace::EventSource& source) const
    {
        progress.update(source.progress(), source.totals().events);
    }
    /// Of a session that is being recorded nothing is told later than it is known; the
    /// reader stops where it is told to, since nothing else will end it.
    bool has_seen_enough(const trace::EventSource& source) const;
};

Expected<run::Reading> open_reading(const Options& options, Workers& workers,
                                    const run::CaptureSurvey* survey = nullptr);

report::TextOptions text_options(const Options& options);

} // namespace lttng_gpu::cli
