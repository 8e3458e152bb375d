// SPDX-License-Identifier: MIT
#include "packets.hpp"

#include <stdlib.h>
#include <string.h>

#include "kernels.hpp"
#include "signals.hpp"
#include "tables.hpp"

namespace lttng_gpu::hsa {

/// All kinds are of one size, and have the completion signal in one place.
union Packet {
    uint16_t header;
    hsa_kernel_dispatch_packet_t dispatch;
    hsa_barrier_and_packet_t barrier;
    struct {
        uint16_t header;
        uint8_t format; ///< hsa_amd_packet_type8_t
    } vendor;
};
static_assert(sizeof(Packet) == 64, "as AQL says");
static_assert(offsetof(hsa_kernel_dispatch_packet_t, completion_signal) ==
                  offsetof(hsa_barrier_and_packet_t, completion_signal),
              "of all kinds");

static uint64_t last_command = 0;

static unsigned type_of(uint16_t header)
{
    return header >> HSA_PACKET_HEADER_TYPE & ((1u << HSA_PACKET_HEADER_WIDTH_TYPE) - 1);
}

bool wants_times()
{
    static int is_wanted = -1;
    if (is_wanted < 0) {
        const char* value = getenv("LTTNG_GPU_HSA_TIMES");
        is_wanted = !(value && !strcmp(value, "0"));
    }
    return is_wanted && EVENT_ENABLED(command_times);
}

/// One packet, copied out of the ring buffer, where the device writes as well.
struct Copy {
    Packet packet;
    uint64_t index;
    uint64_t reserved_ns;
    SignalState before; ///< of its completion signal
    bool is_late;       ///< the device may have begun with it
};

static hsa_signal_t completion_signal(const Packet& packet)
{
    // Of the vendor's own packets only this one has it.
    if (type_of(packet.header) == HSA_PACKET_TYPE_VENDOR_SPECIFIC &&
        packet.vendor.format != HSA_AMD_PACKET_TYPE_BARRIER_VALUE)
        return {0};
    return packet.dispatch.completion_signal;
}

enum class Found { packet, missed, nothing };

static bool is_consumed(const Queue& queue, uint64_t index)
{
    return load_read_index && load_read_index(queue.handle) > index;
}

/// The device makes a packet's header invalid when it is through with it; a thread that fills one
/// in makes the header valid last.
static Found take_packet(Queue& queue, uint64_t already_rung, Copy& copy)
{
    Guard guard(queue.lock);
    if (queue.next >= queue.rung)
        return Found::nothing;
    const hsa_queue_t& ring = *queue.handle;
    const uint64_t place = queue.next & (ring.size - 1);
    const Packet& source = static_cast<const Packet*>(ring.base_address)[place];
    const uint16_t header = __atomic_load_n(&source.header, __ATOMIC_ACQUIRE);
    if (type_of(header) == HSA_PACKET_TYPE_INVALID) {
        if (!is_consumed(queue, queue.next))
            return Found::nothing; // its thread will ring, too
        __atomic_store_n(&queue.next, queue.next + 1, __ATOMIC_RELAXED);
        return Found::missed;
    }
    memcpy(&copy.packet, &source, sizeof(copy.packet));
    copy.packet.header = header;
    copy.index = queue.next;
    __atomic_store_n(&queue.next, copy.index + 1, __ATOMIC_RELAXED);
    copy.is_late = copy.index < already_rung;
    const hsa_signal_t signal = completion_signal(copy.packet);
    copy.before = {};
    // A late one's signal may be gone by now.
    if (signal.handle && !copy.is_late)
        copy.before = state_of(signal);
    copy.is_late = copy.is_late || __atomic_load_n(&source.header, __ATOMIC_ACQUIRE) != header;
    copy.reserved_ns = queue.places ? queue.reserved_ns[copy.index & (queue.places - 1)] : 0;
    if (queue.places)
        queue.reserved_ns[copy.index & (queue.places - 1)] = 0;
    return Found::packet;
}

static lttng_gpu_hsa_times expect_times(const Queue& queue, const Copy& copy, uint64_t command)
{
    const hsa_signal_t signal = completion_signal(copy.packet);
    const unsigned type = type_of(copy.packet.header);
    if (!signal.handle || type == HSA_PACKET_TYPE_AGENT_DISPATCH)
        return LTTNG_GPU_HSA_NO_SIGNAL;
    if (!__atomic_load_n(&queue.is_profiled, __ATOMIC_RELAXED) || !wants_times())
        return LTTNG_GPU_HSA_NO_PROFILING;
    if (copy.is_late)
        return LTTNG_GPU_HSA_SEEN_LATE;
    const Expected expected = {handle(queue.handle), command, queue.agent};
    return expect_signal(signal, expected, copy.before) ? LTTNG_GPU_HSA_EXPECTED
                                                        : LTTNG_GPU_HSA_NO_MEMORY;
}

/// Packets that a barrier waits for, by the signals that it has.
static uint32_t find_waits(const Packet& packet, uint64_t* waits_for)
{
    const unsigned type = type_of(packet.header);
    if (type != HSA_PACKET_TYPE_BARRIER_AND && type != HSA_PACKET_TYPE_BARRIER_OR)
        return 0;
    uint32_t count = 0;
    for (const hsa_signal_t& signal : packet.barrier.dep_signal) {
        const uint64_t command = signal.handle ? command_of(signal) : 0;
        if (command)
            waits_for[count++] = command;
    }
    return count;
}

static void fill_dispatch(const hsa_kernel_dispatch_packet_t& packet, uint64_t* grid,
                          uint64_t* workgroup, lttng_gpu_hsa_packet& record)
{
    grid[0] = packet.grid_size_x;
    grid[1] = packet.grid_size_y;
    grid[2] = packet.grid_size_z;
    workgroup[0] = packet.workgroup_size_x;
    workgroup[1] = packet.workgroup_size_y;
    workgroup[2] = packet.workgroup_size_z;
    const unsigned dimensions = packet.setup & 3;
    record.dimensions = dimensions;
    record.kernel = packet.kernel_object;
    record.private_bytes = packet.private_segment_size;
    record.group_bytes = packet.group_segment_size;
}

static void write_packet(const Call& call, const Queue& queue, const Copy& copy)
{
    const uint64_t command = __atomic_add_fetch(&last_command, 1, __ATOMIC_RELAXED);
    uint64_t waits_for[5], grid[3], workgroup[3];
    KernelName name;
    lttng_gpu_hsa_packet record = {};
    record.command = command;
    record.queue = handle(queue.handle);
    record.index = copy.index;
    record.begin_ns = call.begin_ns();
    record.reserved_ns = copy.reserved_ns;
    record.signal = completion_signal(copy.packet).handle;
    record.name = name.text;
    record.header = copy.packet.header;
    record.function = uint16_t(call.function());
    record.type = uint8_t(type_of(copy.packet.header));
    record.waits_for = waits_for;
    record.waits_for_count = find_waits(copy.packet, waits_for);
    record.grid_size = grid;
    record.workgroup_size = workgroup;
    if (record.type == HSA_PACKET_TYPE_KERNEL_DISPATCH) {
        fill_dispatch(copy.packet.dispatch, grid, workgroup, record);
        find_kernel(record.kernel, name);
    }
    record.times = uint8_t(expect_times(queue, copy, command));
    if (EVENT_ENABLED(packet))
        events.packet(&record);
}

Seen see_packets(const Call& call, Queue& queue, uint64_t index)
{
    uint64_t already_rung;
    {
        Guard guard(queue.lock);
        already_rung = queue.rung;
        // An index far ahead is none: of a doorbell that means something else.
        if (index >= queue.rung && index - queue.next < queue.handle->size)
            __atomic_store_n(&queue.rung, index + 1, __ATOMIC_RELAXED);
    }
    Seen seen = {};
    Copy copy;
    for (;;) {
        const Found found = take_packet(queue, already_rung, copy);
        if (found == Found::nothing)
            return seen;
        if (found == Found::missed) {
            ++seen.missed;
            continue;
        }
        write_packet(call, queue, copy);
        ++seen.packets;
    }
}

} // namespace lttng_gpu::hsa
