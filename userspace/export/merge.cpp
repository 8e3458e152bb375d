// SPDX-License-Identifier: MIT
//
// `lttng-gpu merge`: reads each run once to find where to align it and how similar it is
// to the first, then writes all of them into one trace. A shift is a constant: what the
// clocks of two runs drift apart in their length is not taken out.
#include "commands.hpp"

#include "../correlate/run/conclusion.hpp"
#include "../correlate/run/noted_losses.hpp"
#include "run_comparison.hpp"
#include "writing.hpp"

#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

namespace fs = std::filesystem;

struct Run {
    fs::path path;
    RunFacts facts;
    run::Outcome outcome;
    std::optional<Timestamp> begin; // the event by which it is aligned
    std::int64_t shift_ns = 0;
};

constexpr std::size_t most_runs = 255; // what the field `run` holds

using Moment = std::optional<Timestamp> RunFacts::*;

bool have_all(const std::vector<Run>& runs, Moment moment)
{
    return std::ranges::all_of(
        runs, [moment](const Run& run) { return (run.facts.*moment).has_value(); });
}

/// The first that all runs have.
Expected<Moment> choose_moment(const std::vector<Run>& runs, const std::string& align)
{
    if (!align.empty()) {
        for (const Run& run : runs) {
            if (!run.facts.first_named) {
                return Failure{{ErrorKind::BadArguments, "cannot align " + run.path.string() +
                                                             ": it has no event " + align}};
            }
        }
        return &RunFacts::first_named;
    }
    for (const Moment moment : {&RunFacts::first_command, &RunFacts::first_call}) {
        if (have_all(runs, moment)) {
            return moment;
        }
    }
    return Failure{{ErrorKind::BadArguments,
                    "cannot align the runs: they have no OpenCL command and no OpenCL call in "
                    "common; name an event that all runs have with --align"}};
}

Expected<void> align(std::vector<Run>& runs, const std::string& name)
{
    const auto moment = choose_moment(runs, name);
    if (!moment) {
        return Failure{moment.error()};
    }
    for (Run& run : runs) {
        run.begin = run.facts.*(*moment);
        if (__builtin_sub_overflow(runs.front().begin->value(), run.begin->value(),
                                   &run.shift_ns)) {
            return Failure{{ErrorKind::DamagedTrace, "the times of " + run.path.string() +
                                                         " are too far from those of " +
                                                         runs.front().path.string()}};
        }
    }
    return {};
}

Expected<Run> read_run(const fs::path& path, const InputPlan& plan, std::size_t number,
                       CommandKinds& kinds, const std::string& align, const CommandContext& context)
{
    RunObserver observer{kinds, align};
    auto outcome =
        examine(plan.paths_of_run(number), observer.event_observer(), context, examination_share);
    if (!outcome) {
        return Failure{outcome.error()};
    }
    return Run{path, observer.facts(), *outcome, {}, 0};
}

std::string seconds_text(std::int64_t nanoseconds)
{
    return fmt::format("{:+.9f} s", static_cast<double>(nanoseconds) / 1e9);
}

std::string match_text(const Comparison& comparison)
{
    if (!comparison.similarity) {
        return fmt::format("commands not compared (run 1 has {}, this run has {})",
                           comparison.commands_before, comparison.commands);
    }
    return fmt::format("{} of its {} commands matched with run 1's {}, {} left unmatched",
                       comparison.matched, comparison.commands, comparison.commands_before,
                       comparison.commands + comparison.commands_before - 2 * comparison.matched);
}

/// Prints how far each run matches the first. Returns true when one differs too much.
bool report_run_differences(const std::vector<Run>& runs, const CommandKinds& kinds,
                            InputPlan& plan, std::ostream& errors)
{
    bool is_doubtful = false;
    plan.notes.emplace_back("run1_path", runs.front().path.string());
    for (std::size_t index = 1; index < runs.size(); ++index) {
        const Run& run = runs[index];
        const Comparison comparison = compare_runs(runs.front().facts, run.facts, kinds);
        const std::string name = fmt::format("run {} ({})", index + 1, run.path.string());
        const std::string key = fmt::format("run{}_", index + 1);
        const std::string matching = match_text(comparison);
        run::print_line(errors, fmt::format("{}: shifted by {}; {}", name,
                                            seconds_text(run.shift_ns), matching));
        plan.notes.emplace_back(key + "path", run.path.string());
        plan.notes.emplace_back(key + "shift_ns", std::to_string(run.shift_ns));
        plan.notes.emplace_back(key + "match", matching);
        for (const std::string& warning : comparison.warnings) {
            is_doubtful = true;
            run::print_line(errors,
                            fmt::format("warning: {} differs from run 1: {}", name, warning));
        }
    }
    return is_doubtful;
}

bool print_losses(const std::vector<Run>& runs, std::ostream& errors)
{
    bool is_lossy = false;
    for (const Run& run : runs) {
        is_lossy = run::print_damage(errors, run.outcome) || is_lossy;
    }
    return is_lossy;
}

} // namespace

Expected<bool> merge(const MergeOptions& options, std::ostream& errors)
{
    if (options.runs.traces.size() > most_runs) {
        return Failure{{ErrorKind::BadArguments, "at most 255 runs can be merged"}};
    }
    const Interruption interruption{Interruption::Purpose::TidyUp};
    Progress progress{progress_terminal(false)};
    const CommandContext context{progress, interruption};
    std::vector<std::vector<fs::path>> roots;
    for (const fs::path& path : options.runs.traces) {
        roots.push_back({path});
    }
    auto plan = plan_input(roots);
    if (!plan) {
        return Failure{plan.error()};
    }
    auto output = OutputDirectory::create(options.runs.output);
    if (!output) {
        return Failure{output.error()};
    }
    CommandKinds kinds;
    std::vector<Run> runs;
    std::uint64_t events = 0;
    for (std::size_t index = 0; index < roots.size(); ++index) {
        auto run =
            read_run(options.runs.traces[index], *plan, index + 1, kinds, options.align, context);
        if (!run) {
            return Failure{run.error()};
        }
        events += run->outcome.account.events_read;
        run->outcome.account.losses_of_unknown_size +=
            run::noted_losses({options.runs.traces[index]});
        runs.push_back(std::move(*run));
    }
    if (const auto aligned = align(runs, options.align); !aligned) {
        return Failure{aligned.error()};
    }
    for (InputSource& source : plan->sources) {
        source.shift_ns = runs[source.run - 1].shift_ns;
    }
    progress.erase();
    const bool is_doubtful = report_run_differences(runs, kinds, *plan, errors);
    CopyWork work;
    work.plan = &*plan;
    const auto written = write_traces({*plan, work, events, context, options.runs.traces}, *output);
    progress.erase();
    if (!written) {
        return Failure{written.error()};
    }
    return print_losses(runs, errors) || is_doubtful;
}

} // namespace lttng_gpu::exporting
