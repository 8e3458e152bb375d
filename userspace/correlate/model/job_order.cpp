// SPDX-License-Identifier: MIT
//
// See job_order.hpp.
#include "job_order.hpp"

namespace lttng_gpu::model {

JobOrder::Place JobOrder::reserve(Timestamp first_known, std::uint32_t job)
{
    x_entries.push_back({first_known, job, State::Open});
    return x_first + x_entries.size() - 1;
}

void JobOrder::decide(Place place)
{
    x_entries[place - x_first].state = State::Decided;
    ++x_decided;
}

void JobOrder::drop(Place place)
{
    Entry& entry = x_entries[place - x_first];
    x_decided -= entry.state == State::Decided ? 1 : 0;
    entry.state = State::Dropped;
    skip_dropped();
}

void JobOrder::pop_front()
{
    x_decided -= is_front_decided() ? 1 : 0;
    x_entries.pop_front();
    ++x_first;
    skip_dropped();
}

void JobOrder::skip_dropped()
{
    while (!x_entries.is_empty() && x_entries.front().state == State::Dropped) {
        x_entries.pop_front();
        ++x_first;
    }
}

} // namespace lttng_gpu::model
