// SPDX-License-Identifier: MIT
//
// The finished report as plain numbers, between the builder that computes it
// and the sinks that print it. Times are nanoseconds.
#pragma once

#include "../base/anomaly.hpp"
#include "../base/ids.hpp"
#include "../calls/call_account.hpp"
#include "../calls/device_clocks.hpp"
#include "../coverage/recorded_span.hpp"
#include "../jobs/waits.hpp"
#include "../rings/order_evidence.hpp"
#include "../system/counters.hpp"
#include "../system/other_events.hpp"
#include "../trace/raw_event.hpp"
#include "api_call_table.hpp"
#include "depth_curve.hpp"
#include "frame_summary.hpp"
#include "latency.hpp"
#include "occupancy.hpp"
#include "stall.hpp"
#include "traced_kernels.hpp"
#include "window.hpp"

#include <optional>
#include <string>

namespace lttng_gpu::report {

/// What the reader and the tracker met on the way, over the whole trace.
struct TraceAccount {
    std::uint64_t events_read = 0;
    std::uint64_t events_lost = 0;
    std::uint64_t packets_lost = 0;
    std::uint64_t losses_of_unknown_size = 0;
    /// The trace reports every loss. Otherwise there may be losses that nothing shows.
    bool announces_losses = true;
    AnomalyCounters anomalies;
    std::vector<model::ClockAccount> clocks;
    std::vector<model::CounterAccount> counters;
    std::vector<model::OpenWait> open_waits; // the longest first
    model::OtherEventAccount others;         // events of GPUs of which no job is made
    std::optional<model::CallAccount> calls; // of jobs; nothing: no calls were recorded

    /// A buffer that begins late was overwritten on purpose, and what an earlier reading found is
    /// counted as an anomaly: neither is a loss that the tracer announces.
    void count(const trace::Loss& loss)
    {
        if (loss.unit == trace::LossUnit::LateBegin || loss.unit == trace::LossUnit::Silent) {
            return;
        }
        if (!loss.count) {
            ++losses_of_unknown_size;
        } else if (loss.unit == trace::LossUnit::Events) {
            events_lost += *loss.count;
        } else {
            packets_lost += *loss.count;
        }
    }

    bool has_losses() const
    {
        return events_lost > 0 || packets_lost > 0 || losses_of_unknown_size > 0 ||
               anomalies.unannounced_losses() > 0 || anomalies.at(Anomaly::LineUnread) > 0;
    }
};

/// What a figure is at least and at most, in view of what is missing. No upper end: unknown.
struct Bounds {
    double low = 0;
    std::optional<double> high = 0.0;
};

struct QueuePhase {
    double depth_mean = 0;
    Bounds depth_mean_bounds;
    std::size_t depth_max = 0;
    std::vector<std::int64_t> times_by_depth;
    LatencySummary latency;
};

struct ExecutionPhase {
    std::int64_t busy = 0;
    double busy_ratio = 0;
    Bounds busy_ratio_bounds;
    LatencySummary latency;
};

/// Which moments were known of any job of a driver, in the whole trace: else they were not
/// recorded.
struct ToldMoments {
    bool queued = false;
    bool submitted = false;
    bool completed = false;

    void add(const model::Job& job)
    {
        queued |= job.queued.has_value();
        submitted |= job.submitted.has_value();
        completed |= job.is_alive_at_end ||
                     (job.completed.has_value() && job.ending != model::Ending::Preempted);
    }
    void add(const ToldMoments& other)
    {
        queued |= other.queued;
        submitted |= other.submitted;
        completed |= other.completed;
    }
};

struct Phases {
    /// No job has any time: its figures stand for nothing.
    bool is_unknown = false;
    ToldMoments told = {true, true, true};

