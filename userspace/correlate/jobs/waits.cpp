// SPDX-License-Identifier: MIT
//
// See waits.hpp.
#include "waits.hpp"

#include <algorithm>
#include <stdexcept>

namespace lttng_gpu::model {
namespace {

JobKey cut(const JobKey& key)
{
    return {key.trace, KeySpace::Fence, true, static_cast<std::uint32_t>(key.timeline),
            static_cast<std::uint32_t>(key.seqno)};
}

constexpr std::uint32_t bit(WaitSource source)
{
    return static_cast<std::uint32_t>(source);
}

} // namespace

WaitSource Waits::add_source()
{
    if (m_sources == 32) {
        throw std::length_error{"more than 32 sources of waits"}; // a set is one word
    }
    return WaitSource{1U << m_sources++};
}

std::uint64_t Waits::hash_of(const JobKey& fence)
{
    return mix_hash(mix_hash(fence.trace.value(), fence.timeline), fence.seqno);
}

void Waits::on_begin(Timestamp time, const Actor& actor, const JobKey& fence, WaitSource source,
                     const FenceNames& names)
{
    if (!actor.tid || m_waiting.size() >= most_waits) {
        m_anomalies.count(Anomaly::WaitUnpaired);
        return;
    }
    const ThreadKey thread{fence.trace, *actor.tid};
    const JobKey key = cut(fence);
    if (Waiting* outer = m_waiting.find(thread.hash(), thread)) {
        if (outer->fence == key && (outer->sources & bit(source)) == 0) {
            outer->sources |= bit(source);
            return;
        }
        m_anomalies.count(Anomaly::WaitUnpaired); // its end was not seen
        m_ends[fence.trace].missed |= outer->sources;
        m_jobs.forget_waiters(outer->job);
        remove(thread, outer->fence);
    }
    Waiting waiting{};
    waiting.fence = key;
    waiting.shown = {FenceContext{fence.timeline}, FenceSeqno{fence.seqno}};
    waiting.actor = actor;
    waiting.begin = time;
    waiting.sources = bit(source);
    waiting.is_cut = fence.is_cut;
    waiting.driver = m_texts.of(names.driver);
    waiting.timeline = m_texts.of(names.timeline);
    if (const JobIndex job = m_jobs.find_open(fence); job != no_job && !m_jobs.is_unsure(fence)) {
        waiting.job = m_jobs.jobs().ref(job);
        m_jobs.add_waiter(job);
    }
    m_waiting.insert(thread.hash(), thread, waiting);
    m_fences.insert(hash_of(key), key, thread);
}

void Waits::on_end(Timestamp time, std::optional<Tid> tid, const JobKey& fence, WaitSource source)
{
    const TraceId trace = fence.trace;
    const ThreadKey thread{trace, tid.value_or(Tid{})};
    const JobKey key = cut(fence);
    m_ends[trace].seen |= bit(source);
    Waiting* waiting = tid ? m_waiting.find(thread.hash(), thread) : nullptr;
    if (waiting == nullptr || waiting->fence != key) {
        m_anomalies.count(Anomaly::WaitUnpaired);
        return;
    }
    waiting->sources &= ~bit(source);
    if (waiting->sources != 0) {
        return;
    }
    const Waiting ended = *waiting;
    remove(thread, key);
    if (m_jobs.is_lost_since(trace, ended.begin)) {
        m_anomalies.count(Anomaly::WaitUnpaired); // perhaps another wait's end
        m_jobs.forget_waiters(ended.job);
        return;
    }
    Wait wait{ended.actor, ended.shown, {}, ended.begin, time, ended.signaled};
    if (const JobIndex job = m_jobs.find(fence); job != no_job && !m_jobs.is_unsure(fence)) {
        wait.ring = m_jobs.at(job).job.ring;
        if (!wait.signaled) {
            wait.signaled = m_jobs.at(job).job.completed;
        }
    }
    m_jobs.end_wait(ended.job, time);
    Duration& longest = m_ends[trace].longest;
    longest = std::max(longest, time - ended.begin);
    m_sink.on_wait(wait);
}

void Waits::note_signaled(Timestamp time, const JobKey& fence)
{
    const JobKey key = cut(fence);
    m_fences.find_if(hash_of(key), [&](const JobKey& other, const ThreadKey& thread) {
        if (other == key) {
            if (Waiting* waiting = m_waiting.find(thread.hash(), thread)) {
                waiting->signaled = time;
            }
        }
        return false;
    });
}

/// Waiters may wake up unseen; the rows of their jobs need not wait for it.
void Waits::on_loss(TraceId trace)
{
    m_waiting.for_each([&](const ThreadKey& thread, Waiting& waiting) {
        if (thread.trace == trace) {
            m_jobs.forget_waiters(waiting.job);
        }
    });
}

/// Its end is neither lost nor of a kind that the trace does not have, and its fence was not
/// signaled.
bool Waits::is_open(const ThreadKey& thread, const Waiting& waiting)
{
    const Ends& ends = m_ends[thread.trace];
    const bool has_ends = (waiting.sources & ends.missed & ~ends.seen) == 0;
    return has_ends && !waiting.signaled && !m_jobs.is_lost_since(thread.trace, waiting.begin);
}

void Waits::finish(const RingTable& rings, Timestamp end)
{
    m_waiting.for_each([&](const ThreadKey& thread, Waiting& waiting) {
        OpenWait wait;
        JobKey fence = waiting.fence;
        fence.timeline = waiting.shown.context->value();
        fence.seqno = waiting.shown.seqno->value();
        fence.is_cut = waiting.is_cut;
        const JobIndex job = m_jobs.find(fence);
        const bool is_known = job != no_job && !m_jobs.is_unsure(fence);
        if (!is_open(thread, waiting) || (is_known && m_jobs.at(job).job.completed)) {
            m_anomalies.count(Anomaly::WaitUnpaired);
            return;
        }
        wait.actor = waiting.actor;
        wait.comm = rings.text(waiting.actor.comm);
        wait.fence = waiting.shown;
        wait.driver = rings.text(waiting.driver);
        wait.timeline = rings.text(waiting.timeline);
        if (is_known && m_jobs.at(job).job.ring) {
            const Ring& ring = rings.at(*m_jobs.at(job).job.ring);
            wait.device = rings.text(ring.device);
            wait.ring = rings.text(ring.shown);
        }
        wait.begin = waiting.begin;
        wait.is_longest = end - waiting.begin > m_ends[thread.trace].longest;
        m_open.push_back(std::move(wait));
    });
    std::ranges::stable_sort(m_open, {}, &OpenWait::begin);
}

void Waits::remove(const ThreadKey& thread, const JobKey& fence)
{
    const JobKey key = fence; // `fence` may lie in what is erased
    m_waiting.erase(thread.hash(), thread);
    m_fences.erase_if(hash_of(key), [&](const JobKey& other, const ThreadKey& waiter) {
        return other == key && waiter == thread;
    });
}

} // namespace lttng_gpu::model
