// SPDX-License-Identifier: MIT
//
// What reading a capture once shows of the capture itself: events that must have existed and
// are not there although nothing announces it, how well each ring kept its order, and by how
// much the clocks of the CPUs differ. A second reading may use it (capture_knowledge.hpp).
#pragma once

#include "../base/known.hpp"
#include "../base/per_trace.hpp"
#include "../clocks/cpu_clocks.hpp"
#include "../rings/ring_fifo.hpp"
#include "../rings/ring_table.hpp"

#include <algorithm>
#include <string>

namespace lttng_gpu::model {

/// Which event of a job is missing, as others of its fence context or entity prove.
enum class Missing : std::uint8_t { Queue, Submit, Completion, WholeJob };

struct MissingEvents {
    TraceId trace;
    Missing what = Missing::Queue;
    std::uint64_t jobs = 1;
    TimeSpan when; // it happened in this stretch of time
    Known<RingId> ring;
    /// Nothing tells when these jobs were on the device.
    std::optional<UnseenRun> run;
    bool is_announced = false; // the tracer said that it lost events then
};

struct RingFinding {
    RingId ring;
    OrderEvidence order;
    bool is_shared_name = false; // jobs of several rings were told under it
};

/// The numbers that a scheduler gave the jobs of a ring tell of each that was not seen between
/// these two times.
struct NumberedRing {
    TraceId trace;
    TimeSpan when;
};

/// A context of hardware fences whose ring is called so, and when it was used.
struct HardwareContext {
    TraceId trace;
    std::string ring;
    std::uint64_t context = 0;
    TimeSpan used;
};

/// A job that was still in its host queue at the end, as far as its events tell.
struct PendingJob {
    TraceId trace;
    RingId ring;
    Timestamp queued;
};

/// A job of which all events were seen, from the first to the last of them.
using WholeJob = TimeSpan;

class CaptureFindings {
public:
    void add(const MissingEvents& missing);
    void add_whole(TraceId trace, WholeJob job)
    {
        Duration& longest = m_whole[trace].longest;
        longest = std::max(longest, job.end - job.begin);
    }
    /// A job of the scheduler that was submitted, or completed, then, and whose queue event was not
    /// seen: before the trace began, or missing.
    void add_unqueued(TraceId trace, Timestamp time);
    void add_pending(const PendingJob& job);
    void add_hardware(TraceId trace, std::string_view ring, std::uint64_t context, Timestamp time);

    const std::vector<MissingEvents>& missing() const { return m_missing; }
    template <typename Amend> void amend_missing(Amend amend)
    {
        for (MissingEvents& missing : m_missing) {
            amend(missing);
        }
    }
    const BoundedDeque<PendingJob>& pending() const { return m_pending; } // the last some thousands
    /// Jobs whose queue event was not seen although they were submitted in this stretch of time.
    std::uint64_t count_unqueued(TraceId trace, TimeSpan span);
    /// Of the jobs of which all events were seen.
    Duration longest_life(TraceId trace) { return m_whole[trace].longest; }

    std::vector<RingFinding> rings;     // after the last event
    std::vector<NumberedRing> numbered; // likewise
    std::vector<HardwareContext> hardware;
    /// Traces in which fences that tell when a job was queued came after the first job.
    std::vector<TraceId> late_queue_fences;
    std::vector<TraceId> unnumbered; // traces with jobs that have neither a number nor a fence's
    bool has_losses = false;         // that the tracer announced
    /// Two events tell of each job, and no threads join them: numbers may, where each ring's name
    /// is that of one ring.
    bool lacks_threads = false;
    CpuClocks clocks;

private:
    static constexpr std::size_t most_missing = 1U << 18U;
    static constexpr std::size_t most_whole = 4096;

    struct WholeJobs {
        Duration longest{0};
        std::vector<Timestamp> unqueued; // the first ones
    };

    std::vector<MissingEvents> m_missing;
    BoundedDeque<PendingJob> m_pending;
    PerTrace<WholeJobs> m_whole;
};

} // namespace lttng_gpu::model
