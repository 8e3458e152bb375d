// SPDX-License-Identifier: MIT
//
// See open_calls.hpp.
#include "open_calls.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void OpenCalls::insert(Step step)
{
    const auto place = std::ranges::upper_bound(m_steps, step.time, {}, &Step::time);
    m_steps.insert(place, std::move(step));
    if (m_steps.size() > most_steps) {
        take(m_steps.front());
        m_steps.pop_front();
    }
}

void OpenCalls::add(const SubmitCall& call, bool of_queue)
{
    const LaneId lane = of_queue ? LaneId{0, call.detail.queue} : LaneId{call.tid, 0};
    insert({call.begin, Kind::Begin, lane, call});
    if (call.detail.is_sync) {
        insert({call.end, Kind::SyncEnd, lane, call});
    }
}

void OpenCalls::on_context(std::int64_t tid, Timestamp time)
{
    insert({time, Kind::Context, {tid, 0}});
}

/// What another thread gave to the queue meanwhile, it need not have waited for.
void OpenCalls::end_sync(Lane& lane, const SubmitCall& sync)
{
    lane.syncs -= std::min<std::uint64_t>(lane.syncs, 1);
    if (lane.syncs == 0 && lane.last_end <= sync.begin) {
        lane.open = 0;
        lane.was_complete = true;
    }
}

void OpenCalls::take(const Step& step)
{
    m_taken_until = std::max(m_taken_until, step.time);
    if (m_lanes.size() == most_lanes && !m_lanes.contains(step.lane)) {
        m_is_unknown = true;
        return;
    }
    Lane& lane = m_lanes[step.lane];
    m_open -= lane.open;
    switch (step.kind) {
    case Kind::Begin:
        ++lane.open;
        lane.last = step.call;
        lane.syncs += step.call.detail.is_sync ? 1 : 0;
        lane.last_end =
            step.call.detail.is_sync ? lane.last_end : std::max(lane.last_end, step.call.end);
        break;
    case Kind::SyncEnd:
        end_sync(lane, step.call);
        break;
    case Kind::Context:
        m_is_unknown = m_is_unknown || lane.open > 0;
        lane.was_complete = false;
        break;
    }
    m_open += lane.open;
}

void OpenCalls::forget_before(Timestamp time)
{
    while (!m_steps.empty() && m_steps.front().time < time) {
        take(m_steps.front());
        m_steps.pop_front();
    }
}

std::optional<SubmitCall> OpenCalls::only_at(Timestamp time)
{
    forget_before(time + Duration{1});
    if (m_is_unknown || m_open != 1 || time < m_taken_until) {
        return {};
    }
    const auto lane =
        std::ranges::find_if(m_lanes, [](const auto& entry) { return entry.second.open == 1; });
    return lane->second.was_complete ? std::optional{lane->second.last} : std::nullopt;
}

} // namespace lttng_gpu::model
