// SPDX-License-Identifier: MIT
#include "harvest.hpp"

#include "clock.hpp"
#include "known_events.hpp"
#include "provider.hpp"
#include "tables.hpp"
#include "times_batch.hpp"

namespace lttng_gpu::opencl {

/// Asking a queue's oldest command is cheap; doing so at every enqueueing is not.
static constexpr uint32_t poll_every = 32;
/// In an out-of-order queue any command may be complete; a long one at the head must not make every
/// look long.
static constexpr unsigned most_waiting_looked_at = 128;

static bool is_complete(cl_event event)
{
    cl_int status = CL_QUEUED;
    const cl_int result = core().clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                sizeof(status), &status, nullptr);
    return result != CL_SUCCESS || status <= CL_COMPLETE;
}

static void let_go(const Command& command)
{
    if (command.is_application_event)
        event_is_reported(command.event);
    core().clReleaseEvent(command.event);
}

/// How far an in-order queue has come: doubles its steps, so that a long list is asked a few times
/// only.
static uint64_t find_complete(const Command* first, const Command* last, uint64_t complete)
{
    if (last->number <= complete || is_complete(last->event))
        return last->number;
    while (first && first->number <= complete)
        first = first->next;
    for (unsigned step = 1; first; step *= 2) {
        if (!is_complete(first->event))
            break;
        complete = first->number;
        for (unsigned i = 0; first && i < step; ++i)
            first = first->next;
    }
    return complete;
}

/// Moves what is complete from `pending` to `done` and writes its times.
static void report(Queue& queue, CommandList& pending, CommandList& done, uint64_t complete)
{
    if (!queue.is_out_of_order)
        complete = find_complete(pending.first, pending.last, complete);
    else
        complete = 0;
    CommandList waiting;
    unsigned waiting_count = 0;
    TimesBatch times(queue);
    uint64_t observed_ns = read_clock_ns();
    while (Command* command = pending.first) {
        if (waiting_count >= (queue.is_out_of_order ? most_waiting_looked_at : 1))
            break;
        bool is_done = command->number <= complete;
        if (!is_done && queue.is_out_of_order && is_complete(command->event)) {
            is_done = true;
            observed_ns = read_clock_ns();
        }
        is_done = is_done && times.add(*command, observed_ns);
        pending.take_first();
        if (!is_done) {
            waiting.append(command);
            ++waiting_count;
            continue;
        }
        let_go(*command);
        done.append(command);
    }
    waiting.append(pending);
    pending = waiting;
}

static void write_untimed(Queue& queue)
{
    for (unsigned reason = 0; reason < LTTNG_GPU_OPENCL_UNTIMED_REASONS; ++reason) {
        const uint64_t count = __atomic_load_n(&queue.untimed[reason], __ATOMIC_RELAXED);
        if (!count)
            continue;
        __atomic_fetch_sub(&queue.untimed[reason], count, __ATOMIC_RELAXED);
        const lttng_gpu_opencl_commands_untimed record = {handle(queue.handle), count,
                                                          uint8_t(reason)};
        events.commands_untimed(&record);
    }
}

/// Only one thread reports a queue's commands at a time; no lock is held meanwhile, because a
/// driver may call the application back.
static bool begin(Queue& queue, CommandList& pending)
{
    Guard guard(queue.lock);
    queue.enqueued_since_poll = 0;
    if (queue.is_harvested_now || !queue.pending.first)
        return false;
    queue.is_harvested_now = true;
    pending = queue.pending;
    queue.pending = {};
    return true;
}

static void end(Queue& queue, CommandList pending, CommandList done)
{
    Guard guard(queue.lock);
    pending.append(queue.pending);
    queue.pending = pending;
    while (Command* command = done.take_first()) {
        command->next = queue.free_commands;
        queue.free_commands = command;
        --queue.pending_count;
        if (command == done.last)
            break;
    }
    queue.is_harvested_now = false;
}

void harvest(Queue& queue, uint64_t complete)
{
    CommandList pending, done;
    if (begin(queue, pending)) {
        report(queue, pending, done, complete);
        end(queue, pending, done);
    }
    write_untimed(queue);
}

void harvest_now_and_then(Queue& queue)
{
    if (__atomic_load_n(&queue.enqueued_since_poll, __ATOMIC_RELAXED) >= poll_every)
        harvest(queue, 0);
}

void harvest_all()
{
    for (Queue* queue = all_queues(); queue; queue = queue->next)
        harvest(*queue, 0);
}

void abandon_all()
{
    for (Queue* queue = all_queues(); queue; queue = queue->next) {
        CommandList pending;
        if (!begin(*queue, pending))
            continue;
        for (Command* command = pending.first; command; command = command->next)
            let_go(*command);
        end(*queue, {}, pending);
    }
}

void harvest_at_exit()
{
    harvest_all();
    for (Queue* queue = all_queues(); queue; queue = queue->next) {
        {
            Guard guard(queue->lock);
            queue->untimed[LTTNG_GPU_OPENCL_EXIT] += queue->pending_count;
        }
        write_untimed(*queue);
    }
}

} // namespace lttng_gpu::opencl
