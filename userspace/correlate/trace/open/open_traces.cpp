// SPDX-License-Identifier: MIT
//
// See open_traces.hpp.
#include "open_traces.hpp"

#include "../bt2/source.hpp"
#include "../ctf/ctf_source.hpp"
#include "../merged_source.hpp"
#include "open_ftrace.hpp"
#include "recognise.hpp"

#include <algorithm>

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

namespace {

/// The same host, as far as both say it, of another boot.
bool is_of_other_boot(const MachineName& left, const MachineName& right)
{
    const bool has_both = !left.boot_id.empty() && !right.boot_id.empty();
    const bool is_other_host = !left.host.empty() && !right.host.empty() && left.host != right.host;
    return has_both && left.boot_id != right.boot_id && !is_other_host;
}

Expected<void> check_boots(const EventSource& source)
{
    const auto all = source.trace_facts();
    std::vector<const TraceFacts*> known; // one of each machine and boot
    for (const auto& [trace, facts] : all) {
        const auto is_other = [&of = facts](const TraceFacts* other) {
            return is_of_other_boot(other->machine, of.machine);
        };
        const auto is_same = [&of = facts](const TraceFacts* other) {
            return other->machine.boot_id == of.machine.boot_id &&
                   other->machine.host == of.machine.host;
        };
        const auto other = std::ranges::find_if(known, is_other);
        if (other != known.end()) {
            return Failure{
                {ErrorKind::UnreadableTrace,
                 (*other)->path + " and " + facts.path + ": recordings of different boots (" +
                     (*other)->machine.boot_id + " and " + facts.machine.boot_id +
                     "): neither times nor ids of one mean anything in the other; read them one "
                     "by one"}};
        }
        if (std::ranges::none_of(known, is_same)) {
            known.push_back(&facts);
        }
    }
    return {};
}

std::unique_ptr<EventSource> as_one(std::vector<std::unique_ptr<EventSource>> sources)
{
    return sources.size() == 1 ? std::move(sources.front())
                               : std::make_unique<MergedSource>(std::move(sources));
}

} // namespace

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
    auto source = as_one(std::move(sources));
    if (!options.may_mix_boots) {
        if (const auto checked = check_boots(*source); !checked) {
            return Failure{checked.error()};
        }
    }
    return source;
}

} // namespace lttng_gpu::trace
