// SPDX-License-Identifier: MIT
//
// See api_waits.hpp.
#include "api_waits.hpp"

namespace lttng_gpu::model {

void ApiWaits::add(const ThreadOfSpace& thread, const Wait& wait, const ApiObjects& objects)
{
    if (x_waits.size() == most_waits) {
        settle(x_waits.begin()->first);
    }
    x_waits.insert_or_assign(thread, ApiWait{wait, &objects});
}

/// The layer reads the times of what a call waited for before the thread goes on: a command whose
/// times it tells then, and which was enqueued before the call, is one of these.
void ApiWaits::note_end(const ThreadOfSpace& thread, std::optional<Timestamp> begin, const Job& job)
{
    const auto found = x_waits.find(thread);
    if (found == x_waits.end() || !begin || found->second.wait.begin < *begin) {
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
    const auto found = x_waits.find(thread);
    if (found == x_waits.end()) {
        return;
    }
    auto& [wait, objects] = found->second;
    if (!wait.ring) {
        wait.ring = objects->only_queue();
        wait.is_inferred = wait.ring.has_value();
    }
    if (x_clocks.use() != DeviceClocks::Use::Learning) {
        x_rows.on_wait(wait);
    }
    x_waits.erase(found);
}

void ApiWaits::finish()
{
    while (!x_waits.empty()) {
        settle(x_waits.begin()->first);
    }
}

} // namespace lttng_gpu::model
