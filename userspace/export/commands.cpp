// SPDX-License-Identifier: MIT
//
// See commands.hpp.
#include "commands.hpp"

#include "../correlate/cli/conclusion.hpp"
#include "examination.hpp"
#include "graph.hpp"
#include "interruption.hpp"
#include "output_directory.hpp"

#include <algorithm>

namespace lttng_gpu::exporting {
namespace {

constexpr double examination_share = 0.1; // of the time, about

struct Writing {
    const InputPlan& plan;
    CopyWork& work;
    std::uint64_t events; // in all
    cli::Progress& progress;
};

Expected<void> write_traces(const Writing& writing, const std::filesystem::path& place)
{
    // In this order: a signal that came is sent again when the directory is gone.
    const Interruption interruption;
    auto output = OutputDirectory::create(place);
    if (!output) {
        return Failure{output.error()};
    }
    auto graph = ExportGraph::open(writing.plan, writing.work, output->path());
    if (!graph) {
        return Failure{graph.error()};
    }
    for (;;) {
        const auto has_more = (*graph)->run_some();
        if (!has_more) {
            return Failure{has_more.error()};
        }
        if (!*has_more) {
            break;
        }
        if (interruption.is_asked()) {
            return Failure{{ErrorKind::Output, "interrupted; nothing was written"}};
        }
        const double done = static_cast<double>(writing.work.events) /
                            static_cast<double>(std::max<std::uint64_t>(writing.events, 1));
        writing.progress.update(examination_share + done * (1 - examination_share),
                                writing.work.events);
    }
    graph->reset(); // the sink writes the metadata when it goes
    return output->finish();
}

} // namespace

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

Expected<bool> merge(const cli::Options&, std::ostream&)
{
    return false;
}

} // namespace lttng_gpu::exporting
