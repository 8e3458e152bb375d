// SPDX-License-Identifier: MIT
//
// See timeline_writer.hpp.
#include "timeline_writer.hpp"

#include "../../correlate/report/job_words.hpp"

#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

constexpr std::size_t host_queue = 0;
constexpr std::size_t device_queue = 1;
constexpr std::size_t execution = 2;
constexpr std::array<std::string_view, 3> phase_names{"host queue", "device queue", "execution"};

std::string_view basis_if_not_observed(model::Basis basis)
{
    return basis == model::Basis::Observed ? std::string_view{} : report::basis_text(basis);
}

} // namespace

std::string_view category_text(Category category)
{
    switch (category) {
    case Category::HostQueue:
        return "host_queue";
    case Category::DeviceQueue:
        return "device_queue";
    case Category::Execution:
        return "execution";
    case Category::OnDevice:
        return "on_device";
    case Category::Call:
        return "api_call";
    case Category::Wait:
        return "wait";
    case Category::Frame:
        break;
    }
    return "frame";
}

/// Gives each point of a job's arrow its place: the first begins it, the last ends it.
struct TimelineWriter::Arrow {
    unsigned points;
    unsigned passed = 0;

    Flow next()
    {
        ++passed;
        if (points < 2) {
            return Flow::None;
        }
        return passed == 1 ? Flow::Begin : passed == points ? Flow::End : Flow::Step;
    }
};

void TimelineWriter::on_job(const model::Job& job)
{
    Ring& ring = ring_of(job.ring);
    if (job.interval == 0) { // those of later ones go back behind what was told
        write_depths(ring, first_time(job));
    }
    Mark mark;
    mark.job = &job;
    mark.job_number = ++m_job_count;
    mark.name = job.api_call != StringId{} ? job.api_call : job.actor.comm;
    m_has_calls = m_has_calls || job.api_call != StringId{};
    const bool has_host_queue = job.queued && job.interval == 0;
    const bool has_thread = m_has_calls && job.actor.tid;
    const bool has_submission = has_thread && has_host_queue;
    const bool has_observation = has_thread && job.observed && job.is_last;
    Arrow arrow{static_cast<unsigned>(has_submission) + static_cast<unsigned>(has_host_queue) +
                static_cast<unsigned>(job.submitted.has_value()) +
                static_cast<unsigned>(job.started.has_value()) +
                static_cast<unsigned>(has_observation)};
    // Of slices that begin at once, Perfetto takes the longest first, whatever the arrow's order.
    const bool has_no_queue = job.queued == job.submitted || job.submitted == job.started;
    mark.is_flow_of_slices = !has_submission && !has_observation && !has_no_queue;
    if (has_submission) {
        mark.track = thread_of(job.actor).track;
        mark.category = Category::Call;
        mark.begin = *job.queued;
        mark.flow = arrow.next();
        write_instant(mark);
    }
    if (has_host_queue) {
        mark.category = Category::HostQueue;
        mark.begin = *job.queued;
        mark.flow = arrow.next();
        write_phase(ring, host_queue, mark, job.submitted);
    }
    if (job.submitted) {
        mark.category = job.started ? Category::DeviceQueue : Category::OnDevice;
        mark.begin = *job.submitted;
        mark.end_basis =
            basis_if_not_observed(job.started ? job.started_basis : job.completed_basis);
        mark.flow = arrow.next();
        write_phase(ring, device_queue, mark, job.started ? job.started : job.completed);
    }
    if (job.started) {
        mark.category = Category::Execution;
        mark.begin = *job.started;
        mark.begin_basis = basis_if_not_observed(job.started_basis);
        mark.end_basis = basis_if_not_observed(job.completed_basis);
        mark.flow = arrow.next();
        write_phase(ring, execution, mark, job.completed);
    }
    if (has_observation) {
        mark.track = thread_of(job.actor).track;
        mark.category = Category::Wait;
        mark.begin = *job.observed;
        mark.begin_basis = mark.end_basis = {};
        mark.flow = arrow.next();
        write_instant(mark);
    }
}

void TimelineWriter::write_phase(Ring& ring, std::size_t phase, Mark mark, KnownTime end)
{
    const bool is_open = !end && mark.job->is_alive_at_end;
    const bool has_end = end && *end >= mark.begin;
    std::optional<std::size_t> lane;
    if (is_open || has_end) {
        lane = ring.lanes[phase].take(mark.begin, is_open ? Timestamp{INT64_MAX} : *end);
        // Where the start is unknown, so is the depth of the device queue.
        if (has_end && phase < queues && mark.category != Category::OnDevice) {
            ring.depths[phase].add(mark.begin, *end);
        }
    }
    mark.track = lane_track(ring, phase, lane.value_or(0));
    if (lane) {
        write_slice(mark, end);
        return;
    }
    if (!has_end) {
        mark.end_basis = "unknown";
    }
    write_instant(mark);
}

void TimelineWriter::write_depths(Ring& ring, Timestamp safe)
{
    for (std::size_t queue = 0; queue < queues; ++queue) {
        ring.depths[queue].release(safe, [&](Timestamp time, std::int64_t depth) {
            write_count(ring.depth_tracks[queue], time, depth);
        });
    }
}

