// SPDX-License-Identifier: MIT
//
// The clock of a device's timestamps: ticks to nanoseconds, and how it stands to the host's.
#pragma once

#include <stdint.h>

namespace lttng_gpu::vulkan {

struct Device;

/// The extension by which device and host are read together, of its two names.
enum class Calibration : uint8_t { none, khr, ext };

struct DeviceClock {
    uint64_t period;    ///< of a tick, in 2^-24 ns
    uint32_t bits;      ///< of a timestamp that count
    bool is_calibrated; ///< device and host can be read together
    uint64_t newest;    ///< ticks, counted on where the timestamps begin anew
    uint64_t read_ns;   ///< when both were read last; 0: never
    /// Device time is at most host time plus this, as it was known at that time of the host.
    int64_t offset;
    uint64_t offset_ns;
};

/// Nanoseconds of the device's clock.
uint64_t to_ns(DeviceClock& clock, uint64_t ticks);

/// When the device is made, with that extension.
void begin_clock(Device& device, Calibration calibration);
/// Reads both clocks, and writes that, if `is_last` or if that was not done just now.
void read_device_clock(Device& device, uint64_t now, bool is_last);
/// Work that was given to the device at that time of the host had begun at this time of the device.
void note_start(DeviceClock& clock, uint64_t host_ns, uint64_t device_ns);
/// A time of the device that is not before that of the host, and later by little.
uint64_t not_before(const DeviceClock& clock, uint64_t host_ns);

} // namespace lttng_gpu::vulkan
