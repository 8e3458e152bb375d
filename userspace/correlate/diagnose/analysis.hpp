// SPDX-License-Identifier: MIT
//
// Cuts the life of one job into parts, from what JobHistory and ThreadStates remember. The
// greatest depth of each ring is learned on the way.
#pragma once

#include "cut.hpp"
#include "frame_diagnosis.hpp"
#include "job_history.hpp"

namespace lttng_gpu::diagnose {

/// From queued to submitted with nothing in the way takes less than this, usually.
inline constexpr Duration usual_handover{100'000};
/// An execution is long when it takes so many times the usual and so much more.
inline constexpr std::int64_t long_execution_times = 4;
inline constexpr Duration long_execution_more{50'000};

class Analysis {
public:
    Analysis(JobHistory& jobs, const ThreadStates& threads, const model::RingTable& rings,
             const report::Window& window)
        : m_jobs{jobs}, m_threads{threads}, m_rings{rings}, m_window{window}
    {
    }

    /// `trace_end` is the end of what has not completed.
    Diagnosis diagnose(RowId row, Timestamp trace_end) const;
    /// Of a frame whose begin is known. `made`: its jobs that are remembered.
    FrameDiagnosis diagnose(const model::Frame& frame, const std::vector<RowId>& made,
                            Timestamp trace_end) const;

private:
    /// As long as the process waited for its own work, what it then prepares is due to that wait.
    struct OwnWait {
        Duration left;
        bool is_inferred = false;
    };

    /// What the job did in [begin, end), before it was queued as well.
    void life(Cut& cut, RowId row, Timestamp begin, Timestamp end, unsigned level) const;
    /// The oldest job before it in its fence context, whose jobs end in their order, that has not
    /// ended at `end`.
    RowId open_before(const Row& row, Timestamp begin, Timestamp end) const;
    void on_device(Cut& cut, RowId row, Timestamp begin, Timestamp end) const;

    /// The thread that ends frames, as the kernel knows it.
    struct FrameThread {
        Row like; // of its process
        std::optional<ThreadId> id;
        Timestamp done; // when the last call only waits for the display; may be after it
    };

    // of a frame: analysis_frames.cpp
    FrameThread frame_thread(const model::Frame& frame, const std::vector<RowId>& made) const;
    void frame_piece(Cut& cut, const FrameThread& thread, PlaceInFrame place, Timestamp begin,
                     Timestamp end) const;
    void frame_states(Cut& cut, const FrameThread& thread, PlaceInFrame place, Timestamp begin,
                      Timestamp end) const;
    void frame_wait(Cut& cut, const FrameThread& thread, const model::Wait& wait, Timestamp begin,
                    Timestamp end) const;
    void unseen_frame_wait(Cut& cut, RowId row, Timestamp begin, Timestamp end) const;
    void frame_jobs(Cut& cut, const FrameThread& thread, Timestamp begin, Timestamp end) const;
    Part beside_own_job(const FrameThread& thread, const Part& like, Timestamp begin,
                        Timestamp end) const;
    RowId woken_by(const FrameThread& thread, Timestamp begin, Timestamp end) const;

    // before it was queued: analysis_threads.cpp
    void before(Cut& cut, const Row& row, const model::Actor& submitter, Timestamp begin,
                Timestamp end, unsigned level) const;
    OwnWait unseen_own_wait(const Row& row, const model::Actor& submitter) const;
    void wait(Cut& cut, const Row& row, const model::Wait& wait, Timestamp begin, Timestamp end,
              unsigned level) const;
    /// When a helper of the driver's library was given its latest work, and by whom.
    struct Given {
        Timestamp time;
        model::Actor by;
    };
    std::optional<Given> given(const Row& row, const model::Actor& helper, Timestamp begin,
                               Timestamp end) const;
    /// `may_want_work`: a helper whose sleeps may be for want of work; who gives it is not known.
    void thread_states(Cut& cut, const Row& row, const model::Actor& submitter, Timestamp begin,
                       Timestamp end, OwnWait& own_wait, bool may_want_work = false) const;
    void one_state(Cut& cut, const Part& like, const StateChange& state, Timestamp begin,
                   Timestamp end, OwnWait& own_wait) const;

    // in the host queue: analysis_host.cpp
    void host_queue(Cut& cut, RowId row, Timestamp begin, Timestamp end, unsigned level) const;
    void head_of_queue(Cut& cut, RowId row, Timestamp begin, Timestamp end, unsigned level) const;
    Timestamp dependencies(Cut& cut, const Row& row, Timestamp begin, Timestamp end,
                           unsigned level) const;
    void depend(Cut& cut, const Row& row, const model::Dependency& on, Timestamp begin,
                Timestamp end, unsigned level) const;
    void ready(Cut& cut, RowId row, Timestamp begin, Timestamp end) const;
    void handover(Cut& cut, const Row& row, Timestamp begin, Timestamp end) const;

    void device_queue(Cut& cut, const Row& row, Timestamp begin, Timestamp end) const;
    void execution(Cut& cut, const Row& row, Timestamp begin, Timestamp end) const;
    bool is_own(const Row& row, const model::Job& other) const;
    Part part_of(Reason reason, const model::Job& culprit) const;

    /// False when one diagnosis has looked at too much: thousands of jobs queue behind each other.
    bool may_go_on(std::size_t jobs) const;

    JobHistory& m_jobs;
    const ThreadStates& m_threads;
    const model::RingTable& m_rings;
    const report::Window& m_window;
    mutable std::size_t m_looked_at = 0; // by the diagnosis under way
};

} // namespace lttng_gpu::diagnose
