// SPDX-License-Identifier: MIT
//
// See commands.hpp; merge is in merge.cpp.
#include "commands.hpp"

#include "../correlate/run/conclusion.hpp"
#include "../correlate/run/noted_losses.hpp"
#include "device_events.hpp"
#include "examination.hpp"
#include "writing.hpp"

#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

/// Those that were made; the work owns them.
Expected<std::vector<const DeviceEvents*>> add_device_events(const InputPlan& plan, CopyWork& work,
                                                             const Interruption& interruption,
                                                             std::ostream& errors)
{
    std::vector<const DeviceEvents*> made;
    work.extra.resize(plan.groups.size());
    for (std::size_t group = 0; group < plan.groups.size(); ++group) {
        if (plan.groups[group].has_device_events) {
            run::print_line(errors, "note: the trace has events lttng_gpu_device:* of an earlier "
                                    "export; none are added");
            continue;
        }
        auto events = DeviceEvents::open(plan.paths_of_group(group), interruption);
        if (!events) {
            return Failure{events.error()};
        }
        made.push_back(events->get());
        work.extra[group] = std::move(*events);
    }
    return made;
}

/// True: some could not be written.
bool report_late_events(const std::vector<const DeviceEvents*>& made, std::ostream& errors)
{
    std::uint64_t late = 0;
    std::uint64_t left_out = 0;
    for (const DeviceEvents* events : made) {
        late += events->late_events();
        left_out += events->left_out();
    }
    if (late > 0) {
        run::print_line(errors, fmt::format("note: {} device events came too late to be "
                                            "put in order; they are in streams device-late-*",
                                            late));
    }
    if (left_out > 0) {
        run::print_line(errors,
                        fmt::format("warning: {} device events are left out: their times lie "
                                    "before the clock's zero, or out of order",
                                    left_out));
    }
    return left_out > 0;
}

} // namespace

Expected<Exported> export_ctf(const ExportOptions& options, std::ostream& errors)
{
    const Interruption interruption{Interruption::Purpose::TidyUp};
    Progress progress{progress_terminal(false)};
    const CommandContext context{progress, interruption};
    auto plan = plan_input({options.traces});
    if (!plan) {
        return Failure{plan.error()};
    }
    auto output = OutputDirectory::create(options.output);
    if (!output) {
        return Failure{output.error()};
    }
    const EventObserver no_observer{{}, [](const trace::RawEvent&) {}};
    auto outcome = examine(plan->paths(), no_observer, context, examination_share);
    if (!outcome) {
        return Failure{outcome.error()};
    }
    if (outcome->account.events_read == 0 && !outcome->account.has_losses()) {
        progress.erase();
        run::print_line(errors, "nothing to export: the trace has no events");
        return Exported::Nothing;
    }
    CopyWork work;
    work.plan = &*plan;
    auto device_events = add_device_events(*plan, work, interruption, errors);
    if (!device_events) {
        return Failure{device_events.error()};
    }
    const auto written =
        write_traces({*plan, work, outcome->account.events_read, context, options.traces}, *output);
    progress.erase();
    if (!written) {
        return Failure{written.error()};
    }
    outcome->account.losses_of_unknown_size += run::noted_losses(options.traces);
    const bool is_lossy = report_late_events(*device_events, errors);
    return run::print_damage(errors, *outcome) || is_lossy ? Exported::Lossy : Exported::Whole;
}

} // namespace lttng_gpu::exporting
