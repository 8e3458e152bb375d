// SPDX-License-Identifier: MIT
//
// See device_clocks.hpp.
#include "device_clocks.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// Of a device that nothing describes: the coarsest that drivers have (NVIDIA's).
constexpr std::int64_t unknown_resolution = 1'000;
/// Where nothing is known beyond, what a clock may claim of itself.
constexpr std::int64_t coarsest_resolution = 1'000'000'000;
constexpr std::size_t points_on_the_way = 512;

} // namespace

void DeviceClocks::Entry::count_error(Duration error)
{
    ++errors;
    error_sum += static_cast<double>(error.value());
    account.error_most = std::max(account.error_most, error);
}

DeviceClocks::Entry& DeviceClocks::at(const DeviceKey& device, std::int64_t resolution)
{
    const std::int64_t assumed = resolution == 0
                                     ? unknown_resolution
                                     : std::clamp(resolution, std::int64_t{1}, coarsest_resolution);
    if (Entry* entry = find(device)) {
        if (resolution != 0) {
            entry->clock.coarsen(assumed);
        }
        return *entry;
    }
    ClockLimits limits;
    limits.most_points = m_use == Use::OnTheWay ? points_on_the_way : 0;
    limits.resolution = assumed;
    Entry& entry = m_entries.emplace(device, Entry{limits}).first->second;
    if (device.process.api != nullptr) {
        entry.account.api = device.process.api->name;
    }
    if (device.process.pid >= 0) {
        entry.account.pid = Pid{device.process.pid};
    }
    return entry;
}

DeviceClocks::Entry* DeviceClocks::find(const DeviceKey& device)
{
    const auto found = m_entries.find(device);
    return found == m_entries.end() ? nullptr : &found->second;
}

std::vector<ClockAccount> DeviceClocks::accounts() const
{
    std::vector<ClockAccount> accounts;
    for (const auto& [key, entry] : m_entries) {
        ClockAccount account = entry.account;
        account.bounds = entry.clock.bounds();
        account.splits = entry.clock.splits();
        account.refused = entry.clock.reports_refused();
        if (const ClockPiece* piece = entry.clock.last_piece(); piece && account.splits == 0) {
            account.keeps_rate = piece->is_line() || !piece->is_bounded();
            account.drift = piece->drift();
        }
        account.error_mean = entry.errors == 0 ? 0 : entry.error_sum / double(entry.errors);
        accounts.push_back(account);
    }
    return accounts;
}

} // namespace lttng_gpu::model
