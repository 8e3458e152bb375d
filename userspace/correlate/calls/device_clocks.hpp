// SPDX-License-Identifier: MIT
//
// The clocks of all devices that APIs tell of, each process's view of a device for
// itself, and what came of them. A trace that can be read twice is: the first time
// the clocks learn all they can, the second time they only map. Else they learn
// and map on the way, in bounded memory.
#pragma once

#include "../base/apis.hpp"
#include "../base/ids.hpp"
#include "../clocks/device_clock.hpp"

#include <map>
#include <string>

namespace lttng_gpu::model {

/// One API in one process.
struct ApiProcess {
    const Api* api = nullptr; // an element of `apis`
    TraceId trace;
    std::int64_t pid = -1;    // -1: unknown
    std::uint32_t pid_ns = 0; // in which it has that number, by its inode; 0: unknown

    friend auto operator<=>(const ApiProcess&, const ApiProcess&) = default;
};

/// Sub-devices have the clock of the device that they are part of.
struct DeviceKey {
    ApiProcess process;
    std::uint64_t handle = 0;

    friend auto operator<=>(const DeviceKey&, const DeviceKey&) = default;
};

/// What the report tells of one clock.
struct ClockAccount {
    std::string_view api; // its name
    std::string device;
    std::optional<Pid> pid;
    std::uint64_t bounds = 0;       // used
    std::uint64_t splits = 0;       // how often it was set, or seemed so
    std::uint64_t refused = 0;      // reports that contradict themselves; taken for no bound
    bool keeps_rate = true;         // one rate fits all of its reports
    std::optional<Drift> drift;     // nothing: not known
    std::optional<Duration> offset; // trace - device, at the last report
    std::uint64_t mapped = 0;       // commands whose times were mapped
    std::uint64_t unavailable = 0;  // and why those of others were not
    std::uint64_t disordered = 0;
    std::uint64_t implausible = 0;
    std::uint64_t unmapped = 0;
    Duration error_most;
    double error_mean = 0; // ns
    /// Commands that were aligned with jobs of the kernel to find theirs; their own times were not
    /// changed.
    std::uint64_t aligned = 0;
    Duration aligned_error_most;
};

class DeviceClocks {
public:
    enum class Use : std::uint8_t { OnTheWay, Learning, Learned };

    struct Entry {
        explicit Entry(const ClockLimits& limits) : clock{limits} {}

        DeviceClock clock;
        ClockAccount account;
        std::uint64_t errors = 0;
        double error_sum = 0;

        void count_error(Duration error);
    };

    Use use() const { return m_use; }
    void set_use(Use use) { m_use = use; }

    /// `resolution` 0 is unknown, for now; of several the coarsest counts.
    Entry& at(const DeviceKey& device, std::int64_t resolution);
    Entry* find(const DeviceKey& device);
    std::vector<ClockAccount> accounts() const;

private:
    Use m_use = Use::OnTheWay;
    std::map<DeviceKey, Entry> m_entries;
};

} // namespace lttng_gpu::model
