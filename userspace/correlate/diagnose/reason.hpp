// SPDX-License-Identifier: MIT
//
// The reasons why a job was late, and what a diagnosis consists of. A diagnosis cuts the time from
// queued to completed into parts that follow each other, each with exactly one reason, so that
// their lengths add up to the latency; the parts before it cut the time in which the process had
// nothing on the device. docs/diagnose.md says what each reason rests on.
#pragma once

#include "../jobs/job.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace lttng_gpu::diagnose {

using model::FenceId;

enum class Reason : std::uint8_t {
    // of a thread: the one that submits, or the worker that hands on
    Preempted, // it could have run, others did
    Blocked,   // it slept, and not for a fence
    CpuBound,  // it ran: the process submitted nothing meanwhile
    OwnWait,   // its process waited for its own earlier work before it prepared this
    // in the host queue
    Dependency,   // of a fence; root: what the fence's job did meanwhile
    BackPressure, // as many jobs as the ring ever takes were submitted and not completed
    WorkerLate,   // nothing was in the way, but nobody submitted it; root: the worker's states
    Handover,     // the same, for no longer than it usually takes
    // in the device queue
    RingBusyOwn,     // the ring executed jobs of the same process
    RingShared,      // the ring executed jobs of another process
    RingBusyUnknown, // the ring executed jobs of which the process is unknown
    // executing
    Execution,
    LongExecution, // several times as long as jobs of its kind usually are
    Hang,          // the driver said so, or it had not ended when the trace did
    // no reason
    Unknown,     // the trace cannot tell; why: see Gap
    Unexplained, // nothing that was recorded explains it
    Count,
};

/// Why a part is Unknown.
enum class Gap : std::uint8_t {
    None,
    NoSchedEvents,  // the thread's states were not recorded
    NoThreadStates, // they were, but none of this thread, or they begin later
    NoThread,       // the submitting thread is unknown
    EventsLost,
    TimesMissing,  // an event of the job is missing
    StartUnknown,  // on the device, but when it began to execute is not known
    ClockError,    // shorter than the error of the mapped clock
    TooMuchAtOnce, // more jobs than are remembered or looked at
    GiverUnknown,  // a helper of the driver's library slept; who gave it its work is not known
    Count
};

/// Of a part of a frame's time: where the thread was that ends the frames.
enum class PlaceInFrame : std::uint8_t {
    None,      // it is no part of a frame
    Outside,   // of calls
    InCall,    // of an API
    LastCall,  // in the one that ends the frame, after its jobs: it waits for the display
    AfterCall, // that call had returned, a job of the frame was under way
};
/// For machines; empty for None.
std::string_view text_of(PlaceInFrame place);

inline constexpr auto reason_count = static_cast<std::size_t>(Reason::Count);
inline constexpr auto gap_count = static_cast<std::size_t>(Gap::Count);

struct ReasonText {
    std::string_view name;    // for machines
    std::string_view brief;   // for people, in a table
    std::string_view meaning; // for people
    std::string_view events;  // that it rests on
};
const ReasonText& text_of(Reason reason);
std::string_view text_of(Gap gap);
/// A usual part of a job's life: it does not make a job late.
bool is_usual(Reason reason);

/// A thread's name as the scheduler's events have it.
struct ThreadName {
    std::array<char, 16> text{};

    ThreadName() = default;
    explicit ThreadName(std::string_view name);
    std::string_view view() const;
    friend bool operator==(const ThreadName&, const ThreadName&) = default;
};

struct Part {
    Reason reason = Reason::Unexplained;
    Gap gap = Gap::None;
    bool is_inferred = false; // a time that bounds it was inferred
    bool is_before = false;   // before the job was queued
    bool is_outside = false;  // of the window: a part that reaches across its edge is split there
    PlaceInFrame place = PlaceInFrame::None;
    Timestamp begin;
    Timestamp end;
    Duration length;        // less than end - begin where other parts lie between
    std::uint32_t jobs = 0; // of the culprit, on the ring in this time
    /// Whose job: of the fence that was waited for, or that which executed.
    Known<RingId> ring;
    FenceId fence;
    model::Actor actor;
    /// The thread that could not run or slept, and who ran instead of it.
    Known<Tid> thread;
    Known<Tid> by;
    ThreadName by_name;
    std::vector<Part> root;
};

struct Diagnosis {
    model::Job job;
    std::uint64_t number = 0; // of the job's row, from 0, among all that the diagnoser was given
    Timestamp begin;          // of the latency: queued, or the first known time
    Timestamp end;            // completed, or the end of the trace
    bool is_open = false;     // it had not completed when the trace ended
    bool is_counted = true;   // submitted in the window, as what the report counts
    std::vector<Part> parts;  // first those before `begin`

    Duration latency() const { return end - begin; }
    /// Else events are missing, and the latency is that of the stages that are known.
    bool has_latency() const { return job.queued && job.submitted && job.completed; }
    /// Known from its begin on; what has not ended counts as far as it came.
    bool is_known() const { return has_latency() || (is_open && job.queued); }
};

/// The reasons at the ends of the roots: what a dependency comes down to. Calls
/// visit(const Part&, Duration) with times that add up to the part's length.
template <typename Visit> void visit_leaves(const Part& part, const Visit& visit)
{
    std::int64_t left = part.length.value();
    for (const Part& root : part.root) {
        left -= root.length.value();
        visit_leaves(root, visit);
    }
    if (left > 0) {
        visit(part, Duration{left});
    }
}

struct FrameDiagnosis; // frame_diagnosis.hpp

class DiagnosisSink {
public:
    DiagnosisSink() = default;
    DiagnosisSink(const DiagnosisSink&) = delete;
    DiagnosisSink& operator=(const DiagnosisSink&) = delete;
    virtual ~DiagnosisSink() = default;

    /// In order of completion.
    virtual void on_diagnosis(Diagnosis&& diagnosis) = 0;
    /// In order of the ends of their last jobs; only if the diagnoser was asked for frames.
    virtual void on_frame(FrameDiagnosis&&) {}
};

} // namespace lttng_gpu::diagnose
