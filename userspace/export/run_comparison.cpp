// SPDX-License-Identifier: MIT
//
// See run_comparison.hpp.
#include "run_comparison.hpp"

#include "sequence_match.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

constexpr double least_similarity = 0.95;
constexpr double most_span_difference = 0.25;
constexpr double most_execution_difference = 0.25;
/// Of one queue; more would cost seconds to count exactly.
constexpr std::size_t most_differences = 2000;
constexpr std::size_t kinds_shown = 3;

double relative_difference(double first, double second)
{
    const double larger = std::max(first, second);
    return larger > 0 ? std::abs(first - second) / larger : 0;
}

bool has_commands_or_calls(const RunFacts& run)
{
    return run.first_command || run.first_call;
}

std::optional<double> span_of(const RunFacts& run)
{
    if (!run.first_command || run.commands() < 2) {
        return {};
    }
    // The last one is not before the first, so that this never overflows.
    return static_cast<double>(static_cast<std::uint64_t>(run.last_command->value()) -
                               static_cast<std::uint64_t>(run.first_command->value()));
}

struct Executions {
    double before = 0;
    double run = 0;
    bool is_known = false;
};

/// True: the queues were matched; false: they differ in too many places to say how.
bool match_queue(const QueueFacts& before, const QueueFacts& run, Comparison& comparison,
                 Executions& executions)
{
    const auto pairs = match_sequences(before.kinds, run.kinds, most_differences);
    if (!pairs) {
        return false;
    }
    comparison.matched += pairs->size();
    for (const auto& [first, second] : *pairs) {
        if (before.execution_ns[first] >= 0 && run.execution_ns[second] >= 0) {
            executions.is_known = true;
            executions.before += static_cast<double>(before.execution_ns[first]);
            executions.run += static_cast<double>(run.execution_ns[second]);
        }
    }
    return true;
}

std::vector<std::int64_t> counts_by_kind(const RunFacts& run, std::size_t kinds)
{
    std::vector<std::int64_t> counts(kinds);
    for (const QueueFacts& queue : run.queues) {
        for (const std::uint32_t kind : queue.kinds) {
            ++counts[kind];
        }
    }
    return counts;
}

/// "kernel saxpy: 10 and 20 times", the largest differences first.
std::string different_counts(const RunFacts& before, const RunFacts& run, const CommandKinds& kinds)
{
    const auto first = counts_by_kind(before, kinds.count());
    const auto second = counts_by_kind(run, kinds.count());
    std::vector<std::uint32_t> order;
    for (std::uint32_t kind = 0; kind < kinds.count(); ++kind) {
        if (first[kind] != second[kind]) {
            order.push_back(kind);
        }
    }
    std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t kind) {
        return std::abs(first[kind] - second[kind]);
    });
    std::string text;
    for (std::size_t index = 0; index < std::min(order.size(), kinds_shown); ++index) {
        text += fmt::format("{}{}: {} and {} times", text.empty() ? "" : ", ",
                            kinds.name_of(order[index]), first[order[index]], second[order[index]]);
    }
    return text + (order.size() > kinds_shown ? ", …" : "");
}

void add_warnings(Comparison& comparison, const RunFacts& before, const RunFacts& run,
                  const CommandKinds& kinds)
{
    if (comparison.similarity && *comparison.similarity < least_similarity) {
        const std::string counts = different_counts(before, run, kinds);
        comparison.warnings.push_back(
            fmt::format("{:.1f} % of the commands match in order (at least {:.0f} % expected){}{}",
                        *comparison.similarity * 100, least_similarity * 100,
                        counts.empty() ? "" : ": ", counts));
    }
    if (comparison.span_difference && *comparison.span_difference > most_span_difference) {
        comparison.warnings.push_back(fmt::format(
            "the time from first to last command differs by {:.0f} % (at most {:.0f} % expected)",
            *comparison.span_difference * 100, most_span_difference * 100));
    }
    if (comparison.execution_difference &&
        *comparison.execution_difference > most_execution_difference) {
        comparison.warnings.push_back(fmt::format(
            "the execution of matched commands differs by {:.0f} % (at most {:.0f} % expected)",
            *comparison.execution_difference * 100, most_execution_difference * 100));
    }
}

} // namespace

Comparison compare_runs(const RunFacts& before, const RunFacts& run, const CommandKinds& kinds)
{
    Comparison comparison;
    comparison.commands_before = before.commands();
    comparison.commands = run.commands();
    Executions executions;
    bool is_complete = true;
    for (std::size_t index = 0; index < std::min(before.queues.size(), run.queues.size());
         ++index) {
        is_complete =
            match_queue(before.queues[index], run.queues[index], comparison, executions) &&
            is_complete;
    }
    const std::size_t all = comparison.commands_before + comparison.commands;
    // Without any event of an API it was not recorded, which says nothing of the run.
    const bool are_comparable = comparison.commands_before > 0 || comparison.commands > 0;
    if (are_comparable && has_commands_or_calls(before) && has_commands_or_calls(run)) {
        comparison.similarity =
            2 * static_cast<double>(comparison.matched) / static_cast<double>(all);
    }
    const auto span_before = span_of(before);
    const auto span = span_of(run);
    if (span_before && span) {
        comparison.span_difference = relative_difference(*span_before, *span);
    }
    if (executions.is_known) {
        comparison.execution_difference = relative_difference(executions.before, executions.run);
    }
    if (!is_complete) {
        comparison.warnings.push_back(fmt::format(
            "the commands of a queue differ in more than {} places; none of them was matched",
            most_differences));
    }
    if (const std::uint64_t unknown = before.not_followed + run.not_followed; unknown > 0) {
        comparison.warnings.push_back(fmt::format(
            "the execution of {} commands was not compared: too many never ended", unknown));
    }
    add_warnings(comparison, before, run, kinds);
    return comparison;
}

} // namespace lttng_gpu::exporting
