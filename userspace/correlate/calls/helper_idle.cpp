// SPDX-License-Identifier: MIT
//
// See helper_idle.hpp.
#include "helper_idle.hpp"

namespace lttng_gpu::model {

void HelperIdle::add_sleep(Timestamp time, std::int64_t helper)
{
    if (m_asleep.size() < most_helpers || m_asleep.contains(helper)) {
        m_asleep[helper] = time;
    }
}

void HelperIdle::add_wake(Timestamp time, std::int64_t waker, std::int64_t helper)
{
    const auto asleep = m_asleep.find(helper);
    if (asleep == m_asleep.end()) {
        return;
    }
    if (m_naps.size() == most_naps) {
        m_naps.pop_front();
    }
    m_naps.push_back({asleep->second, time, waker, helper});
    m_asleep.erase(asleep);
}

/// The first that wakes up who sleeps for a lock is the one that holds it.
bool HelperIdle::was_woken_for_work(const Nap& nap, const SubmitCalls& calls)
{
    const SubmitCall* const call = calls.last_of(nap.waker, nap.end);
    return call != nullptr && nap.begin < call->begin && nap.end <= call->end;
}

void HelperIdle::judge(const SubmitCalls& calls, Timestamp horizon)
{
    for (; !m_naps.empty() && m_naps.front().end < horizon; m_naps.pop_front()) {
        const Nap& nap = m_naps.front();
        if (was_woken_for_work(nap, calls)) {
            std::deque<SubmitIdle>& idle = m_idle[nap.helper];
            if (idle.size() == most_naps) {
                idle.pop_front();
            }
            idle.push_back({nap.begin, nap.end});
        }
    }
}

const std::deque<SubmitIdle>* HelperIdle::of(std::int64_t helper) const
{
    const auto found = m_idle.find(helper);
    return found == m_idle.end() ? nullptr : &found->second;
}

void HelperIdle::forget_before(Timestamp time)
{
    constexpr Duration longest{1'000'000'000};
    for (auto& [helper, idle] : m_idle) {
        while (idle.size() > 1 && idle.front().end + longest < time) {
            idle.pop_front();
        }
    }
}

} // namespace lttng_gpu::model
