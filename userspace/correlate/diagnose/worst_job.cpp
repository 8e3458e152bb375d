// SPDX-License-Identifier: MIT
//
// See worst_job.hpp.
#include "worst_job.hpp"

#include "../base/printable_text.hpp"
#include "../report/text_format.hpp"
#include "condensed_parts.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::diagnose {
namespace {

/// As --job takes it; nothing for a job that has no such name.
std::string name_of(const model::Job& job, const model::RingTable& rings)
{
    if (!job.fence.seqno) {
        return {};
    }
    if (job.fence.context) {
        return fmt::format("{}:{}", job.fence.context->value(), job.fence.seqno->value());
    }
    return job.ring ? fmt::format("{}:{}", place_text(job.ring, rings), job.fence.seqno->value())
                    : std::string{};
}

} // namespace

std::optional<report::WorstJob> worst_job(const std::vector<Diagnosis>& worst_first,
                                          const model::RingTable& rings)
{
    if (worst_first.empty()) {
        return {};
    }
    const Diagnosis& worst = worst_first.front();
    std::string words =
        fmt::format("{} on {}, {}", report::human_duration(worst.latency()),
                    place_text(worst.job.ring, rings), actor_text(worst.job.actor, rings));
    std::vector<Part> parts = condensed(worst.parts);
    std::erase_if(parts, [](const Part& part) { return part.is_before; });
    const auto longest = std::ranges::max_element(parts, {}, &Part::length);
    if (longest != parts.end()) {
        words += fmt::format("; {} of it: {}", report::human_duration(longest->length),
                             sentence(*longest, rings));
    }
    return report::WorstJob{printable_text(words), name_of(worst.job, rings), {}};
}

} // namespace lttng_gpu::diagnose
