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
        x_ring_places.try_emplace(key_of(ring), static_cast<std::uint32_t>(x_rings.size()));
    if (is_new) {
        x_rings.push_back(std::make_unique<RingPart>(x_blobs, *x_origin, x_next_chunk));
        x_rings.back()->ring = ring;
    }
    return *x_rings[place->second];
}

std::size_t PageSink::number_of(Known<RingId> ring) const
{
    const auto found = x_ring_places.find(key_of(ring));
    return found == x_ring_places.end() ? x_rings.size() : found->second;
}

void PageSink::on_job(const model::Job& job)
{
    x_next.on_job(job);
    if (x_is_part && !x_window.counts(job)) {
        return;
    }
    if (!x_origin) {
        x_origin = std::min(x_window.begin(), first_time(job));
    }
    x_reached = std::max(x_reached, first_time(job));
    RingPart& ring = part_of(job.ring);
    const std::uint32_t actor = x_names.actor(job.actor);
    const std::uint64_t number = ring.chunks.add(
        job, {actor, x_names.context(job.fence.context), x_names.text(job.api_call)});
    if (++x_job_count <= most_told_of) {
        x_jobs.push_back({number, identity_of(job)});
    } else {
        x_jobs = {};
    }
    ++x_names.process_of(actor).jobs;
    x_relations.add_job(job, number);
    add_latencies(ring, job, number);
    const std::uint32_t process = x_names.process_number(actor);
    add_depths(ring, job, process, {});
    if (job.is_alive_at_end) {
        x_alive.push_back({job, &ring, process});
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
            ring.depths.add(place, process, (*from - *x_origin).value(),
                            ((to ? *to : *end) - *x_origin).value(), ring.chunks.jobs());
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
            x_longest.at(static_cast<std::size_t>(phase)).add(length, number, identity_of(job));
        }
    };
    put(Phase::HostQueue, job.queued, job.submitted);
    put(Phase::DeviceQueue, job.submitted, job.started);
    put(Phase::Execution, job.started, job.completed);
    put(Phase::Whole, job.queued, job.completed);
}

void PageSink::on_dependency(const model::Dependency& dependency)
{
    x_next.on_dependency(dependency);
    x_relations.add_dependency(dependency);
}

void PageSink::on_wait(const model::Wait& wait)
{
    x_next.on_wait(wait);
    x_relations.add_wait(wait);
}

/// As in `frames`, it counts when it ends inside the window.
void PageSink::on_frame(const model::Frame& frame)
{
    x_next.on_frame(frame);
    if (x_window.clip(frame.end) == frame.end) {
        x_frames.add(frame);
    }
}

void PageSink::on_unseen(const model::UnseenJobs& jobs)
{
    x_next.on_unseen(jobs);
    if (x_unseen.size() < most_unseen) {
        x_unseen.push_back(jobs);
    } else {
        ++x_unseen_left_out;
    }
}

std::vector<NumberedJob> PageSink::told_of() const
{
    std::vector<NumberedJob> jobs = x_jobs;
    if (jobs.empty()) {
        for (const LongestJobs& longest : x_longest) {
            for (const LongestJobs::Entry& entry : longest.sorted()) {
                jobs.push_back({entry.job, entry.identity});
            }
        }
    }
    return jobs;
}

void PageSink::settle()
{
    x_length = std::max<std::int64_t>((x_reached - origin()).value(), 1);
    x_classes = x_names.classes(RingDepths::classes);
    for (const auto& ring : x_rings) {
        ring->levels = ring->depths.so_far(x_blobs, x_classes);
        ring->chunks.finish();
    }
}

void PageSink::finish(Timestamp end)
{
    if (!x_origin) {
        x_origin = std::min({x_window.begin(), x_frames.first().value_or(end), end});
    }
    x_length = std::max<std::int64_t>((end - *x_origin).value(), 1);
    for (const Alive& alive : x_alive) {
        add_depths(*alive.ring, alive.job, alive.process, end);
    }
    x_alive = {};
    x_classes = x_names.classes(RingDepths::classes);
    for (const auto& ring : x_rings) {
        ring->levels = ring->depths.finish(x_blobs, x_classes);
        ring->chunks.finish();
    }
    x_calls.finish(x_blobs, *x_origin);
    if (!x_frames.is_empty()) {
        x_relations.sort_jobs();
        x_frames.finish(x_blobs, *x_origin, x_relations);
    }
    x_relations.finish(*x_origin, [this](RingId ring) { return number_of(ring); });
}

} // namespace lttng_gpu::view
