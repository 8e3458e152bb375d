// SPDX-License-Identifier: MIT
//
// The program's queues, by their handles and by their doorbells. A record is never freed, only used
// for another queue: whoever has a pointer may always look.
#pragma once

#include "hsa_headers.hpp"
#include "runtime/lock.hpp"

namespace lttng_gpu::hsa {

struct Queue {
    hsa_queue_t* handle; ///< null: the record is free
    hsa_agent_t agent;   ///< none: a queue whose packets the program itself takes
    uint64_t doorbell;
    uint64_t described_ns; ///< 0: never
    uint64_t describe_again_after_ns;
    int is_profiled; ///< by the layer or the program

    SpinLock lock;         ///< of what follows
    uint64_t next;         ///< the packet to be looked at
    uint64_t rung;         ///< one more than the greatest index that a doorbell had
    uint64_t* reserved_ns; ///< of the packet in each place of the ring buffer; null without memory
    uint32_t places;       ///< a power of 2

    Queue* next_record; ///< in the list of all; constant once there
};

/// Null without memory: such a queue is not recorded.
Queue* add_queue(hsa_queue_t* handle, hsa_agent_t agent);
Queue* find_queue(const hsa_queue_t* handle);
Queue* queue_of_doorbell(hsa_signal_t signal);
/// The handles mean nothing any more.
void forget_queue(Queue& queue);
void forget_queues();

/// A thread has got the packets from `begin` to `end` for itself.
void note_reserved(const hsa_queue_t* handle, uint64_t begin, uint64_t end);

/// Writes what the queue and its device are, again after 1, 10 and 100 ms, and then once a second.
/// A session switches its events on one after the other, and what comes before the last of them is
/// lost.
void describe_queue(Queue& queue, uint64_t now);

/// The device is to write times into the completion signals of the queue's packets from now on.
void start_profiling(Queue& queue);

void lock_queues();
void unlock_queues();

} // namespace lttng_gpu::hsa
