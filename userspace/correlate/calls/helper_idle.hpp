// SPDX-License-Identifier: MIT
//
// When threads of a driver had nothing left to do: one slept, and was woken up inside a call that
// began after that. Who holds a lock for which it sleeps is in its call already.
#pragma once

#include "submit_lanes.hpp"

namespace lttng_gpu::model {

class HelperIdle {
public:
    /// One began to sleep; and a thread woke it up. In order of time.
    void add_sleep(Timestamp time, std::int64_t helper);
    void add_wake(Timestamp time, std::int64_t waker, std::int64_t helper);
    /// All calls that began before `horizon` are known.
    void judge(const SubmitCalls& calls, Timestamp horizon);
    /// In order; null: nothing is known of that one.
    const std::deque<SubmitIdle>* of(std::int64_t helper) const;
    void forget_before(Timestamp time);

private:
    static constexpr std::size_t most_helpers = 256;
    static constexpr std::size_t most_naps = 8192;

    /// From when on it slept, until a thread woke it up.
    struct Nap {
        Timestamp begin;
        Timestamp end;
        std::int64_t waker = 0;
        std::int64_t helper = 0;
    };

    static bool was_woken_for_work(const Nap& nap, const SubmitCalls& calls);

    std::deque<Nap> m_naps; // that are not judged
    std::map<std::int64_t, std::deque<SubmitIdle>> m_idle;
    std::map<std::int64_t, Timestamp> m_asleep;
};

} // namespace lttng_gpu::model
