// SPDX-License-Identifier: MIT
//
// See commands.hpp; merge is in merge.cpp.
#include "commands.hpp"

#include "../correlate/cli/conclusion.hpp"
#include "examination.hpp"
#include "writing.hpp"

namespace lttng_gpu::exporting {
Expected<bool> export_ctf(const cli::Options& options, std::ostream& errors)
{
    cli::Progress progress{cli::progress_terminal(false)};
    auto plan = plan_input({options.traces});
    if (!plan) {
        return Failure{plan.error()};
    }
    const Spectator nobody{{}, [](const trace::RawEvent&) {}};
    const auto outcome = examine(plan->paths(), nobody, progress, examination_share);
    if (!outcome) {
        return Failure{outcome.error()};
    }
    CopyWork work;
    work.plan = &*plan;
    const auto written =
        write_traces({*plan, work, outcome->account.events_read, progress}, options.output);
    progress.erase();
    if (!written) {
        return Failure{written.error()};
    }
    return cli::print_damage(errors, *outcome);
}

} // namespace lttng_gpu::exporting
