// SPDX-License-Identifier: MIT
//
// How alike two runs are said to be, where one of them has little to compare.
#include "../../userspace/export/run_comparison.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::exporting;

namespace {

RunFacts run_of(CommandKinds& kinds, std::size_t commands)
{
    RunFacts run;
    run.first_call = Timestamp{1'000};
    if (commands > 0) {
        run.first_command = Timestamp{2'000};
        run.last_command = Timestamp{2'000 + static_cast<std::int64_t>(commands)};
        run.queues.emplace_back();
        run.queues[0].kinds.assign(commands, kinds.number_of("kernel sum"));
        run.queues[0].execution_ns.assign(commands, -1);
    }
    return run;
}

} // namespace

TEST_CASE("runs_when_one_has_calls_but_no_command_then_they_differ")
{
    CommandKinds kinds;
    const RunFacts many = run_of(kinds, 1'000);
    const RunFacts none = run_of(kinds, 0);
    CHECK(!compare_runs(many, none, kinds).warnings.empty());
    CHECK(!compare_runs(none, many, kinds).warnings.empty());
    CHECK(compare_runs(many, many, kinds).warnings.empty());
    CHECK(compare_runs(none, none, kinds).warnings.empty());
}

TEST_CASE("runs_when_opencl_was_not_recorded_in_one_then_nothing_is_compared")
{
    CommandKinds kinds;
    const Comparison comparison = compare_runs(run_of(kinds, 1'000), RunFacts{}, kinds);
    CHECK(comparison.warnings.empty());
    CHECK(!comparison.similarity);
}

TEST_CASE("runs_when_executions_were_not_compared_then_says_so")
{
    CommandKinds kinds;
    RunFacts run = run_of(kinds, 10);
    run.not_followed = 3;
    const Comparison comparison = compare_runs(run_of(kinds, 10), run, kinds);
    REQUIRE(comparison.warnings.size() == 1);
    CHECK(comparison.warnings[0].find("of 3 commands") != std::string::npos);
}
