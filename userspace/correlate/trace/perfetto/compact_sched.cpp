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
    for (auto* list : {&x_times, &x_states, &x_tids, &x_priorities, &x_comms, &x_wakings}) {
        list->clear();
    }
    x_names.clear();
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
            is_whole &= add_numbers(bytes, x_times);
            break;
        case Proto::kSwitchPrevStateFieldNumber:
            is_whole &= add_numbers(bytes, x_states);
            break;
        case Proto::kSwitchNextPidFieldNumber:
            is_whole &= add_numbers(bytes, x_tids);
            break;
        case Proto::kSwitchNextPrioFieldNumber:
            is_whole &= add_numbers(bytes, x_priorities);
            break;
        case Proto::kSwitchNextCommIndexFieldNumber:
            is_whole &= add_numbers(bytes, x_comms);
            break;
        case Proto::kWakingTimestampFieldNumber:
            is_whole &= add_numbers(bytes, x_wakings);
            break;
        case Proto::kInternTableFieldNumber:
            x_names.push_back(as_text(bytes));
            break;
        default:
            break;
        }
    }
    sum_up(x_times);
    sum_up(x_wakings);
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
    std::size_t least = x_times.size();
    std::size_t most = least;
    for (const auto* list : {&x_states, &x_tids, &x_priorities, &x_comms}) {
        least = std::min(least, list->size());
        most = std::max(most, list->size());
    }
    const auto unnamed =
        std::find_if(x_comms.begin(), x_comms.begin() + static_cast<std::ptrdiff_t>(least),
                     [&](std::uint64_t comm) { return comm >= x_names.size(); });
    least = static_cast<std::size_t>(unnamed - x_comms.begin());
    for (auto* list : {&x_times, &x_states, &x_tids, &x_priorities, &x_comms}) {
        list->resize(least);
    }
    return least == most;
}

void CompactSched::get(std::size_t index, std::vector<WireField>& fields) const
{
    using Proto = lttng_gpu::perfetto::SchedSwitch;
    const std::string_view comm = next_comm(index);
    fields = {{Proto::kPrevStateFieldNumber, false, x_states[index], {}},
              {Proto::kNextCommFieldNumber,
               true,
               0,
               {reinterpret_cast<const std::uint8_t*>(comm.data()), comm.size()}},
              {Proto::kNextPidFieldNumber, false, x_tids[index], {}},
              {Proto::kNextPrioFieldNumber, false, x_priorities[index], {}}};
}

} // namespace lttng_gpu::trace::perfetto