void TimelineWriter::on_call(const model::ApiCall& call)
{
    m_has_calls = true;
    Mark mark;
    mark.track = thread_of(call.actor).track;
    mark.category = Category::Call;
    mark.name = call.call;
    mark.begin = call.begin;
    write_slice(mark, call.end);
}

void TimelineWriter::on_wait(const model::Wait& wait)
{
    Thread& thread = thread_of(wait.actor);
    if (thread.wait_track == 0) {
        thread.wait_track = next_track();
        define_track(thread.wait_track, thread.track, "waits for the GPU");
    }
    Mark mark;
    mark.track = thread.wait_track;
    mark.category = Category::Wait;
    mark.begin = wait.begin;
    write_slice(mark, wait.end);
}

/// Of a surface, whatever thread ends its frames: below the one that ended the first.
TrackNumber TimelineWriter::frame_track(const model::Frame& frame)
{
    const TrackNumber thread = thread_of(frame.actor).track;
    const std::size_t process = m_actors.thread(m_actors.thread_of(frame.actor)).process;
    TrackNumber& track = m_frames[{process, frame.surface}];
    if (track == 0) {
        track = next_track();
        define_track(track, thread, fmt::format("frames of surface {:#x}", frame.surface));
    }
    return track;
}

/// From the frame before it on; where that was not seen, from the call that ended it on.
void TimelineWriter::on_frame(const model::Frame& frame)
{
    const std::string name = fmt::format("frame {}", frame.number);
    Mark mark;
    mark.track = frame_track(frame);
    mark.category = Category::Frame;
    mark.own_name = name;
    mark.frame = &frame;
    mark.begin = frame.begin.value_or(frame.call_begin);
    if (!frame.begin) {
        mark.begin_basis = "unknown";
    }
    write_slice(mark, frame.end);
}

Expected<void> TimelineWriter::finish(const run::Outcome& outcome)
{
    for (Ring& ring : m_rings) {
        write_depths(ring, Timestamp{INT64_MAX});
    }
    write_end(outcome);
    return {}; // what could not be written, the file's finish() tells
}

TimelineWriter::Ring& TimelineWriter::ring_of(const Known<RingId>& id)
{
    const std::size_t place = id ? id->value() + std::size_t{1} : 0;
    if (place >= m_rings.size()) {
        m_rings.resize(place + 1);
    }
    Ring& ring = m_rings[place];
    if (ring.track == 0) {
        define_ring(ring, id);
    }
    return ring;
}

void TimelineWriter::define_ring(Ring& ring, const Known<RingId>& id)
{
    TrackNumber device = 0;
    std::string name = "ring unknown";
    if (id) {
        const model::Ring& known = m_context.rings.at(*id);
        TrackNumber& track = m_devices[known.device];
        if (track == 0) {
            track = next_track();
            const std::string_view device_name = text(known.device);
            define_group(track, 0,
                         device_name.empty() ? "GPU, device unknown"
                                             : fmt::format("GPU {}", device_name));
        }
        device = track;
        name = m_names.of(*id);
        if (known.driver != StringId{}) {
            name += fmt::format(" ({})", text(known.driver));
        }
    }
    ring.track = next_track();
    define_group(ring.track, device, name);
    for (std::size_t queue = 0; queue < queues; ++queue) {
        ring.depth_tracks[queue] = next_track();
        define_counter(ring.depth_tracks[queue], ring.track,
                       fmt::format("{} depth", phase_names[queue]));
    }
}

TrackNumber TimelineWriter::lane_track(Ring& ring, std::size_t phase, std::size_t lane)
{
    std::vector<TrackNumber>& tracks = ring.lane_tracks[phase];
    while (tracks.size() <= lane) {
        tracks.push_back(next_track());
        define_track(tracks.back(), ring.track, phase_names[phase]);
    }
    return tracks[lane];
}

TimelineWriter::Thread& TimelineWriter::thread_of(const model::Actor& actor)
{
    const std::size_t number = m_actors.thread_of(actor);
    if (number < m_thread_places.size() && m_thread_places[number] != nullptr) [[likely]] {
        return *m_thread_places[number];
    }
    Thread& thread = define(actor, number);
    m_thread_places.resize(std::max(m_thread_places.size(), number + 1));
    m_thread_places[number] = &thread;
    return thread;
}

/// A thread that took another name is the same track.
TimelineWriter::Thread& TimelineWriter::define(const model::Actor& actor, std::size_t number)
{
    const std::size_t process = m_actors.thread(number).process;
    Thread& thread = m_threads[{process, actor.tid}];
    if (thread.track != 0) {
        return thread;
    }
    const std::string_view name = text(actor.comm);
    if (!actor.pid || !actor.tid) {
        thread.track = next_track();
        define_track(thread.track, 0,
                     fmt::format("{} (process unknown)", name.empty() ? "thread" : name));
        return thread;
    }
    TrackNumber& process_track = m_processes[process];
    if (process_track == 0) {
        process_track = next_track();
        define_process(process_track, *actor.pid, name);
    }
    thread.track = next_track();
    define_thread(thread.track, process_track, *actor.pid, *actor.tid, name);
    return thread;
}

} // namespace lttng_gpu::exporting
