// SPDX-License-Identifier: MIT
//
// The first reading of the inputs, by our own decoder: how many events there are, what is
// lost, whether something is damaged. Cheap beside the writing, and it finds what is
// wrong before anything is written.
#pragma once

#include "../correlate/cli/correlation.hpp"
#include "../correlate/cli/progress.hpp"
#include "interruption.hpp"

#include <filesystem>
#include <functional>

namespace lttng_gpu::exporting {

/// Who else wants to see the events, and which.
struct Spectator {
    std::vector<trace::WantedEvent> wanted;
    std::function<void(const trace::RawEvent&)> on_event;
    trace::EnumerationTable* enumerations = nullptr; // see ReadOptions
};

/// Who waits for a command, and how he ends it.
struct Attendance {
    cli::Progress& progress;
    const Interruption& interruption;
};

/// The account of a trace that can be read to its end. `share` is the part of the
/// progress bar that this is.
Expected<cli::Outcome> examine(const std::vector<std::filesystem::path>& paths,
                               const Spectator& spectator, const Attendance& attendance,
                               double share);

} // namespace lttng_gpu::exporting
