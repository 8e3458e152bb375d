// SPDX-License-Identifier: MIT
//
// See writing.hpp.
#include "writing.hpp"

#include "../correlate/run/noted_losses.hpp"
#include "graph.hpp"

#include <algorithm>

namespace lttng_gpu::exporting {

Expected<void> write_traces(const Writing& writing, OutputDirectory& output)
{
    auto graph = ExportGraph::open(writing.plan, writing.work, output.path());
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
        if (writing.context.interruption.is_requested()) {
            return interrupted();
        }
        const double done = static_cast<double>(writing.work.events) /
                            static_cast<double>(std::max<std::uint64_t>(writing.events, 1));
        writing.context.progress.update(examination_share + done * (1 - examination_share),
                                        writing.work.events);
    }
    graph->reset(); // the sink writes the metadata when it goes
    if (auto copied = run::copy_noted_losses(writing.inputs, output.path()); !copied) {
        return copied;
    }
    return output.finish();
}

} // namespace lttng_gpu::exporting
