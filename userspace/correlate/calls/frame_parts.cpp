// SPDX-License-Identifier: MIT
//
// See frame_parts.hpp.
#include "frame_parts.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// What begins or ends at a moment.
enum class Kind : std::uint8_t { InCall, HostQueue, DeviceQueue, Execution, OnDevice };
constexpr std::size_t kinds = 5;

struct Step {
    Timestamp time;
    Kind kind = Kind::InCall;
    int change = 0;
};

class Sweep {
public:
    explicit Sweep(const Frame& frame) : m_frame{frame} {}

    void add(Kind kind, Timestamp begin, Timestamp end)
    {
        begin = std::clamp(begin, *m_frame.begin, m_frame.end);
        end = std::clamp(end, *m_frame.begin, m_frame.end);
        if (begin < end) {
            m_steps.push_back({begin, kind, 1});
            m_steps.push_back({end, kind, -1});
        }
    }

    FrameParts run()
    {
        // Where the waiting for the display may begin.
        const Timestamp done = std::max(
            m_frame.call_begin,
            m_frame.completed.value_or(Timestamp{std::numeric_limits<std::int64_t>::max()}));
        if (*m_frame.begin < done && done < m_frame.end) {
            m_steps.push_back({done, Kind::InCall, 0});
        }
        m_steps.push_back({m_frame.end, Kind::InCall, 0});
        std::ranges::sort(m_steps, {}, &Step::time);
        FrameParts parts{};
        Timestamp last = *m_frame.begin;
        for (const Step& step : m_steps) {
            Duration& part = parts[static_cast<std::size_t>(part_now(last >= done))];
            part = part + (step.time - last);
            last = step.time;
            m_depths[static_cast<std::size_t>(step.kind)] += step.change;
        }
        return parts;
    }

private:
    bool is_at(Kind kind) const { return m_depths[static_cast<std::size_t>(kind)] > 0; }
    FramePart part_now(bool is_done) const
    {
        if (!is_at(Kind::InCall)) {
            return FramePart::Cpu;
        }
        if (is_at(Kind::Execution)) {
            return FramePart::Execution;
        }
        if (is_at(Kind::OnDevice)) {
            return FramePart::Unknown;
        }
        if (is_at(Kind::DeviceQueue)) {
            return FramePart::DeviceQueue;
        }
        if (is_at(Kind::HostQueue)) {
            return FramePart::HostQueue;
        }
        return is_done ? FramePart::After : FramePart::Call;
    }

    const Frame& m_frame;
    std::vector<Step> m_steps;
    std::array<int, kinds> m_depths{};
};

/// Nothing once one is not known.
void add(KnownDuration& sum, KnownTime begin, KnownTime end)
{
    sum = sum && begin && end ? KnownDuration{*sum + (*end - *begin)} : KnownDuration{};
}

} // namespace

std::vector<TimeSpan> united(std::vector<TimeSpan> spans)
{
    std::ranges::sort(spans, {}, &TimeSpan::begin);
    std::vector<TimeSpan> all;
    for (const TimeSpan& span : spans) {
        if (!all.empty() && span.begin <= all.back().end) {
            all.back().end = std::max(all.back().end, span.end);
        } else {
            all.push_back(span);
        }
    }
    return all;
}

Duration length_of(const std::vector<TimeSpan>& united_spans)
{
    Duration sum{};
    for (const TimeSpan& span : united_spans) {
        sum = sum + (span.end - span.begin);
    }
    return sum;
}

FrameParts parts_of(const Frame& frame, const std::vector<TimeSpan>& calls,
                    const std::vector<JobLife>& jobs)
{
    Sweep sweep{frame};
    for (const TimeSpan& call : calls) {
        sweep.add(Kind::InCall, call.begin, call.end);
    }
    for (const JobLife& job : jobs) {
        if (!job.submitted) {
            if (job.completed) {
                sweep.add(Kind::OnDevice, job.queued, *job.completed);
            }
            continue;
        }
        sweep.add(Kind::HostQueue, job.queued, *job.submitted);
        if (job.started) {
            sweep.add(Kind::DeviceQueue, *job.submitted, *job.started);
            sweep.add(Kind::Execution, *job.started, job.completed.value_or(*job.started));
        } else if (job.completed) {
            sweep.add(Kind::OnDevice, *job.submitted, *job.completed);
        }
    }
    return sweep.run();
}

void sum_up(Frame& frame, const std::vector<JobLife>& jobs)
{
    if (jobs.empty()) {
        return;
    }
    frame.host_queue = frame.device_queue = frame.execution = Duration{};
    std::vector<TimeSpan> executed;
    const JobLife* last = nullptr;
    for (const JobLife& job : jobs) {
        frame.jobs += job.is_first ? 1 : 0;
        frame.jobs_by_time += job.is_first && job.is_by_time ? 1 : 0;
        if (!frame.first_queued || job.queued < *frame.first_queued) {
            frame.first_queued = job.queued;
        }
        if (job.is_first) {
            add(frame.host_queue, job.queued, job.submitted);
        }
        add(frame.device_queue, job.submitted, job.started);
        add(frame.execution, job.started, job.completed);
        if (job.started && job.completed && *job.started <= *job.completed) {
            executed.push_back({*job.started, *job.completed});
        }
        if (last == nullptr ||
            (last->completed && (!job.completed || *last->completed <= *job.completed))) {
            last = &job;
        }
    }
    frame.completed = last->completed;
    frame.observed = last->completed ? last->observed : KnownTime{};
    if (frame.execution) {
        frame.execution_wall = length_of(united(std::move(executed)));
    }
}

} // namespace lttng_gpu::model
