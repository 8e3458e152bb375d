// SPDX-License-Identifier: MIT
//
// See noted_losses.hpp.
#include "noted_losses.hpp"

#include "../base/loss_note.hpp"
#include "../trace/trace_discovery.hpp"

namespace lttng_gpu::run {

/// What is no trace of LTTng's, or cannot be read, stands for itself.
std::uint64_t noted_losses(std::vector<std::filesystem::path> traces)
{
    if (const auto found = trace::find_traces(traces)) {
        for (const trace::TraceDirectory& trace : *found) {
            traces.push_back(trace.path);
        }
    }
    return count_noted_losses(traces);
}

} // namespace lttng_gpu::run
