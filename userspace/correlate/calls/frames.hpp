// SPDX-License-Identifier: MIT
//
// Frames of surfaces and the kernel's jobs that were made for them. A job belongs to the first
// frame that its thread ends at or after the call that made it; the thread is the one of that
// call, or the one that queued the job. Of a thread that ends no frames, and of a thread of the
// driver whose call is not known, it is the frame in whose time the job was queued, if the process
// has one surface. A frame is decided some time after its end, when its jobs have come.
#pragma once

#include "../base/anomaly.hpp"
#include "caller_match.hpp"
#include "device_clocks.hpp"
#include "frame_gpu.hpp"
#include "frame_history.hpp"
#include "frame_parts.hpp"
#include "switch_history.hpp"
#include "thread_of_space.hpp"

#include <map>
#include <unordered_map>

namespace lttng_gpu::model {

class Frames {
public:
    Frames(JobSink& sink, AnomalyCounters& anomalies, const ActorOrigins& origins,
           const CallerMatcher& matcher, const SwitchHistory& switches)
        : m_sink{sink}, m_anomalies{anomalies}, m_origins{origins}, m_matcher{matcher},
          m_switches{switches}
    {
    }

    /// Any call of an API returned.
    void on_call(const Actor& actor, Timestamp begin, Timestamp end);
    /// A call that ends a frame returned, and on_call() was told. `frame` has what its event says.
    void on_frame(const ApiProcess& where, const Frame& frame);
    /// A row of a kernel driver's job; in order of time. `call`: the one that made it, if known.
    void on_job(const Job& job, const std::optional<CallPlace>& call);
    /// A call that does nothing but wait returned.
    void on_wait(const ApiProcess& where, const TimeSpan& wait);
    /// All that will be known of a command is known; its call returned at `returned`.
    void on_command(const Actor& caller, Timestamp returned, const Job& command);
    /// Rows from before `safe` have come.
    void release(Timestamp safe);
    void finish();

private:
    /// Threads of drivers submit later than the call returns, but not by so much.
    static constexpr Duration longest_delay{100'000'000};
    static constexpr std::size_t most_pending = 65536;
    static constexpr std::size_t most_surfaces = 4096;
    static constexpr std::size_t most_spans = 4096; // calls of a frame
    static constexpr std::size_t most_lives = 4096; // jobs of a frame

    /// Those that end with the next frame, or were under way when the last one ended.
    struct Lives {
        std::vector<JobLife> known;
        bool is_whole = true; // none was dropped

        void add(const JobLife& life);
    };
    struct Pending {
        Frame frame;
        std::vector<TimeSpan> calls;
        Lives lives;
        std::vector<GpuSpan> commands;
    };
    struct Surface {
        KnownTime last_end;
        std::uint64_t last_number = 0;
        std::deque<Pending> pending;
        FrameHistory history;
        Lives carried; // of earlier frames
        ThreadOfSpace thread;
        const ProgramWaits* waits = nullptr;
    };
    struct Thread {
        Caller caller;
        std::vector<TimeSpan> calls; // since the oldest frame that has not ended
        Timestamp dropped_until{INT64_MIN};
        std::vector<Surface*> surfaces;
        Lives open; // their frame has not ended
        std::vector<GpuSpan> open_commands;
    };
    struct Process {
        Caller caller;
        std::vector<Surface*> surfaces;
    };
    using SurfaceKey = std::pair<ApiProcess, std::uint64_t>;

    Surface& surface_of(const ApiProcess& where, const Frame& frame);
    Thread& thread_of_frame(const Frame& frame, Surface& surface);
    Thread* find_thread(const Job& job, const std::optional<CallPlace>& call);
    /// Of its process; null: none or several, or it is of no process with surfaces.
    Surface* find_only_surface(const Job& job);
    /// The first frame of the thread that ended at that time or later; null: it has not ended.
    static Pending* find_pending(const Thread& thread, Timestamp time);
    static void place(Thread& thread, Timestamp time, const JobLife& life);
    static void set_learned(Frame& frame, const Surface& surface);
    void set_times(Pending& pending, const Surface& surface, Thread& thread) const;
    static void forget_calls(Thread& thread);
    void decide_first();
    void forget_all();

    JobSink& m_sink;
    AnomalyCounters& m_anomalies;
    const ActorOrigins& m_origins;
    CallerMatcher m_matcher;
    const SwitchHistory& m_switches;
    std::map<SurfaceKey, Surface> m_surfaces;
    std::map<ApiProcess, ProgramWaits> m_waits; // of those with surfaces
    std::map<ThreadOfSpace, Thread> m_threads;
    std::unordered_map<std::int64_t, std::vector<Thread*>> m_by_tid;
    std::unordered_map<std::int64_t, std::vector<Process>> m_by_pid;
    std::deque<Surface*> m_order; // of the frames that are pending, by their ends
};

} // namespace lttng_gpu::model
