// SPDX-License-Identifier: MIT
//
// See api_waits.hpp.
#include "api_waits.hpp"

namespace lttng_gpu::model {

void ApiWaits::add(const ThreadOfSpace& thread, const Wait& wait, const ApiObjects& objects)
{
    if (m_waits.size() == most_waits) {
        settle(m_waits.begin()->first);
    }
    m_waits.insert_or_assign(thread, ApiWait{wait, &objects});
}

/// The layer reads the times of what a call waited for before the thread goes on: a command whose
/// times it tells then, and which was enqueued before the call, is one of these.
void ApiWaits::note_end(const ThreadOfSpace& thread, std::optional<Timestamp> begin, const Job& job)
{
    const auto found = m_waits.find(thread);
    if (found == m_waits.end() || !begin || found->second.wait.begin < *begin) {
        return;
    }
    Wait& wait = found->second.wait;
    if (!wait.ring || (job.completed && (!wait.signaled || *wait.signaled < *job.completed))) {
        wait.ring = job.ring;
        wait.is_inferred = true;
        wait.fence = job.fence;
        wait.signaled = job.completed;
    }
}

/// Of a process with one queue it is that.
void ApiWaits::settle(const ThreadOfSpace& thread)
{
    const auto found = m_waits.find(thread);
    if (found == m_waits.end()) {
        return;
    }
    auto& [wait, objects] = found->second;
    if (!wait.ring) {
        wait.ring = objects->only_queue();
        wait.is_inferred = wait.ring.has_value();
    }
    if (m_clocks.use() != DeviceClocks::Use::Learning) {
        m_rows.on_wait(wait);
    }
    m_waits.erase(found);
}

void ApiWaits::finish()
{
    while (!m_waits.empty()) {
        settle(m_waits.begin()->first);
    }
}

} // namespace lttng_gpu::model
