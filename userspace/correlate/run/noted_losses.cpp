// SPDX-License-Identifier: MIT
//
// See noted_losses.hpp.
#include "noted_losses.hpp"

#include "../base/loss_note.hpp"
#include "../trace/trace_discovery.hpp"

#include <utility>

namespace lttng_gpu::run {
namespace {

namespace fs = std::filesystem;

/// What is no trace of LTTng's, or cannot be read, stands for itself.
std::vector<fs::path> with_parts(std::vector<fs::path> traces, std::vector<fs::path>& passed_over)
{
    if (const auto found = trace::find_traces(traces, &passed_over)) {
        for (const trace::TraceDirectory& trace : *found) {
            traces.push_back(trace.path);
        }
    }
    return traces;
}

} // namespace

std::uint64_t noted_losses(std::vector<fs::path> traces)
{
    std::vector<fs::path> passed_over;
    traces = with_parts(std::move(traces), passed_over);
    return count_noted_losses(traces) + passed_over.size();
}

Expected<void> copy_noted_losses(std::vector<fs::path> traces, const fs::path& trace)
{
    std::vector<fs::path> passed_over;
    traces = with_parts(std::move(traces), passed_over);
    return lttng_gpu::copy_noted_losses(traces, trace, passed_over.size());
}

} // namespace lttng_gpu::run
