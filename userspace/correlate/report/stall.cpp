// SPDX-License-Identifier: MIT
//
// See stall.hpp.
#include "stall.hpp"

#include <algorithm>
#include <map>

namespace lttng_gpu::report {

void StallTally::add(const model::Job& job)
{
    if (job.queued && job.submitted) {
        m_longest_in_host = std::max(m_longest_in_host, *job.submitted - *job.queued);
    }
    if (job.submitted && job.completed) {
        m_longest_on_device = std::max(m_longest_on_device, *job.completed - *job.submitted);
    }
    if (job.is_alive_at_end && (job.submitted || job.queued)) {
        const bool is_on_device = job.submitted.has_value();
        m_open.push_back(
            {job.fence, job.actor, is_on_device ? *job.submitted : *job.queued, is_on_device});
    }
}

/// What is on the device holds up what is in the host queue, however long that has been there.
const StallTally::Open* StallTally::find_oldest(Timestamp end) const
{
    const auto is_before = [](const Open& left, const Open& right) {
        return left.is_on_device != right.is_on_device ? left.is_on_device
                                                       : left.since < right.since;
    };
    const auto oldest = std::ranges::min_element(m_open, is_before);
    return oldest != m_open.end() && oldest->since < end ? &*oldest : nullptr;
}

bool StallTally::is_longest(const Open& open, Timestamp end) const
{
    return end - open.since > (open.is_on_device ? m_longest_on_device : m_longest_in_host);
}

std::vector<StallTally::Behind> StallTally::find_behind(const Open& oldest, Timestamp end) const
{
    std::map<std::pair<model::ProcessIdentity, StringId>, Behind> found;
    for (const Open& open : m_open) {
        if (&open != &oldest && open.since < end) {
            Behind& behind = found[{model::ProcessIdentity{open.actor}, open.actor.comm}];
            behind.actor = open.actor;
            ++behind.jobs;
        }
    }
    std::vector<Behind> all;
    for (const auto& [process, behind] : found) {
        all.push_back(behind);
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &Behind::jobs);
    return all;
}

} // namespace lttng_gpu::report