    /// How many jobs were in the host queue is known, or bounded; the same of the device.
    bool has_host() const { return !is_unknown && told.queued && told.submitted; }
    bool has_device() const { return !is_unknown && told.submitted && told.completed; }
    bool has_states() const { return has_host() && has_device(); }
    QueuePhase host_queue;
    QueuePhase device_queue;
    ExecutionPhase execution;
    RareSummary dependencies; // part of the host queue: until a job could run
    RareSummary backend;      // the other part: until the driver took it
    RareSummary observation;  // from completed to a CPU waiter that knows it
    RareSummary on_device;    // from submitted to completed, of jobs whose start is not known
};

/// Threads that waited until a fence was signaled.
struct WaitSummary {
    RareSummary length;
    RareSummary wake_up; // the part after the fence was signaled
    /// Of these waits, for which no event says what they were for.
    std::uint64_t inferred = 0;
};

struct ProcessReport {
    std::optional<Pid> pid;
    std::optional<Tid> tid; // of its thread, only where the process is unknown
    std::string comm;
    std::uint64_t jobs = 0;
    Phases phases;
    WaitSummary waits;        // of this process, for jobs of the ring
    std::int64_t blocked = 0; // its oldest job in the host queue waited for a fence
};

/// What jobs of a process waited for.
struct DependencyReport {
    std::optional<Pid> pid;
    std::optional<Tid> tid; // only where `pid` is unknown, like that of the producer
    std::string comm;
    bool is_producer_known = false;
    std::string producer_device;
    std::string producer_ring;
    std::optional<Pid> producer_pid;
    std::optional<Tid> producer_tid;
    std::string producer_comm;
    std::uint64_t count = 0;
    std::uint64_t blocking = 0; // those that held up the head of the queue
    std::int64_t blocked = 0;   // for how long, overlaps counted once
};

struct FaultCounts {
    std::uint64_t timed_out = 0;
    std::uint64_t error = 0;
    std::uint64_t banned = 0;

    std::uint64_t all() const { return timed_out + error + banned; }
};

/// From queued to completed, of the jobs of which all of it is known.
struct WholeLatency {
    std::uint64_t jobs = 0;
    std::int64_t sum = 0;

