// SPDX-License-Identifier: MIT
//
// The application's queues, and their commands whose times are still to be asked for. A record is
// never freed, only used for another queue: whoever has a pointer may always look.
#pragma once

#include "opencl_headers.hpp"
#include "provider.hpp"
#include "runtime/lock.hpp"

namespace lttng_gpu::opencl {

/// A command that was enqueued and not reported. Its event is referred to by one reference of the
/// layer's own.
struct Command {
    Command* next;
    cl_event event;
    uint64_t number;
    /// The newest number when its function was entered. Numbers are given when functions return, so
    /// that with several threads only commands up to this one surely stand before it in the queue.
    uint64_t enqueued_before;
    cl_command_type type;
    bool is_application_event; ///< the application has the event too
};

/// Commands in order of enqueueing.
struct CommandList {
    Command* first = nullptr;
    Command* last = nullptr;

    void append(Command* command)
    {
        command->next = nullptr;
        (first ? last->next : first) = command;
        last = command;
    }
    /// The others' order stays, after this list's.
    void append(CommandList others)
    {
        if (!others.first)
            return;
        (first ? last->next : first) = others.first;
        last = others.last;
    }
    Command* take_first()
    {
        Command* command = first;
        if (command)
            first = command->next;
        return command;
    }
};

struct Queue {
    cl_command_queue handle;
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties; ///< as the application set them
    cl_queue_properties* array;             ///< likewise, null if it gave none
    size_t array_bytes;
    lttng_gpu_opencl_profiling profiling;
    bool is_out_of_order;
    uint32_t references;   ///< the application's
    uint64_t described_ns; ///< 0: never
    uint64_t describe_again_after_ns;
    uint64_t used_ns; ///< the last command that was recorded

    SpinLock lock; ///< of what follows
    CommandList pending;
    Command* free_commands;
    uint32_t pending_count;
    /// Of those, and of what is being told now: neither told with times nor counted. Whoever tells
    /// or counts a command takes it away first, so that it is done once. Atomic, without the lock.
    uint32_t untold;
    uint32_t enqueued_since_poll;
    bool is_harvested_now;
    bool is_released; ///< by the application; the record ends with its last command
    bool has_command; ///< or had one
    uint64_t untimed[lttng_gpu_opencl_untimed_reason_count];
    uint64_t last_times[4];

    Queue* next; ///< in the list of all; constant once there
};

/// The record of a queue; made now if the queue is older than the session. Null without memory, or
/// if it is no queue.
Queue* find_queue(cl_command_queue queue);
/// The record of a queue that has just been made.
Queue* add_queue(cl_command_queue queue, lttng_gpu_opencl_profiling profiling,
                 cl_command_queue_properties properties, const cl_queue_properties* array);
/// The record, if there is one.
Queue* known_queue(cl_command_queue queue);
/// The handle means nothing any more.
void forget_queue(Queue& queue);
/// First of the list of all records.
Queue* all_queues();

/// Writes what the queue and its device are, again after 1, 10 and 100 ms, and then once a second.
/// A session switches its events on one after the other, and what comes before the last of them is
/// lost; so it begins anew when nothing was recorded for a while.
void describe_queue(Queue& queue, uint64_t now);

/// Takes over the reference to the event; not if too many commands wait: then it says false.
bool append_command(Queue& queue, const Command& command);
/// True if so many commands may be told now: they were not counted as without times meanwhile.
bool take_untold(Queue& queue, uint32_t count);
/// All that are left, which the caller counts.
uint32_t take_all_untold(Queue& queue);
/// In the child of fork(): the commands are the parent's.
void drop_pending(Queue& queue);
void count_untimed(Queue& queue, lttng_gpu_opencl_untimed_reason reason);

void lock_queues();
void unlock_queues();

} // namespace lttng_gpu::opencl
