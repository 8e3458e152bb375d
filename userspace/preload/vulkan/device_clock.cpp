// SPDX-License-Identifier: MIT
#include "device_clock.hpp"

#include "devices.hpp"
#include "provider.hpp"
#include "runtime/clock.hpp"

namespace lttng_gpu::vulkan {

static constexpr uint64_t read_every_ns = 5'000'000;
/// Clocks do not drift apart faster: 100 ns in a ms.
static constexpr uint64_t drift_per_million = 100;

/// Timestamps of few bits begin anew, some of them within minutes.
static uint64_t count_on(DeviceClock& clock, uint64_t ticks)
{
    if (clock.bits >= 64)
        return ticks;
    const uint64_t newest = __atomic_load_n(&clock.newest, __ATOMIC_RELAXED);
    if (!newest) {
        // One round ahead, so that an older one is not below 0.
        ticks = (ticks & ((1ull << clock.bits) - 1)) + (1ull << clock.bits);
    } else {
        const unsigned unused = 64 - clock.bits;
        ticks = newest + uint64_t(int64_t((ticks - newest) << unused) >> unused);
    }
    if (ticks > newest)
        __atomic_store_n(&clock.newest, ticks, __ATOMIC_RELAXED);
    return ticks;
}

uint64_t to_ns(DeviceClock& clock, uint64_t ticks)
{
    return uint64_t(static_cast<unsigned __int128>(count_on(clock, ticks)) * clock.period >> 24);
}

static bool can_read_both(const Device& device, Calibration calibration)
{
    const auto list = calibration == Calibration::khr   ? device.instance->time_domains_khr
                      : calibration == Calibration::ext ? device.instance->time_domains_ext
                                                        : nullptr;
    VkTimeDomainEXT known[16];
    uint32_t count = 16;
    if (!list || !device.next.vkGetCalibratedTimestampsEXT ||
        list(device.physical, &count, known) < VK_SUCCESS)
        return false;
    unsigned found = 0;
    for (uint32_t i = 0; i < count; ++i) {
        found |= known[i] == VK_TIME_DOMAIN_DEVICE_EXT ? 1 : 0;
        found |= known[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT ? 2 : 0;
    }
    return found == 3;
}

/// The smallest number of bits of any queue family: all are taken from one counter.
static uint32_t bits_of(const Device& device)
{
    VkQueueFamilyProperties known[32] = {};
    uint32_t count = 32, bits = 64;
    device.instance->queue_families(device.physical, &count, known);
    for (uint32_t i = 0; i < count; ++i) {
        if (known[i].timestampValidBits && known[i].timestampValidBits < bits)
            bits = known[i].timestampValidBits;
    }
    return bits;
}

void begin_clock(Device& device, Calibration calibration)
{
    VkPhysicalDeviceProperties properties = {};
    device.instance->physical_properties(device.physical, &properties);
    device.clock.period = uint64_t(double(properties.limits.timestampPeriod) * (1 << 24) + 0.5);
    device.clock.bits = bits_of(device);
    device.clock.is_calibrated = can_read_both(device, calibration);
}

static void set_offset(DeviceClock& clock, uint64_t host_ns, int64_t offset)
{
    __atomic_store_n(&clock.offset_ns, host_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&clock.offset, offset, __ATOMIC_RELAXED);
}

void read_device_clock(Device& device, uint64_t now, bool is_last)
{
    DeviceClock& clock = device.clock;
    const uint64_t read = __atomic_load_n(&clock.read_ns, __ATOMIC_RELAXED);
    if (!clock.is_calibrated || (!is_last && read && int64_t(now - read) < int64_t(read_every_ns)))
        return;
    __atomic_store_n(&clock.read_ns, now, __ATOMIC_RELAXED);
    const VkCalibratedTimestampInfoEXT both[2] = {
        {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr, VK_TIME_DOMAIN_DEVICE_EXT},
        {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr,
         VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT}};
    if (is_in_section() || is_in_other_call(1))
        return;
    uint64_t times[2] = {}, deviation = 0;
    uint64_t before = read_clock_ns();
    if (device.next.vkGetCalibratedTimestampsEXT(device.handle, 2, both, times, &deviation) !=
        VK_SUCCESS)
        return;
    uint64_t after = read_clock_ns();
    // The driver's word, where it says more than that it was between both.
    if (times[1] - deviation > before && times[1] - deviation <= after)
        before = times[1] - deviation;
    if (times[1] + deviation < after && times[1] + deviation >= before)
        after = times[1] + deviation;
    const uint64_t device_ns = to_ns(clock, times[0]);
    set_offset(clock, after, int64_t(device_ns - before));
    if (!EVENT_ENABLED(device_clock))
        return;
    const lttng_gpu_vulkan_device_clock record = {handle(device.handle), device_ns, before, after};
    events.device_clock(&record);
}

/// What the offset may have become by then.
static int64_t offset_at(const DeviceClock& clock, uint64_t host_ns)
{
    const uint64_t known = __atomic_load_n(&clock.offset_ns, __ATOMIC_RELAXED);
    const uint64_t age = host_ns > known ? host_ns - known : known - host_ns;
    return __atomic_load_n(&clock.offset, __ATOMIC_RELAXED) +
           int64_t(age / 1'000'000 * drift_per_million);
}

void note_start(DeviceClock& clock, uint64_t host_ns, uint64_t device_ns)
{
    const auto offset = int64_t(device_ns - host_ns);
    if (!clock.is_calibrated && (!clock.offset_ns || offset < offset_at(clock, host_ns)))
        set_offset(clock, host_ns, offset);
}

uint64_t not_before(const DeviceClock& clock, uint64_t host_ns)
{
    return host_ns + uint64_t(offset_at(clock, host_ns));
}

} // namespace lttng_gpu::vulkan
