// SPDX-License-Identifier: MIT
//
// See check.hpp: which true job and interval a row is about. Rows of drivers that
// show no fence are found by their times.
#include "check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace lttng_gpu::simulator {
namespace {

using Index = std::unordered_multimap<std::uint64_t, std::uint32_t>;

constexpr std::uint64_t low_key(std::uint64_t context, std::uint64_t seqno)
{
    return (context << 32U) ^ (seqno & 0xffffffffU);
}

Time value_of(const std::optional<Timestamp>& time)
{
    return time ? time->value() : never;
}

bool is_full_match(const Recording& recording, const TrueJob& job, const model::Job& row)
{
    const bool is_cut =
        recording.fences == FenceEvents::Old || recording.fences == FenceEvents::Dma;
    const std::uint64_t context = row.fence.context->value();
    const std::uint64_t seqno = row.fence.seqno->value();
    return (context == job.context && seqno == job.seqno) ||
           (is_cut && context == (job.context & 0xffffffffU) && seqno == (job.seqno & 0xffffffffU));
}

} // namespace

void Check::match()
{
    m_rows_of.resize(m_world.jobs.size());
    Index by_fence;
    Index by_time;
    Index by_sent;
    for (std::uint32_t job = 0; job < m_world.jobs.size(); ++job) {
        by_sent.emplace(m_world.jobs[job].sent, job);
        by_fence.emplace(low_key(m_world.jobs[job].context, m_world.jobs[job].seqno), job);
        for (const Told& told : m_truth.told(job)) {
            by_time.emplace(static_cast<std::uint64_t>(told.time), job);
        }
    }
    const bool is_virtio = m_scenario.recording.driver == Driver::VirtioGpu;
    for (const model::Job& row : m_shown.rows) {
        std::vector<std::uint32_t> jobs;
        if (is_virtio && row.fence.seqno) {
            const auto sent = by_sent.find(row.fence.seqno->value());
            if (sent != by_sent.end()) {
                jobs.push_back(sent->second);
            }
        } else if (row.fence.context && row.fence.context->value() >= hardware_fence_base) {
            for (std::uint32_t job = 0; row.fence.seqno && job < m_world.jobs.size(); ++job) {
                if (m_world.jobs[job].entity + hardware_fence_base == row.fence.context->value() &&
                    m_world.jobs[job].seqno == row.fence.seqno->value()) {
                    jobs.push_back(job);
                    complain("named by its hardware fence", job, describe(row, m_shown.rings));
                }
            }
        } else if (row.fence.context && row.fence.seqno) {
            const auto range =
                by_fence.equal_range(low_key(row.fence.context->value(), row.fence.seqno->value()));
            for (auto found = range.first; found != range.second; ++found) {
                if (is_full_match(m_scenario.recording, m_world.jobs[found->second], row)) {
                    jobs.push_back(found->second);
                }
            }
        } else {
            for (const auto& time : {row.queued, row.submitted, row.completed}) {
                const auto range = by_time.equal_range(static_cast<std::uint64_t>(value_of(time)));
                for (auto found = range.first; time && found != range.second; ++found) {
                    jobs.push_back(found->second);
                }
            }
        }
        std::erase_if(jobs, [&](std::uint32_t job) { return job >= m_world.jobs.size(); });
        const std::uint32_t job = best_of(row, jobs);
        if (job == nobody) {
            complain("invented row", nobody, describe(row, m_shown.rings));
            continue;
        }
        m_rows_of[job].push_back(m_matched.size());
        m_matched.push_back({&row, job, interval_of(row, job)});
    }
}

std::uint32_t Check::best_of(const model::Job& row, const std::vector<std::uint32_t>& jobs) const
{
    std::uint32_t best = nobody;
    int most = 0;
    for (const std::uint32_t job : jobs) {
        const int likeness_now = likeness(row, job) * 2 + (m_rows_of[job].empty() ? 1 : 0);
        if (best == nobody || likeness_now > most) {
            best = job;
            most = likeness_now;
        }
    }
    return best;
}

int Check::likeness(const model::Job& row, std::uint32_t job) const
{
    int count = 0;
    for (const Told& told : m_truth.told(job)) {
        count += told.phase == Phase::Queued && told.time == value_of(row.queued) ? 2 : 0;
        count += told.phase == Phase::Submitted && told.time == value_of(row.submitted) ? 2 : 0;
        count += told.phase == Phase::Completed && told.time == value_of(row.completed) ? 2 : 0;
    }
    const TrueJob& truth = m_world.jobs[job];
    const auto tid = m_world.clients[truth.client].tid;
    count += row.actor.tid && row.actor.tid->value() == tid ? 1 : 0;
    if (row.ring) {
        const auto name = m_shown.rings.text(m_shown.rings.at(*row.ring).name);
        count += name == m_world.rings[truth.ring].name ||
                         name == fmt::format("{:#x}", ring_number(truth.ring))
                     ? 1
                     : 0;
    }
    return count;
}

/// By its submission, of which a coarse clock may make several equal, else by its
/// number.
std::uint8_t Check::interval_of(const model::Job& row, std::uint32_t job) const
{
    std::optional<std::uint8_t> found;
    for (const Told& told : m_truth.told(job)) {
        if (told.phase == Phase::Submitted && told.time == value_of(row.submitted) &&
            (!found || told.interval == row.interval)) {
            found = told.interval;
        }
    }
    if (found) {
        return *found;
    }
    const std::size_t intervals = m_world.jobs[job].intervals.size();
    if (row.is_last && intervals > 0 && row.completed) {
        return static_cast<std::uint8_t>(intervals - 1);
    }
    return static_cast<std::uint8_t>(
        std::min<std::size_t>(row.interval, intervals > 0 ? intervals - 1 : 0));
}

} // namespace lttng_gpu::simulator
