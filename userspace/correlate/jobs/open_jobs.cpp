// SPDX-License-Identifier: MIT
//
// See open_jobs.hpp. Keys are hashed by the low halves of their numbers, so that
// a cut key and the full one meet in the table.
#include "open_jobs.hpp"

#include <algorithm>
#include <stdexcept>

namespace lttng_gpu::model {
namespace {

/// Jobs of one context that one met late is put before, at most.
constexpr int most_out_of_order = 256;

constexpr std::uint32_t low_half(std::uint64_t value)
{
    return static_cast<std::uint32_t>(value);
}

constexpr bool has_timeline(const JobKey& key)
{
    return key.space == KeySpace::Fence;
}

} // namespace

bool is_match(const JobKey& left, const JobKey& right)
{
    if (left.trace != right.trace || left.space != right.space) {
        return false;
    }
    if (left.is_cut || right.is_cut) {
        return low_half(left.timeline) == low_half(right.timeline) &&
               low_half(left.seqno) == low_half(right.seqno);
    }
    return left.timeline == right.timeline && left.seqno == right.seqno;
}

std::uint64_t OpenJobs::hash_of(const JobKey& key)
{
    // a pointer differs from others in its low half as well
    const std::uint64_t seed = key.trace.value() * 32ULL + static_cast<std::uint64_t>(key.space);
    return mix_hash(seed * 0x2545f4914f6cdd1dULL,
                    std::uint64_t{low_half(key.timeline)} << 32U | low_half(key.seqno));
}

KeySpace OpenJobs::add_key_space(const KeyTraits& traits)
{
    if (m_key_spaces == 32) {
        throw std::length_error{"more than 32 key spaces of jobs"}; // a set is one word
    }
    const KeySpace space{static_cast<std::uint8_t>(m_key_spaces)};
    m_pointer_spaces |= (traits.is_pointer ? 1U : 0U) << m_key_spaces;
    m_shared_spaces |= (traits.may_fit_several ? 1U : 0U) << m_key_spaces;
    ++m_key_spaces;
    return space;
}

JobIndex OpenJobs::allocate(TraceId trace, JobState state)
{
    if (m_free.empty()) {
        m_free.push_back(static_cast<JobIndex>(m_jobs.size()));
        m_jobs.emplace_back();
    }
    const JobIndex job = m_free.back();
    m_free.pop_back();
    static constexpr TrackedJob fresh{}; // faster to copy than to build
    TrackedJob& tracked = m_jobs[job];
    const std::uint32_t generation = tracked.generation;
    tracked = fresh;
    tracked.generation = generation;
    tracked.trace = trace;
    tracked.state = state;
    return job;
}

/// Already; if it was by less of the fence's numbers, that key goes.
bool OpenJobs::is_known_by(JobIndex job, const JobKey& key)
{
    TrackedJob& tracked = m_jobs[job];
    for (std::uint8_t at = 0; at < tracked.key_count; ++at) {
        const JobKey known = tracked.keys[at];
        if (!is_match(known, key)) {
            continue;
        }
        if (!known.is_cut || key.is_cut) {
            return true;
        }
        m_index.erase_if(hash_of(known),
                         [&](const JobKey&, JobIndex other) { return other == job; });
        tracked.keys[at] = tracked.keys[--tracked.key_count];
        tracked.has_cut_key = false;
        unlink(job);
        return false;
    }
    return false;
}

void OpenJobs::add_key(JobIndex job, const JobKey& key)
{
    TrackedJob& tracked = m_jobs[job];
    if (is_known_by(job, key) || tracked.key_count == tracked.keys.size()) {
        return;
    }
    tracked.has_cut_key = tracked.has_cut_key || key.is_cut;
    tracked.keys[tracked.key_count++] = key;
    tracked.has_pointer = tracked.has_pointer || is_pointer(key.space);
    m_index.insert(hash_of(key), key, job);
    if (has_timeline(key) && tracked.timeline == no_job) {
        tracked.timeline = timeline_of(key.trace, key.timeline);
        link(job);
    }
}

void OpenJobs::remove_pointers(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    for (std::uint8_t at = 0; at < tracked.key_count;) {
        if (!is_pointer(tracked.keys[at].space)) {
            ++at;
            continue;
        }
        const JobKey key = tracked.keys[at];
        m_index.erase_if(hash_of(key), [&](const JobKey&, JobIndex other) { return other == job; });
        tracked.keys[at] = tracked.keys[--tracked.key_count];
    }
}

void OpenJobs::free(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    if (tracked.state == JobState::Free) {
        return;
    }
    for (std::uint8_t at = 0; at < tracked.key_count; ++at) {
        m_index.erase_if(hash_of(tracked.keys[at]),
                         [&](const JobKey&, JobIndex other) { return other == job; });
    }
    unlink(job);
    tracked.key_count = 0;
    tracked.state = JobState::Free;
    ++tracked.generation;
    m_free.push_back(job);
}

void OpenJobs::free_if_unused(JobIndex job)
{
    const TrackedJob& tracked = m_jobs[job];
    if (tracked.state == JobState::Done && !tracked.is_recent && !tracked.has_row &&
        !tracked.is_held) {
        free(job);
    }
}

void OpenJobs::set_recent(JobIndex job)
{
    m_jobs[job].is_recent = true;
    m_recent.push_back(job);
    if (m_recent.size() > recent_jobs) {
        const JobIndex oldest = m_recent.front();
        m_recent.pop_front();
        m_jobs[oldest].is_recent = false;
        free_if_unused(oldest);
        fetch(m_jobs[m_recent.front()]); // the next one to go
    }
}

/// Nobody has looked at the job for hundreds of others: brings it into the cache.
void OpenJobs::fetch(const TrackedJob& tracked)
{
    constexpr std::size_t cache_line = 64;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&tracked);
    for (std::size_t at = 0; at < sizeof tracked; at += cache_line) {
        __builtin_prefetch(bytes + at, 1);
    }
}

