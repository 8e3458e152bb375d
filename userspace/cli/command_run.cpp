// SPDX-License-Identifier: MIT
//
// See command_run.hpp.
#include "command_run.hpp"

#include "../correlate/run/conclusion.hpp"
#include "commands.hpp"
#include "reading_options.hpp"

#include <cerrno>
#include <cstring>
#include <ostream>
#include <unistd.h>

namespace lttng_gpu::cli {
namespace {

int exit_code_of(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::UnreadableTrace:
        return exit_unreadable_trace;
    case ErrorKind::DamagedTrace:
        return exit_damaged_trace;
    case ErrorKind::BadArguments:
    case ErrorKind::Output:
        break;
    }
    return exit_bad_arguments;
}

/// Who read our standard output has seen enough (head, a pager): that is no news to anyone.
bool is_closed_pipe(const Error& error)
{
    return error.kind == ErrorKind::Output && error.message.ends_with(std::strerror(EPIPE));
}

bool is_past(const report::WindowRequest& window, const trace::SourceTotals& totals)
{
    if (!window.end || !totals.last) {
        return false;
    }
    const std::int64_t origin = window.end->is_relative ? totals.first->value() : 0;
    return totals.last->value() - origin >= window.end->nanoseconds;
}

} // namespace

int fail(std::ostream& errors, const Error& error)
{
    if (!is_closed_pipe(error)) {
        run::print_line(errors, error.message);
    }
    return exit_code_of(error.kind);
}

int conclude(std::ostream& errors, const run::Outcome& outcome, const Options& options,
             report::Output& output)
{
    if (const auto written = output.finish(); !written) {
        return fail(errors, written.error());
    }
    const bool is_empty = run::print_if_empty(errors, outcome, options.traces);
    if (run::print_damage(errors, outcome)) {
        return exit_damaged_trace;
    }
    return is_empty ? exit_nothing_to_report : exit_fine;
}

bool is_unreadable(const run::Outcome& outcome)
{
    return outcome.stopped && outcome.account.events_read == 0;
}

int fail_unreadable(std::ostream& errors, const run::Outcome& outcome)
{
    run::print_line(errors, outcome.stopped->message);
    return exit_unreadable_trace;
}

int Run::abandon() const
{
    return fail(errors, interrupted().value());
}

bool Run::has_seen_enough(const trace::EventSource& source) const
{
    return is_interrupted() || (is_live && is_past(options.window, source.totals()));
}

Expected<run::Reading> open_reading(const Options& options, Workers& workers,
                                    const run::CaptureSurvey* survey)
{
    return run::open_reading(options.traces, read_options(options, workers), survey);
}

report::TextOptions text_options(const Options& options)
{
    report::TextOptions text = options.text;
    text.screen = options.output.empty() ? report::screen_of(STDOUT_FILENO, options.colour)
                                         : report::screen_of_file(options.colour);
    text.screen.is_ascii |= options.is_ascii;
    return text;
}

} // namespace lttng_gpu::cli