    void add(std::optional<Duration> latency)
    {
        jobs += latency ? 1 : 0;
        sum += latency.value_or(Duration{}).value();
    }
};

struct QueueReport {
    std::string device;
    std::string ring;
    std::string driver;
    std::uint32_t tally = 0; // its number among those that the builder counted
    std::uint64_t jobs = 0;
    std::uint64_t jobs_without_times = 0; // of these, of which only the call is known
    WholeLatency latency;
    std::uint64_t jobs_start_inferred = 0;
    std::uint64_t jobs_start_unknown = 0;
    std::uint64_t jobs_completion_inferred = 0;
    std::uint64_t pairs_in_order = 0;
    std::uint64_t fifo_violations = 0;
    std::vector<model::OrderEvidence::Disorder> disorder;
    std::uint64_t preemptions = 0;
    FaultCounts faults;
    bool promises_order = true;
    bool is_firmware_scheduled = false; // its driver tells no start of any job
    Phases phases;
    StateTimes states;
    OccupancyOverTime over_time;
    std::optional<Stall> stall; // a job has not ended
    std::vector<ProcessReport> processes;
    std::vector<DependencyReport> dependencies; // most time blocked first
};

/// The queues that an API made for one process on one device, as one.
struct QueueGroup {
    std::string device;
    std::string driver;
    std::optional<Pid> pid;
    std::string comm;                // of the thread that submitted most
    std::vector<std::size_t> queues; // their places in Report::queues
    std::uint64_t jobs = 0;
    std::size_t host_depth_max = 0; // of one queue
    std::int64_t busy_sum = 0;      // of all queues: they may have been busy at the same time
    bool has_device = true;         // the busy time of each is known
    LatencySummary host_queue;
    LatencySummary device_queue;
    LatencySummary execution;
    OccupancyOverTime over_time;
};

/// One of the jobs that took longest from queued to completed.
struct LongJob {
    std::string device;
    std::string ring;
    std::string driver;
    Known<FenceContext> context;
    Known<FenceSeqno> seqno;
    Known<Pid> pid;
    Known<Tid> tid;
    std::string comm;
    std::string api_call;    // empty: unknown
    std::string debug_group; // in which that was made; empty: none
    Timestamp queued;
    std::int64_t total = 0; // until completed, or until the end of the window
    bool is_open = false;   // it had not ended
    bool is_on_device = false;
    bool has_doubtful_start = false; // inferred, but the ring does not keep order
    std::optional<std::int64_t> host_queue;
    std::optional<std::int64_t> device_queue;
    std::optional<std::int64_t> execution;
    model::Fault fault = model::Fault::None;
    unsigned intervals = 1; // more: it was preempted
};

/// The job that took longest, in words.
struct WorstJob {
    std::string words;
    std::string name;    // as `diagnose --job` takes it; empty: it has none
    std::string command; // which tells more of it
};

/// The jobs of one API call, or of one kernel that it named.
struct CallReport {
    std::string driver;      // an API, or the driver of jobs that the call led to
    std::string call;        // empty: there were too many names
    std::string debug_group; // of the program, in which the calls were made; empty: none
    std::uint64_t count = 0;
    std::uint64_t failed = 0;
    LatencySummary waited; // in both queues
    LatencySummary execution;
    double share = 0;                       // of the execution time of all calls of that driver
    std::uint64_t bytes = 0;                // that its commands moved; 0: none, or nothing tells
    std::optional<double> bytes_per_second; // while they were executed, as far as that is known
};

/// Waits of a process for fences of unknown jobs.
struct ForeignWaits {
    std::optional<Pid> pid;
    std::optional<Tid> tid; // only where `pid` is unknown
    std::string comm;
    WaitSummary waits;
};

/// Time of all jobs that went for one reason.
struct ReasonCost {
    std::string name;   // for machines
    std::string cause;  // of what is unknown, why; else empty
    std::string words;  // for people
    std::string advice; // how to record what would tell more; empty: nothing would
    bool is_usual = false;
    std::uint64_t jobs = 0;
    std::int64_t time = 0;
    // the process and ring where most of it was
    std::string device;
    std::string ring;
    std::optional<Pid> pid;
    std::optional<Tid> tid; // only where `pid` is unknown
    std::string comm;
    std::int64_t time_there = 0;
};

/// Where the time from queued to completed went, inside of the window.
struct ReasonCosts {
    std::uint64_t jobs = 0;
    std::int64_t time = 0;
    std::uint64_t ended = 0;  // of the jobs
    std::int64_t latency = 0; // of these, from queued to completed, inside or not
    // jobs without reasons, by what is unknown of them
    std::uint64_t no_queue = 0;
    std::uint64_t no_submit = 0;
    std::uint64_t no_complete = 0;
    std::uint64_t no_times = 0;
    std::vector<ReasonCost> reasons; // most time first
};

struct JobCounts {
    std::uint64_t complete = 0;
    std::uint64_t no_queue = 0;
    std::uint64_t no_submit = 0;
    std::uint64_t no_complete = 0;
    std::uint64_t no_times = 0; // commands of APIs: called, but their times are not known
    std::uint64_t lost = 0;     // of the incomplete: the missing event lies in a gap

    std::uint64_t all() const { return complete + no_queue + no_submit + no_complete + no_times; }
};

/// A CPU whose clock was corrected, so that no effect comes before its cause.
struct ClockNote {
    Cpu cpu;
    Duration offset;
    Duration error;
};

/// What was recorded, of which the window is the part in which every CPU was.
struct RecordingNote {
    Timestamp begin;
    Timestamp end;
    std::vector<model::CpuGap> gaps;
    std::vector<ClockNote> clocks;
    bool has_unexplained_clocks = false;
};

struct Report {
    RecordingNote recording;
    Timestamp begin;
    Timestamp end;
    TraceAccount trace;
    JobCounts jobs;
    std::vector<QueueReport> queues;
    std::vector<QueueGroup> groups; // only of more than one queue
    std::vector<LongJob> longest_jobs;
    std::vector<CallReport> calls;
    std::vector<ForeignWaits> foreign_waits;
    std::vector<SurfaceReport> frames;
    std::vector<ApiCallReport> api_calls;        // most time first
    std::optional<WorstJob> worst;               // only where reasons were looked for
    std::optional<ReasonCosts> reasons;          // likewise
    bool has_reasons_elsewhere = false;          // they were not, but diagnose tells them
    std::optional<TracedKernels> traced_kernels; // only where kernels were recorded inside
    /// Rows that came so late that a part of them is not in depths and busy time.
    std::uint64_t intervals_out_of_order = 0;
    std::uint64_t dependencies_without_ring = 0;
};

} // namespace lttng_gpu::report
