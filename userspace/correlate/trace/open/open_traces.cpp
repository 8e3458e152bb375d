// SPDX-License-Identifier: MIT
//
// See open_traces.hpp.
#include "open_traces.hpp"

#include "../bt2/source.hpp"
#include "../ctf/source.hpp"
#include "../merged_source.hpp"
#include "open_ftrace.hpp"

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
        return Bt2Source::open(*traces, wanted, options.enumerations);
    }
    auto source = ctf::CtfSource::open(*traces, wanted,
                                       {options.workers, options.threads, options.begin,
                                        options.end, options.enumerations, options.aligns_clocks});
    if (!source) {
        return Failure{source.error()};
    }
    return std::unique_ptr<EventSource>{std::move(*source)};
}

} // namespace

bool is_live(const std::filesystem::path& input)
{
    const std::string& text = input.native();
    return text.starts_with("net://") || text.starts_with("net4://") || text.starts_with("net6://");
}

Expected<std::unique_ptr<EventSource>> open_traces(const std::vector<std::filesystem::path>& inputs,
                                                   const std::vector<WantedEvent>& wanted,
                                                   const ReadOptions& options)
{
    std::vector<std::filesystem::path> directories;
    std::vector<std::unique_ptr<EventSource>> sources;
    for (const std::filesystem::path& input : inputs) {
        if (is_live(input)) {
            auto source = Bt2Source::open_live(input.native(), wanted, options.enumerations);
            if (!source) {
                return source;
            }
            sources.push_back(std::move(*source));
            continue;
        }
        std::error_code error;
        if (!std::filesystem::is_regular_file(input, error)) {
            directories.push_back(input); // or nothing at all, which discovery will say
            continue;
        }
        auto source = open_ftrace(input, wanted, options);
        if (!source) {
            return source;
        }
        sources.push_back(std::move(*source));
    }
    if (!directories.empty()) {
        auto source = open_ctf(directories, wanted, options);
        if (!source) {
            return source;
        }
        sources.push_back(std::move(*source));
    }
    if (sources.size() == 1) {
        return std::move(sources.front());
    }
    return std::make_unique<MergedSource>(std::move(sources));
}

} // namespace lttng_gpu::trace
