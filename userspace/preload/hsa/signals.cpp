// SPDX-License-Identifier: MIT
#include "signals.hpp"

#include <hsa/amd_hsa_signal.h>
#include <stdlib.h>

#include "devices.hpp"
#include "provider.hpp"
#include "runtime/clock.hpp"
#include "runtime/handle_table.hpp"
#include "tables.hpp"

namespace lttng_gpu::hsa {

int expected_signals = 0;

struct Use {
    Expected expected;
    SignalState before; ///< the first of its packets
    uint32_t packets;   ///< that change it
};

static HandleTable<Use> uses;

/// A device's clock has run for longer than this when a packet is complete.
static constexpr uint64_t least_end = 1000;

struct Report {
    Expected expected;
    uint64_t observed_ns, start, end;
    lttng_gpu_hsa_validity validity;
};

static const amd_signal_t* signal_memory(hsa_signal_t signal)
{
    return reinterpret_cast<const amd_signal_t*>(uintptr_t(signal.handle));
}

SignalState state_of(hsa_signal_t signal)
{
    const amd_signal_t* memory = signal_memory(signal);
    const int64_t value = __atomic_load_n(&memory->value, __ATOMIC_ACQUIRE);
    return {value, __atomic_load_n(&memory->end_ts, __ATOMIC_RELAXED)};
}

static void read_times(hsa_signal_t signal, const Use& use, uint64_t end, Report& report)
{
    report.validity = LTTNG_GPU_HSA_UNAVAILABLE;
    report.start = report.end = 0;
    const auto ask = runtime().hsa_amd_profiling_get_dispatch_time;
    hsa_amd_profiling_dispatch_time_t time = {};
    if (end == use.before.end || !ask ||
        ask(use.expected.agent, signal, &time) != HSA_STATUS_SUCCESS)
        return;
    report.start = system_ns(time.start);
    report.end = system_ns(time.end);
    report.validity = report.start > report.end ? LTTNG_GPU_HSA_DISORDERED
                      : report.end < least_end  ? LTTNG_GPU_HSA_IMPLAUSIBLE
                                                : LTTNG_GPU_HSA_VALID;
}

/// False: it is not complete. Each packet takes one from the signal's value; programs wait for 0 or
/// for less than what they began with. Asks the runtime with the lock held: so the signal stays.
/// The runtime does not come back here.
static bool read_complete(hsa_signal_t signal, const Use& use, Report& report)
{
    const SignalState now = state_of(signal);
    const bool is_complete = now.value <= use.before.value - int64_t(use.packets) ||
                             (now.value <= 0 && use.before.value > 0) ||
                             (use.packets == 1 && now.end != use.before.end);
    if (!is_complete)
        return false;
    report.expected = use.expected;
    read_times(signal, use, now.end, report);
    report.observed_ns = read_clock_ns();
    return true;
}

static void write(const Report& report)
{
    if (!EVENT_ENABLED(command_times))
        return;
    const lttng_gpu_hsa_command_times record = {report.expected.queue,
                                                report.observed_ns,
                                                0,
                                                uint8_t(report.validity),
                                                1,
                                                &report.expected.command,
                                                &report.start,
                                                &report.start,
                                                &report.start,
                                                &report.end};
    events.command_times(&record);
}

static Report unavailable(const Use& use)
{
    return {use.expected, read_clock_ns(), 0, 0, LTTNG_GPU_HSA_UNAVAILABLE};
}

bool expect_signal(hsa_signal_t signal, const Expected& expected, SignalState before)
{
    Report earlier;
    bool has_earlier = false;
    const bool is_known = uses.with(key(signal.handle), [&](Use& use) {
        has_earlier = true;
        if (read_complete(signal, use, earlier)) {
            use = {expected, before, 1};
            return;
        }
        earlier = unavailable(use);
        use.expected = expected;
        ++use.packets;
    });
    if (has_earlier)
        write(earlier);
    if (is_known)
        return true;
    if (!uses.set(key(signal.handle), {expected, before, 1}))
        return false;
    __atomic_add_fetch(&expected_signals, 1, __ATOMIC_RELAXED);
    return true;
}

static void take(hsa_signal_t signal, bool ends)
{
    Report report;
    bool is_taken = false;
    uses.remove_if(key(signal.handle), [&](Use& use) {
        is_taken = read_complete(signal, use, report);
        if (!is_taken && ends) {
            report = unavailable(use);
            is_taken = true;
        }
        return is_taken;
    });
    if (!is_taken)
        return;
    __atomic_sub_fetch(&expected_signals, 1, __ATOMIC_RELAXED);
    write(report);
}

void signal_is_seen(hsa_signal_t signal)
{
    take(signal, false);
}

/// Nothing is written while the table is locked, so what is in it is noted first.
template <class Function> static void for_each_signal(Function&& function)
{
    const int most = __atomic_load_n(&expected_signals, __ATOMIC_RELAXED);
    auto* const signals =
        most > 0 ? static_cast<hsa_signal_t*>(calloc(size_t(most), sizeof(hsa_signal_t))) : nullptr;
    if (!signals)
        return;
    int count = 0;
    uses.for_each([&](const void* handle, const Use&) {
        if (count < most)
            signals[count++] = {reinterpret_cast<uintptr_t>(handle)};
    });
    for (int i = 0; i < count; ++i)
        function(signals[i]);
    free(signals);
}

void see_all_signals()
{
    for_each_signal(signal_is_seen);
}

void signal_ends(hsa_signal_t signal)
{
    take(signal, true);
}

uint64_t command_of(hsa_signal_t signal)
{
    uint64_t command = 0;
    uses.with(key(signal.handle), [&](const Use& use) { command = use.expected.command; });
    return command;
}

static void write_untimed(uint64_t queue)
{
    if (!EVENT_ENABLED(commands_untimed))
        return;
    const lttng_gpu_hsa_commands_untimed record = {queue, 1, LTTNG_GPU_HSA_EXIT};
    events.commands_untimed(&record);
}

static void give_up(hsa_signal_t signal)
{
    uint64_t queue = 0;
    bool is_left = false;
    uses.remove_if(key(signal.handle), [&](const Use& use) {
        queue = use.expected.queue;
        return is_left = true;
    });
    if (!is_left)
        return;
    __atomic_sub_fetch(&expected_signals, 1, __ATOMIC_RELAXED);
    write_untimed(queue);
}

void give_signals_up()
{
    for_each_signal(give_up);
}

void forget_signals()
{
    uses.clear();
    expected_signals = 0;
}

void lock_signals()
{
    uses.lock_all();
}

void unlock_signals()
{
    uses.unlock_all();
}

} // namespace lttng_gpu::hsa
