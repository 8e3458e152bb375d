// SPDX-License-Identifier: MIT
#include "devices.hpp"

#include "provider.hpp"
#include "runtime/clock.hpp"
#include "runtime/handle_table.hpp"
#include "tables.hpp"

namespace lttng_gpu::hsa {

static HandleTable<uint64_t> described;

/// The runtime maps the device's clock to the system's by pairs of readings, "to within 0.5 us"
/// (amd_gpu_agent.cpp); so times are as coarse as this.
static constexpr uint64_t resolution_ns = 1000;
/// The pair of host times that the runtime's is between is the closest of so many.
static constexpr unsigned readings = 4;

template <class Value> static bool ask(hsa_agent_t agent, uint64_t what, Value& value)
{
    return runtime().hsa_agent_get_info(agent, hsa_agent_info_t(what), &value) ==
           HSA_STATUS_SUCCESS;
}

/// The largest that the runtime writes are of 64 bytes.
struct Text {
    Text(hsa_agent_t agent, uint64_t what)
    {
        if (!ask(agent, what, text))
            text[0] = 0;
        text[sizeof(text) - 1] = 0;
    }
    char text[128] = {};
};

uint64_t system_ns(uint64_t ticks)
{
    uint64_t frequency = 0;
    runtime().hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency);
    if (!frequency || frequency == 1'000'000'000)
        return ticks;
    return uint64_t(static_cast<unsigned __int128>(ticks) * 1'000'000'000 / frequency);
}

static void read_clock(hsa_agent_t agent)
{
    lttng_gpu_hsa_device_clock best = {agent.handle, 0, 0, UINT64_MAX};
    for (unsigned i = 0; i < readings; ++i) {
        uint64_t ticks = 0;
        const uint64_t before = read_clock_ns();
        if (runtime().hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &ticks) != HSA_STATUS_SUCCESS)
            return;
        const uint64_t after = read_clock_ns();
        if (after - before < best.after_ns - best.before_ns)
            best = {agent.handle, ticks, before, after};
    }
    best.device_time = system_ns(best.device_time);
    events.device_clock(&best);
}

static void write_device(hsa_agent_t agent)
{
    const Text product(agent, HSA_AMD_AGENT_INFO_PRODUCT_NAME), isa(agent, HSA_AGENT_INFO_NAME),
        vendor(agent, HSA_AGENT_INFO_VENDOR_NAME);
    uint32_t node = 0, location = 0;
    ask(agent, HSA_AGENT_INFO_NODE, node);
    ask(agent, HSA_AMD_AGENT_INFO_BDFID, location);
    const lttng_gpu_hsa_device record = {agent.handle, product.text[0] ? product.text : isa.text,
                                         isa.text,     vendor.text,
                                         node,         location,
                                         resolution_ns};
    events.device(&record);
}

void describe_device(hsa_agent_t agent, uint64_t now, uint64_t pause_ns)
{
    bool is_recent = false;
    const bool is_known = described.with(key(agent.handle), [&](uint64_t& last) {
        is_recent = int64_t(now - last) < int64_t(pause_ns);
        if (!is_recent)
            last = now;
    });
    if (is_recent || !agent.handle)
        return;
    if (!is_known)
        described.set(key(agent.handle), now);
    if (EVENT_ENABLED(device))
        write_device(agent);
    if (EVENT_ENABLED(device_clock))
        read_clock(agent);
}

void forget_devices()
{
    described.clear();
}

void lock_devices()
{
    described.lock_all();
}

void unlock_devices()
{
    described.unlock_all();
}

} // namespace lttng_gpu::hsa
