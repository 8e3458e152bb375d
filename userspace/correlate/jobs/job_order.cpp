// SPDX-License-Identifier: MIT
//
// See job_order.hpp.
#include "job_order.hpp"

namespace lttng_gpu::model {

JobOrder::Place JobOrder::reserve(Timestamp first_known, std::uint32_t job)
{
    m_entries.push_back({first_known, job, State::Open});
    return m_first + m_entries.size() - 1;
}

void JobOrder::decide(Place place)
{
    m_entries[place - m_first].state = State::Decided;
    ++m_decided;
}

void JobOrder::drop(Place place)
{
    Entry& entry = m_entries[place - m_first];
    m_decided -= entry.state == State::Decided ? 1 : 0;
    entry.state = State::Dropped;
    skip_dropped();
}

void JobOrder::pop_front()
{
    m_decided -= is_front_decided() ? 1 : 0;
    m_entries.pop_front();
    ++m_first;
    skip_dropped();
}

void JobOrder::skip_dropped()
{
    while (!m_entries.is_empty() && m_entries.front().state == State::Dropped) {
        m_entries.pop_front();
        ++m_first;
    }
}

} // namespace lttng_gpu::model
