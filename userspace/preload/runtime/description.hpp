// SPDX-License-Identifier: MIT
//
// When an object is described by an event again. A session switches its events on one after the
// other, and what comes before the last of them is lost; a flight recorder loses the beginning. So
// an object that is used is described at once, 1, 10 and 100 ms later, and then once a second, and
// anew when nothing was recorded of it for a while.
#pragma once

#include <stdint.h>

namespace lttng_gpu {

class Description {
public:
    /// To be asked at each use that is recorded. True: describe it now.
    bool is_due(uint64_t now)
    {
        const uint64_t used = __atomic_exchange_n(&m_used_ns, now, __ATOMIC_RELAXED);
        const uint64_t told = __atomic_load_n(&m_told_ns, __ATOMIC_RELAXED);
        uint64_t pause = __atomic_load_n(&m_pause_ns, __ATOMIC_RELAXED);
        if (!told || is_later(now, used + new_session_after_ns))
            pause = 0;
        else if (!is_later(now, told + pause))
            return false;
        const uint64_t next = pause ? 10 * pause : first_pause_ns;
        __atomic_store_n(&m_told_ns, now, __ATOMIC_RELAXED);
        __atomic_store_n(&m_pause_ns, next < longest_pause_ns ? next : longest_pause_ns,
                         __ATOMIC_RELAXED);
        return true;
    }

private:
    static constexpr uint64_t first_pause_ns = 1'000'000, longest_pause_ns = 1'000'000'000;
    /// Longer than a program at work leaves between two uses.
    static constexpr uint64_t new_session_after_ns = 20'000'000;

    /// Another thread may have read the clock later and come here earlier.
    static bool is_later(uint64_t time, uint64_t other) { return int64_t(time - other) >= 0; }

    uint64_t m_used_ns = 0;
    uint64_t m_told_ns = 0; ///< 0: never
    uint64_t m_pause_ns = 0;
};

} // namespace lttng_gpu
