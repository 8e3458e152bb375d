// SPDX-License-Identifier: MIT
//
// See commands.hpp; merge is in merge.cpp.
#include "commands.hpp"

#include "../correlate/cli/conclusion.hpp"
#include "device_events.hpp"
#include "examination.hpp"
#include "writing.hpp"

#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

/// Those that were made; the work owns them.
Expected<std::vector<const DeviceEvents*>> add_device_events(const InputPlan& plan, CopyWork& work,
                                                             std::ostream& errors)
{
    std::vector<const DeviceEvents*> made;
    work.extra.resize(plan.groups.size());
    for (std::size_t group = 0; group < plan.groups.size(); ++group) {
        if (plan.groups[group].has_device_events) {
            cli::print_line(errors, "note: the trace has events lttng_gpu_device:* of an earlier "
                                    "export; none are added");
            continue;
        }
        auto events = DeviceEvents::open(plan.paths_of_group(group));
        if (!events) {
            return Failure{events.error()};
        }
        made.push_back(events->get());
        work.extra[group] = std::move(*events);
    }
    return made;
}

void tell_late_events(const std::vector<const DeviceEvents*>& made, std::ostream& errors)
{
    std::uint64_t late = 0;
    for (const DeviceEvents* events : made) {
        late += events->late_events();
    }
    if (late > 0) {
        cli::print_line(errors, fmt::format("note: {} device events were reported too late to be "
                                            "put in order; they are in streams device-late-*",
                                            late));
    }
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
    auto device_events = add_device_events(*plan, work, errors);
    if (!device_events) {
        return Failure{device_events.error()};
    }
    const auto written =
        write_traces({*plan, work, outcome->account.events_read, progress}, options.output);
    progress.erase();
    if (!written) {
        return Failure{written.error()};
    }
    tell_late_events(*device_events, errors);
    return cli::print_damage(errors, *outcome);
}

} // namespace lttng_gpu::exporting
