// SPDX-License-Identifier: MIT
//
// See open_traces.hpp.
#include "open_traces.hpp"

#include "bt2/source.hpp"
#include "ctf/source.hpp"
#include "merged_source.hpp"

namespace lttng_gpu::trace {
namespace {

Expected<std::unique_ptr<EventSource>> open_ctf(const std::vector<std::filesystem::path>& roots,
                                                const std::vector<WantedEvent>& wanted,
                                                const ReadOptions& options)
{
    const auto traces = find_traces(roots);
    if (!traces) {
        return Failure{traces.error()};
    }
    if (options.reader == Reader::Babeltrace2) {
        return Bt2Source::open(*traces, wanted);
    }
    auto source = ctf::CtfSource::open(
        *traces, wanted, {options.workers, options.threads, options.begin, options.end});
    if (!source) {
        return Failure{source.error()};
    }
    return std::unique_ptr<EventSource>{std::move(*source)};
}

} // namespace

Expected<std::unique_ptr<EventSource>> open_traces(const std::vector<std::filesystem::path>& inputs,
                                                   std::vector<WantedEvent> wanted,
                                                   const ReadOptions& options)
{
    return open_ctf(inputs, wanted, options);
}

} // namespace lttng_gpu::trace