/// Nearly always there is no such key or one, whole, of an open job.
JobIndex OpenJobs::find(const JobKey& key, bool* is_ambiguous)
{
    const std::uint64_t hash = hash_of(key);
    const auto* const first = m_index.find_first(hash);
    if (first == nullptr) {
        return no_job;
    }
    if (first->key == key && !key.is_cut && !is_in(m_shared_spaces, key.space) &&
        m_jobs[first->value].state != JobState::Done) {
        return first->value;
    }
    return find_best(hash, key, is_ambiguous);
}

JobIndex OpenJobs::find_best(std::uint64_t hash, const JobKey& key, bool* is_ambiguous)
{
    JobIndex open = no_job;
    JobIndex done = no_job;
    std::size_t fitting = 0;
    m_index.find_if(hash, [&](const JobKey& other, JobIndex job) {
        if (!is_match(key, other)) {
            return false;
        }
        const bool is_done = m_jobs[job].state == JobState::Done;
        (is_done ? done : open) = job;
        fitting += is_done ? 0 : 1;
        // numbers may fit a job of another scheduler of the same name, or device
        const bool may_fit_others = key.is_cut || other.is_cut || is_in(m_shared_spaces, key.space);
        return !may_fit_others && !is_done;
    });
    if (fitting > 1) {
        if (is_ambiguous != nullptr) {
            *is_ambiguous = true;
        }
        return no_job;
    }
    return open != no_job ? open : done;
}

std::uint32_t OpenJobs::seqno_of(JobIndex job) const
{
    const TrackedJob& tracked = m_jobs[job];
    for (std::uint8_t at = 0; at < tracked.key_count; ++at) {
        if (tracked.keys[at].space == KeySpace::Fence) {
            return low_half(tracked.keys[at].seqno);
        }
    }
    return 0;
}

