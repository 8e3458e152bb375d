// SPDX-License-Identifier: MIT
//
// The first reading of the inputs, by our own decoder: how many events there are, what is
// lost, whether something is damaged. It costs little compared to the writing, and it finds
// errors before anything is written.
#pragma once

#include "../correlate/base/interruption.hpp"
#include "../correlate/base/progress.hpp"
#include "../correlate/run/pipeline.hpp"

#include <filesystem>
#include <functional>

namespace lttng_gpu::exporting {

/// Who else receives events while the trace is read, and which events.
struct EventObserver {
    std::vector<trace::WantedEvent> wanted;
    std::function<void(const trace::RawEvent&)> on_event;
    trace::EnumerationTable* enumerations = nullptr; // see ReadOptions
};

/// What a long-running command reports to, and what can interrupt it.
struct CommandContext {
    Progress& progress;
    const Interruption& interruption;
};

/// The account of a trace that can be read to its end. `share` is the part of the
/// progress bar that this is.
Expected<run::Outcome> examine(const std::vector<std::filesystem::path>& paths,
                               const EventObserver& event_observer, const CommandContext& context,
                               double share);

} // namespace lttng_gpu::exporting
