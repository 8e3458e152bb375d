// SPDX-License-Identifier: MIT
//
// See open_traces.hpp. Every input is read with babeltrace2.
#include "open_traces.hpp"

#include "bt2/source.hpp"

namespace lttng_gpu::trace {

Expected<std::unique_ptr<EventSource>> open_traces(const std::vector<std::filesystem::path>& inputs,
                                                   std::vector<WantedEvent> wanted,
                                                   const ReadOptions&)
{
    const auto traces = find_traces(inputs);
    if (!traces) {
        return Failure{traces.error()};
    }
    return Bt2Source::open(*traces, std::move(wanted));
}

} // namespace lttng_gpu::trace
