// SPDX-License-Identifier: MIT
//
// How similar two runs of a program are. Commands are matched queue by queue (the nth
// queue that got a command in each run), in order, only with commands of the same kind;
// what has no partner stays unmatched. Thresholds are in the .cpp, one place each.
#pragma once

#include "run_facts.hpp"

namespace lttng_gpu::exporting {

struct Comparison {
    std::size_t commands_before = 0; // of the run that is compared with
    std::size_t commands = 0;
    std::size_t matched = 0;
    /// 2 · matched / all; nothing when a run has no commands (recorded without).
    std::optional<double> similarity;
    /// From the first command to the last: |a - b| / max(a, b).
    std::optional<double> span_difference;
    /// The same for the execution of all matched commands whose times both runs have.
    std::optional<double> execution_difference;
    /// Warnings: kinds that differ in number, and values beyond their thresholds.
    std::vector<std::string> warnings;
};

Comparison compare_runs(const RunFacts& before, const RunFacts& run, const CommandKinds& kinds);

} // namespace lttng_gpu::exporting
