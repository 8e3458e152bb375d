// SPDX-License-Identifier: MIT
//
// See compact_sched.hpp.
#include "compact_sched.hpp"

#include "event_fields.hpp"

#include "perfetto.pb.h"

#include <algorithm>

namespace lttng_gpu::trace::perfetto {
namespace {

void sum_up(std::vector<std::uint64_t>& differences)
{
    for (std::size_t index = 1; index < differences.size(); ++index) {
        differences[index] += differences[index - 1];
    }
}

} // namespace

void CompactSched::clear()
{
    for (auto* list : {&m_times, &m_states, &m_tids, &m_priorities, &m_comms, &m_wakings}) {
        list->clear();
    }
    m_names.clear();
}

bool CompactSched::read(Bytes compact)
{
    using Proto = lttng_gpu::perfetto::FtraceEventBundle::CompactSched;
    WireReader fields{compact};
    bool is_whole = true;
    while (fields.next()) {
        const Bytes bytes = fields.bytes();
        switch (fields.number()) {
        case Proto::kSwitchTimestampFieldNumber:
            is_whole &= add_numbers(bytes, m_times);
            break;
        case Proto::kSwitchPrevStateFieldNumber:
            is_whole &= add_numbers(bytes, m_states);
            break;
        case Proto::kSwitchNextPidFieldNumber:
            is_whole &= add_numbers(bytes, m_tids);
            break;
        case Proto::kSwitchNextPrioFieldNumber:
            is_whole &= add_numbers(bytes, m_priorities);
            break;
        case Proto::kSwitchNextCommIndexFieldNumber:
            is_whole &= add_numbers(bytes, m_comms);
            break;
        case Proto::kWakingTimestampFieldNumber:
            is_whole &= add_numbers(bytes, m_wakings);
            break;
        case Proto::kInternTableFieldNumber:
            m_names.push_back(as_text(bytes));
            break;
        default:
            break;
        }
    }
    sum_up(m_times);
    sum_up(m_wakings);
    return fit() && is_whole && !fields.is_damaged();
}

bool CompactSched::add_numbers(Bytes packed, std::vector<std::uint64_t>& numbers)
{
    google::protobuf::io::CodedInputStream stream{packed.data(), static_cast<int>(packed.size())};
    std::uint64_t number = 0;
    while (stream.CurrentPosition() < static_cast<int>(packed.size())) {
        if (!stream.ReadVarint64(&number)) {
            return false;
        }
        numbers.push_back(number);
    }
    return true;
}

/// Leaves what every list has, and what has a name.
bool CompactSched::fit()
{
    std::size_t least = m_times.size();
    std::size_t most = least;
    for (const auto* list : {&m_states, &m_tids, &m_priorities, &m_comms}) {
        least = std::min(least, list->size());
        most = std::max(most, list->size());
    }
    const auto unnamed =
        std::find_if(m_comms.begin(), m_comms.begin() + static_cast<std::ptrdiff_t>(least),
                     [&](std::uint64_t comm) { return comm >= m_names.size(); });
    least = static_cast<std::size_t>(unnamed - m_comms.begin());
    for (auto* list : {&m_times, &m_states, &m_tids, &m_priorities, &m_comms}) {
        list->resize(least);
    }
    return least == most;
}

void CompactSched::get(std::size_t index, std::vector<WireField>& fields) const
{
    using Proto = lttng_gpu::perfetto::SchedSwitch;
    const std::string_view comm = next_comm(index);
    fields = {{Proto::kPrevStateFieldNumber, false, m_states[index], {}},
              {Proto::kNextCommFieldNumber,
               true,
               0,
               {reinterpret_cast<const std::uint8_t*>(comm.data()), comm.size()}},
              {Proto::kNextPidFieldNumber, false, m_tids[index], {}},
              {Proto::kNextPrioFieldNumber, false, m_priorities[index], {}}};
}

} // namespace lttng_gpu::trace::perfetto
