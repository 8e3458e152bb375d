// SPDX-License-Identifier: MIT
//
// See page_sink.hpp.
#include "page_sink.hpp"

#include <algorithm>

namespace lttng_gpu::view {
namespace {

constexpr std::size_t most_unseen = 10'000;
constexpr std::uint64_t most_told_of = 20'000;

std::uint32_t key_of(Known<RingId> ring)
{
    return ring ? ring->value() : UINT32_MAX;
}

} // namespace

RingPart& PageSink::part_of(Known<RingId> ring)
{
    const auto [place, is_new] =
        m_ring_places.try_emplace(key_of(ring), static_cast<std::uint32_t>(m_rings.size()));
    if (is_new) {
        m_rings.push_back(std::make_unique<RingPart>(m_blobs, *m_origin, m_next_chunk));
        m_rings.back()->ring = ring;
    }
    return *m_rings[place->second];
}

std::size_t PageSink::number_of(Known<RingId> ring) const
{
    const auto found = m_ring_places.find(key_of(ring));
    return found == m_ring_places.end() ? m_rings.size() : found->second;
}

void PageSink::on_job(const model::Job& job)
{
    m_next.on_job(job);
    if (m_is_part && !m_window.counts(job)) {
        return;
    }
    if (!m_origin) {
        m_origin = std::min(m_window.begin(), first_time(job));
    }
    m_reached = std::max(m_reached, first_time(job));
    RingPart& ring = part_of(job.ring);
    const std::uint32_t actor = m_names.actor(job.actor);
    const std::uint64_t number = ring.chunks.add(
        job, {actor, m_names.context(job.fence.context), m_names.text(job.api_call)});
    if (++m_job_count <= most_told_of) {
        m_jobs.push_back({number, identity_of(job)});
    } else {
        m_jobs = {};
    }
    ++m_names.process_of(actor).jobs;
    m_relations.add_job(job, number);
    add_latencies(ring, job, number);
    const std::uint32_t process = m_names.process_number(actor);
    add_depths(ring, job, process, {});
    if (job.is_alive_at_end) {
        m_alive.push_back({job, &ring, process});
    }
}

/// `end` is that of the trace, for jobs that are alive then; else nothing is taken for known.
void PageSink::add_depths(RingPart& ring, const model::Job& job, std::uint32_t process,
                          KnownTime end)
{
    const auto put = [&](Place place, KnownTime from, KnownTime to) {
        // Of a job that is alive at the end, only the place where it still is, and only then.
        const bool is_last_place = from && !to;
        if (from && (end ? is_last_place : to.has_value())) {
            ring.depths.add(place, process, (*from - *m_origin).value(),
                            ((to ? *to : *end) - *m_origin).value(), ring.chunks.jobs());
        }
    };
    put(Place::HostQueue, job.queued, job.submitted);
    if (job.started) {
        put(Place::DeviceQueue, job.submitted, job.started);
        put(Place::Execution, job.started, job.completed);
    } else {
        put(Place::OnDevice, job.submitted, job.completed);
    }
}

void PageSink::add_latencies(RingPart& ring, const model::Job& job, std::uint64_t number)
{
    const auto put = [&](Phase phase, KnownTime from, KnownTime to) {
        if (from && to) {
            const std::int64_t length = (*to - *from).value();
            ring.latencies.at(static_cast<std::size_t>(phase)).add(length);
            m_longest.at(static_cast<std::size_t>(phase)).add(length, number, identity_of(job));
        }
    };
    put(Phase::HostQueue, job.queued, job.submitted);
    put(Phase::DeviceQueue, job.submitted, job.started);
    put(Phase::Execution, job.started, job.completed);
    put(Phase::Whole, job.queued, job.completed);
    const auto between = [](KnownTime from, KnownTime to) {
        return from && to ? Known<Duration>{*to - *from} : Known<Duration>{};
    };
    ring.waits.add(between(job.queued, job.submitted), between(job.submitted, job.started), number);
}

void PageSink::on_dependency(const model::Dependency& dependency)
{
    m_next.on_dependency(dependency);
    m_relations.add_dependency(dependency);
}

void PageSink::on_wait(const model::Wait& wait)
{
    m_next.on_wait(wait);
    m_relations.add_wait(wait);
}

/// As in `frames`, it counts when it ends inside the window.
void PageSink::on_frame(const model::Frame& frame)
{
    m_next.on_frame(frame);
    if (m_window.clip(frame.end) == frame.end) {
        m_frames.add(frame);
    }
}

void PageSink::on_unseen(const model::UnseenJobs& jobs)
{
    m_next.on_unseen(jobs);
    if (m_unseen.size() < most_unseen) {
        m_unseen.push_back(jobs);
    } else {
        ++m_unseen_left_out;
    }
}

std::vector<NumberedJob> PageSink::told_of() const
{
    std::vector<NumberedJob> jobs = m_jobs;
    if (jobs.empty()) {
        for (const LongestJobs& longest : m_longest) {
            for (const LongestJobs::Entry& entry : longest.sorted()) {
                jobs.push_back({entry.job, entry.identity});
            }
        }
    }
    return jobs;
}

void PageSink::settle()
{
    m_length = std::max<std::int64_t>((m_reached - origin()).value(), 1);
    m_classes = m_names.classes(RingDepths::classes);
    for (const auto& ring : m_rings) {
        ring->levels = ring->depths.so_far(m_blobs, m_classes);
        ring->chunks.finish();
    }
}

void PageSink::finish(Timestamp end)
{
    if (!m_origin) {
        m_origin = std::min({m_window.begin(), m_frames.first().value_or(end), end});
    }
    m_length = std::max<std::int64_t>((end - *m_origin).value(), 1);
    for (const Alive& alive : m_alive) {
        add_depths(*alive.ring, alive.job, alive.process, end);
    }
    m_alive = {};
    m_classes = m_names.classes(RingDepths::classes);
    for (const auto& ring : m_rings) {
        ring->levels = ring->depths.finish(m_blobs, m_classes);
        ring->chunks.finish();
    }
    m_calls.finish(m_blobs, *m_origin);
    if (!m_frames.is_empty()) {
        m_relations.sort_jobs();
        m_frames.finish(m_blobs, *m_origin, m_relations);
    }
    m_relations.finish(*m_origin, [this](RingId ring) { return number_of(ring); });
}

} // namespace lttng_gpu::view
