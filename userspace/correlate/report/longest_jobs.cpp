// SPDX-License-Identifier: MIT
//
// See longest_jobs.hpp.
#include "longest_jobs.hpp"

#include "job_words.hpp"

#include <algorithm>

namespace lttng_gpu::report {
namespace {

std::optional<std::int64_t> plain(std::optional<Duration> length)
{
    return length ? std::optional{length->value()} : std::nullopt;
}

} // namespace

std::optional<Duration> whole_of(const model::Job& job)
{
    return job.queued && job.submitted && job.completed
               ? std::optional{*std::max(job.queued, job.completed) - *job.queued}
               : std::nullopt;
}

void LongestJobs::insert_into(std::vector<Kept>& heap, Kept kept, std::size_t most)
{
    heap.push_back(std::move(kept));
    std::push_heap(heap.begin(), heap.end(), is_longer);
    if (heap.size() > most) {
        std::pop_heap(heap.begin(), heap.end(), is_longer);
        heap.pop_back();
    }
}

void LongestJobs::insert(const Kept& kept)
{
    insert_into(m_ended, kept, m_most);
    if (m_ended.size() == m_most) {
        m_least = m_most > 0 ? m_ended.front().total : std::numeric_limits<std::int64_t>::max();
    }
}

void LongestJobs::offer_open(const model::Job& job, Timestamp queued, const PhaseLengths& lengths)
{
    insert_into(m_open, {-queued.value(), queued, lengths, job}, m_most);
}

std::vector<LongJob> LongestJobs::finish(const model::RingTable& rings, Timestamp window_end)
{
    std::vector<Kept> all = std::move(m_ended);
    for (Kept& open : m_open) {
        open.total = (window_end - open.queued).value();
        all.push_back(std::move(open));
    }
    std::sort(all.begin(), all.end(), is_longer);
    all.resize(std::min(all.size(), m_most));
    std::vector<LongJob> result;
    for (const Kept& kept : all) {
        const model::Job& job = kept.job;
        LongJob made;
        if (job.ring) {
            const model::Ring& ring = rings.at(*job.ring);
            made.device = rings.text(ring.device);
            made.ring = rings.text(ring.shown);
            made.driver = rings.text(ring.driver);
            // a ring that turned out to be parallel was so before, too
            made.has_doubtful_start =
                !ring.is_order_known && job.started_basis == model::Basis::Inferred &&
                std::ranges::any_of(ring.disorder,
                                    [](const auto& part) { return part.is_parallel(); });
        }
        made.comm = rings.text(job.actor.comm);
        made.api_call = rings.text(job.api_call);
        made.debug_group = rings.text(job.debug_group);
        made.context = job.fence.context;
        made.seqno = job.fence.seqno;
        made.pid = job.actor.pid;
        made.tid = job.actor.tid;
        made.queued = kept.queued;
        made.total = kept.total;
        made.is_open = !job.completed;
        made.host_queue = plain(kept.lengths.host_queue);
        if (!made.has_doubtful_start) {
            made.device_queue = plain(kept.lengths.device_queue);
            made.execution = plain(kept.lengths.execution);
        }
        made.is_on_device = job.submitted.has_value();
        made.fault = job.fault;
        made.intervals = job.interval + 1U;
        result.push_back(std::move(made));
    }
    return result;
}

} // namespace lttng_gpu::report
