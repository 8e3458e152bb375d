// SPDX-License-Identifier: MIT
//
// Jobs as tracks of a timeline, for viewers: per ring the host queue, the device queue and the
// execution, each in as many lanes as it needs, and how many jobs are in the two queues; per
// thread its API calls, what it waited for, and the frames that it ended. Arrows go from the call
// to its job and on through the queues to who learned of the end. What a format makes of that is
// its own.
//
// A phase whose end is unknown is a mark at its beginning, not a slice.
#pragma once

#include "../../correlate/report/frame_row.hpp"
#include "../../correlate/rings/ring_names.hpp"
#include "actor_numbers.hpp"
#include "depth_steps.hpp"
#include "job_writer.hpp"
#include "slice_lanes.hpp"

#include <array>
#include <map>
#include <string>

namespace lttng_gpu::exporting {

/// OnDevice: from submitted to completed, where nothing tells when the execution began.
enum class Category : std::uint8_t {
    HostQueue,
    DeviceQueue,
    Execution,
    OnDevice,
    Call,
    Wait,
    Frame
};
std::string_view category_text(Category category);

/// Where on a job's arrow.
enum class Flow : std::uint8_t { None, Begin, Step, End };

/// Tracks are numbered from 1.
using TrackNumber = std::uint32_t;

/// What a slice or a mark shows. Texts that are empty are left out.
struct Mark {
    TrackNumber track = 0;
    Category category = Category::HostQueue;
    StringId name;             // no text: a job
    std::string_view own_name; // of this one only; where it is not empty
    Timestamp begin;
    const model::Job* job = nullptr; // of which it is
    std::uint64_t job_number = 0;
    const model::Frame* frame = nullptr; // which it is
    std::string_view begin_basis;        // where it is not observed
    std::string_view end_basis;
    Flow flow = Flow::None;
    bool is_flow_of_slices = false; // all its points are phases, no two of which begin at once
};

/// Calls tell(name, number) and tell(name, text) of what is known of a frame.
template <typename Tell> void visit_details(const model::Frame& frame, const Tell& tell)
{
    const auto tell_known = [&tell](std::string_view name, const auto& known) {
        if (known) {
            tell(name, static_cast<std::uint64_t>(known->value()));
        }
    };
    tell("frame", frame.number);
    tell("jobs", frame.jobs);
    if (frame.lateness == model::Lateness::Late) {
        tell("late_by", report::late_by_text(frame));
    }
    tell_known("interval_ns", frame.interval());
    tell_known("execution_wall_ns", frame.execution_wall);
    tell_known("completed_ns", frame.completed);
    tell_known("gpu_begin_ns", frame.gpu_begin);
    tell_known("gpu_end_ns", frame.gpu_end);
    tell_known("gpu_ns", frame.gpu);
}

class TimelineWriter : public JobWriter {
public:
    explicit TimelineWriter(const WriterContext& context)
        : m_context{context}, m_names{context.rings}
    {
    }

    void on_job(const model::Job& job) final;
    void on_call(const model::ApiCall& call) final;
    void on_wait(const model::Wait& wait) final;
    void on_frame(const model::Frame& frame) final;
    Expected<void> finish(const run::Outcome& outcome) final;
    bool has_failed() const final { return m_context.output.has_failed(); }
    const model::RingNames* shown_names() const final { return &m_names; }

protected:
    /// A group has tracks below it, and nothing else. `parent` 0: none.
    virtual void define_group(TrackNumber track, TrackNumber parent, std::string_view name) = 0;
    virtual void define_track(TrackNumber track, TrackNumber parent, std::string_view name) = 0;
    virtual void define_counter(TrackNumber track, TrackNumber parent, std::string_view name) = 0;
    virtual void define_process(TrackNumber track, Pid pid, std::string_view name) = 0;
    virtual void define_thread(TrackNumber track, TrackNumber process, Pid pid, Tid tid,
                               std::string_view name) = 0;
    /// No end: it was still so at the end of the trace.
    virtual void write_slice(const Mark& mark, KnownTime end) = 0;
    virtual void write_instant(const Mark& mark) = 0;
    virtual void write_count(TrackNumber track, Timestamp time, std::int64_t value) = 0;
    virtual void write_end(const run::Outcome& outcome) = 0;

    OutputFile& output() { return m_context.output; }
    std::string_view text(StringId id) const { return m_context.strings.at(id); }

private:
    static constexpr std::size_t queues = 2;
    static constexpr std::size_t phases = 3;

    struct Ring {
        TrackNumber track = 0; // 0: not met yet
        std::array<SliceLanes, phases> lanes;
        std::array<std::vector<TrackNumber>, phases> lane_tracks;
        std::array<DepthSteps, queues> depths;
        std::array<TrackNumber, queues> depth_tracks{};
    };
    struct Thread {
        TrackNumber track = 0; // 0: not met yet
        TrackNumber wait_track = 0;
    };
    struct Arrow;

    Ring& ring_of(const Known<RingId>& id);
    void define_ring(Ring& ring, const Known<RingId>& id);
    TrackNumber lane_track(Ring& ring, std::size_t phase, std::size_t lane);
    void write_phase(Ring& ring, std::size_t phase, Mark mark, KnownTime end);
    void write_depths(Ring& ring, Timestamp safe);
    Thread& thread_of(const model::Actor& actor);
    TrackNumber frame_track(const model::Frame& frame);
    Thread& define(const model::Actor& actor, std::size_t number);
    TrackNumber next_track() { return ++m_tracks; }

    WriterContext m_context;
    model::RingNames m_names;
    ActorNumbers m_actors;
    TrackNumber m_tracks = 0;
    std::uint64_t m_job_count = 0;
    bool m_has_calls = false;
    std::vector<Ring> m_rings; // by number, the first is that of unknown rings
    std::map<StringId, TrackNumber> m_devices;
    std::map<std::size_t, TrackNumber> m_processes;
    std::map<std::pair<std::size_t, Known<Tid>>, Thread> m_threads;        // of a process
    std::vector<Thread*> m_thread_places;                                  // by number
    std::map<std::pair<std::size_t, std::uint64_t>, TrackNumber> m_frames; // of a process's surface
};

} // namespace lttng_gpu::exporting
