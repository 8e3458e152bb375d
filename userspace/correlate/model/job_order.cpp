// SPDX-License-Identifier: MIT
//
// See job_order.hpp.
#include "job_order.hpp"

namespace lttng_gpu::model {

JobOrder::Slot JobOrder::reserve(Timestamp first_known)
{
    const Slot slot{first_known, x_next++};
    x_slots.emplace_hint(x_slots.end(), slot, std::nullopt);
    return slot;
}

void JobOrder::fill(Slot slot, const Job& job)
{
    x_slots[slot] = job;
}

void JobOrder::release(Timestamp horizon)
{
    while (!x_slots.empty() && x_slots.begin()->second && x_slots.begin()->first.first < horizon) {
        x_sink.on_job(*x_slots.begin()->second);
        x_slots.erase(x_slots.begin());
    }
}

void JobOrder::release_all()
{
    for (const auto& [slot, job] : x_slots) {
        if (job) {
            x_sink.on_job(*job);
        }
    }
    x_slots.clear();
}

} // namespace lttng_gpu::model
