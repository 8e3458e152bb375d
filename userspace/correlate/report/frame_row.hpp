// SPDX-License-Identifier: MIT
//
// The columns of a frame's row, in their order, for CSV and JSON. A new column is a new entry at
// the end. docs/reading-the-report.md has the table, too; a unit test compares them.
#pragma once

#include "../calls/frame.hpp"
#include "../rings/ring_table.hpp"
#include "columns.hpp"

namespace lttng_gpu::report {

/// "cpu", "call", "host_queue", "device_queue", "execution", "after" or "unknown".
std::string_view frame_part_text(model::FramePart part);
/// For people: "before submit".
std::string_view frame_part_title(model::FramePart part);

/// Empty where the frame is not late.
std::string_view late_by_text(const model::Frame& frame);

/// Lives no longer than both. Empty texts are unknown.
class FrameRow {
public:
    FrameRow(const model::Frame& frame, const model::RingTable& texts)
        : m_frame{frame}, m_texts{texts}
    {
    }

    const model::Frame& frame() const { return m_frame; }
    std::string_view api() const { return m_texts.text(m_frame.api); }
    Known<Pid> pid() const { return m_frame.actor.pid; }
    Known<Tid> tid() const { return m_frame.actor.tid; }
    std::string_view comm() const { return m_texts.text(m_frame.actor.comm); }
    std::string_view function() const { return m_texts.text(m_frame.function); }
    KnownTime call_begin() const { return m_frame.call_begin; }
    KnownTime end() const { return m_frame.end; }
    std::string_view late() const
    {
        return m_frame.lateness == model::Lateness::Unknown ? ""
               : m_frame.lateness == model::Lateness::Late  ? "yes"
                                                            : "no";
    }
    std::string_view late_by() const { return late_by_text(m_frame); }
    /// 0 where the wait returned within the error of the GPU's time.
    KnownDuration learned_after() const
    {
        const auto end = m_frame.end_on_gpu();
        return m_frame.learned && end ? KnownDuration{std::max(*m_frame.learned - *end, Duration{})}
                                      : KnownDuration{};
    }
    template <model::FramePart part> KnownDuration spent() const
    {
        return m_frame.in_calls ? KnownDuration{m_frame.parts[static_cast<std::size_t>(part)]}
                                : KnownDuration{};
    }

private:
    const model::Frame& m_frame;
    const model::RingTable& m_texts;
};

template <typename Take>
constexpr auto frame_column(const char* name, Take take, const char* meaning,
                            const char* empty_when)
{
    if constexpr (std::is_invocable_v<Take, const FrameRow&>) {
        return make_column<FrameRow>(name, take, meaning, empty_when);
    } else {
        const auto of_frame = [take](const FrameRow& row) {
            return std::invoke(take, row.frame());
        };
        return make_column<FrameRow>(name, of_frame, meaning, empty_when);
    }
}

inline constexpr const char* no_frame_before = "no frame of the surface was seen just before it";
inline constexpr const char* no_jobs_known = "no job of it is known, or one's is unknown";

inline constexpr const char* no_gpu_times = "no times of the GPU were recorded, or one is unknown";
inline constexpr const char* no_wait_then = "no wait is known to have been under way";

inline constexpr std::tuple frame_columns{
    frame_column("api", &FrameRow::api, "the API whose call ended the frame", never),
    frame_column("pid", &FrameRow::pid, "the process", "it is unknown"),
    frame_column("tid", &FrameRow::tid, "the thread that ended the frame", "it is unknown"),
    frame_column("comm", &FrameRow::comm, "the name of that thread", "it is unknown"),
    frame_column("surface", &model::Frame::surface, "the surface, by its handle", never),
    frame_column("frame", &model::Frame::number, "the number of the frame on it, from 1", never),
    frame_column("function", &FrameRow::function, "the call that ended it", "it is unknown"),
    frame_column("begin_ns", &model::Frame::begin,
                 "when the call before it ended that shows frames", no_frame_before),
    frame_column("call_begin_ns", &FrameRow::call_begin, "when the call that ends it began", never),
    frame_column("end_ns", &FrameRow::end, "when that call returned", never),
    frame_column("interval_ns", &model::Frame::interval, "from begin_ns to end_ns",
                 no_frame_before),
    frame_column("cadence_ns", &model::Frame::cadence,
                 "the median of the up to 32 intervals before it", "there are fewer than 8"),
    frame_column("late", &FrameRow::late, "yes if interval_ns is above 1.5 times cadence_ns",
                 "one of both is unknown"),
    frame_column("late_by", &FrameRow::late_by, "the part that made it late",
                 "it is not late, or that is unknown"),
    frame_column("in_calls_ns", &model::Frame::in_calls,
                 "time that passed while the thread was inside API calls", no_frame_before),
    frame_column("jobs", &model::Frame::jobs, "kernel jobs made for it", never),
    frame_column("jobs_by_time", &model::Frame::jobs_by_time,
                 "of these, those found only by when they were queued", never),
    frame_column("first_queued_ns", &model::Frame::first_queued, "when the first was queued",
                 "no job of it is known"),
    frame_column("host_queue_ns", &model::Frame::host_queue, "sum of the jobs' times there",
                 no_jobs_known),
    frame_column("device_queue_ns", &model::Frame::device_queue, "sum of the jobs' times there",
                 no_jobs_known),
    frame_column("execution_ns", &model::Frame::execution, "sum of the jobs' execution times",
                 no_jobs_known),
    frame_column("execution_wall_ns", &model::Frame::execution_wall,
                 "the time in which at least one was executed", no_jobs_known),
    frame_column("completed_ns", &model::Frame::completed, "when the last of them ended",
                 no_jobs_known),
    frame_column("observed_ns", &model::Frame::observed, "when a CPU waiter knew of that",
                 "no event says it"),
    frame_column("draws", &model::Frame::draws, "draw calls", never),
    frame_column("dispatches", &model::Frame::dispatches, "compute dispatches", never),
    frame_column("uploads", &model::Frame::uploads, "uploads of a size", never),
    frame_column("cpu_ns", &FrameRow::spent<model::FramePart::Cpu>,
                 "of interval_ns: outside of API calls", no_frame_before),
    frame_column("call_ns", &FrameRow::spent<model::FramePart::Call>, "in calls, no job under way",
                 no_frame_before),
    frame_column("call_host_queue_ns", &FrameRow::spent<model::FramePart::HostQueue>,
                 "in calls, jobs in the host queue at most", no_frame_before),
    frame_column("call_device_queue_ns", &FrameRow::spent<model::FramePart::DeviceQueue>,
                 "in calls, jobs in the device queue at most", no_frame_before),
    frame_column("call_execution_ns", &FrameRow::spent<model::FramePart::Execution>,
                 "in calls, a job was executed", no_frame_before),
    frame_column("after_ns", &FrameRow::spent<model::FramePart::After>,
                 "in the last call, all jobs done", no_frame_before),
    frame_column("call_unknown_ns", &FrameRow::spent<model::FramePart::Unknown>,
                 "in calls, a job on the device whose start is unknown", no_frame_before),
    frame_column("gpu_commands", &model::Frame::gpu_commands,
                 "commands of it that the GPU was to note times of", never),
    frame_column("gpu_begin_ns", &model::Frame::gpu_begin, "when the GPU began the first",
                 no_gpu_times),
    frame_column("gpu_end_ns", &model::Frame::gpu_end, "when it ended the last", no_gpu_times),
    frame_column("gpu_ns", &model::Frame::gpu, "the time in which at least one was executed",
                 no_gpu_times),
    frame_column("gpu_error_ns", &model::Frame::gpu_error,
                 "by how much these times may be wrong, as mapped clocks are", no_gpu_times),
    frame_column("learned_ns", &model::Frame::learned,
                 "when the wait returned that was under way at gpu_end_ns, else completed_ns",
                 no_wait_then),
    frame_column("learned_after_ns", &FrameRow::learned_after, "how long after that end it was",
                 no_wait_then),
    frame_column("in_calls_on_cpu_ns", &model::Frame::in_calls_on_cpu,
                 "of in_calls_ns, the thread was on a CPU",
                 "in_calls_ns is, or no sched_switch tells it"),
};

inline constexpr auto frame_column_facts = facts_of(frame_columns);

} // namespace lttng_gpu::report