bool OpenJobs::is_before(JobIndex first, JobIndex second) const
{
    return static_cast<std::int32_t>(seqno_of(first) - seqno_of(second)) < 0;
}

/// In order of seqno. At the begin of a trace and after a gap that is not the
/// order in which they are met.
void OpenJobs::link(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    Timeline& timeline = m_timelines[tracked.timeline];
    JobIndex older = timeline.newest;
    for (int count = 0; older != no_job && is_before(job, older) && count < most_out_of_order;
         ++count) {
        older = m_jobs[older].older;
    }
    JobIndex& from_older = older != no_job ? m_jobs[older].newer : timeline.oldest;
    tracked.older = older;
    tracked.newer = from_older;
    from_older = job;
    (tracked.newer != no_job ? m_jobs[tracked.newer].older : timeline.newest) = job;
}

void OpenJobs::unlink(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    if (tracked.timeline == no_job) {
        return;
    }
    Timeline& timeline = m_timelines[tracked.timeline];
    (tracked.older != no_job ? m_jobs[tracked.older].newer : timeline.oldest) = tracked.newer;
    (tracked.newer != no_job ? m_jobs[tracked.newer].older : timeline.newest) = tracked.older;
    tracked.older = no_job;
    tracked.newer = no_job;
    tracked.timeline = no_job;
}

std::uint32_t OpenJobs::timeline_of(TraceId trace, std::uint64_t context)
{
    std::uint32_t& latest = m_latest_timelines[context % m_latest_timelines.size()];
    const bool is_known = latest < m_timelines.size() && m_timelines[latest].is_used &&
                          m_timelines[latest].context == context &&
                          m_timelines[latest].trace == trace;
    if (!is_known) {
        latest = find_or_add_timeline(trace, context);
    }
    return latest;
}

std::uint32_t OpenJobs::find_or_add_timeline(TraceId trace, std::uint64_t context)
{
    const std::uint64_t hash = mix_hash(trace.value() + 1ULL, context);
    const std::uint32_t* known =
        m_timeline_ids.find_if(hash, [&](std::uint64_t other, std::uint32_t id) {
            return other == context && m_timelines[id].trace == trace;
        });
    if (known != nullptr) {
        return *known;
    }
    if (m_timeline_ids.size() >= m_next_forgetting) {
        forget_idle_timelines();
    }
    if (m_free_timelines.empty()) {
        m_free_timelines.push_back(static_cast<std::uint32_t>(m_timelines.size()));
        m_timelines.emplace_back();
    }
    const std::uint32_t id = m_free_timelines.back();
    m_free_timelines.pop_back();
    m_timelines[id] = {trace, context, no_job, no_job, true, {}};
    m_timeline_ids.insert(hash, context, id);
    return id;
}

ContextFacts* OpenJobs::find_facts(TraceId trace, std::uint64_t context)
{
    const std::uint64_t hash = mix_hash(trace.value() + 1ULL, context);
    const std::uint32_t* known =
        m_timeline_ids.find_if(hash, [&](std::uint64_t other, std::uint32_t id) {
            return other == context && m_timelines[id].trace == trace;
        });
    return known != nullptr ? &m_timelines[*known].facts : nullptr;
}

/// Contexts are made and left all the time; only those with open jobs matter.
void OpenJobs::forget_idle_timelines()
{
    for (std::uint32_t id = 0; id < m_timelines.size(); ++id) {
        Timeline& timeline = m_timelines[id];
        if (!timeline.is_used || timeline.oldest != no_job) {
            continue;
        }
        m_timeline_ids.erase_if(mix_hash(timeline.trace.value() + 1ULL, timeline.context),
                                [&](std::uint64_t, std::uint32_t other) { return other == id; });
        timeline.is_used = false;
        m_free_timelines.push_back(id);
    }
    m_next_forgetting = std::max<std::size_t>(4096, m_timeline_ids.size() * 2);
}

} // namespace lttng_gpu::model
