// SPDX-License-Identifier: MIT
#include "harvest.hpp"

#include <sched.h>

#include "known_events.hpp"
#include "provider.hpp"
#include "runtime/bounded_wait.hpp"
#include "runtime/clock.hpp"
#include "tables.hpp"
#include "times_batch.hpp"

namespace lttng_gpu::opencl {

/// Asking a queue's oldest command is cheap; doing so at every enqueueing is not.
static constexpr uint32_t poll_every = 32;
/// In an out-of-order queue any command may be complete; a long one at the head must not make every
/// look long.
static constexpr unsigned most_waiting_looked_at = 128;
static constexpr uint64_t longest_wait_at_exit_ns = 2'000'000'000;
/// As good as none.
static constexpr uint64_t longest_answer_ns = 60'000'000'000;

/// The program is exiting, and only its own calls show that the drivers can still be called.
static bool is_ending = false;

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

/// How far a queue has come.
struct Progress {
    uint64_t complete; ///< and everything before it, in an in-order queue
    uint64_t also;     ///< is complete itself; 0: none
};

static void advance(Progress& progress, const Command* command)
{
    progress.also = command->number;
    if (command->enqueued_before > progress.complete)
        progress.complete = command->enqueued_before;
}

/// Of an in-order queue. Doubles its steps, so that a long list is asked a few times only.
static void find_progress(const CommandList& pending, Progress& progress)
{
    const auto is_known = [&](const Command* command) {
        return command->number <= progress.complete || command->number == progress.also;
    };
    if (is_known(pending.last))
        return;
    if (is_complete(pending.last->event)) {
        advance(progress, pending.last);
        return;
    }
    const Command* command = pending.first;
    while (command && is_known(command))
        command = command->next;
    for (unsigned step = 1; command; step *= 2) {
        if (!is_complete(command->event))
            break;
        advance(progress, command);
        for (unsigned i = 0; command && i < step; ++i)
            command = command->next;
    }
}

/// Moves what is complete from `pending` to `done` and writes its times.
static void report(Queue& queue, CommandList& pending, CommandList& done, Progress progress)
{
    const bool is_ordered = !queue.is_out_of_order;
    if (is_ordered)
        find_progress(pending, progress);
    else
        progress.complete = 0;
    CommandList waiting;
    unsigned waiting_count = 0;
    // In an in-order queue nothing is complete behind one that is not, but what several threads
    // enqueued at once.
    bool may_be_complete = !is_ordered || progress.also;
    TimesBatch times(queue);
    uint64_t observed_ns = read_clock_ns();
    while (Command* command = pending.first) {
        if (waiting_count >= (may_be_complete ? most_waiting_looked_at : 1))
            break;
        bool is_done = command->number <= progress.complete || command->number == progress.also;
        if (!is_done && !is_ordered && is_complete(command->event)) {
            is_done = true;
            observed_ns = read_clock_ns();
        }
        if (is_ordered && command->number == progress.also)
            may_be_complete = false;
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
    for (unsigned reason = 0; reason < lttng_gpu_opencl_untimed_reason_count; ++reason) {
        if (!__atomic_load_n(&queue.untimed[reason], __ATOMIC_RELAXED))
            continue;
        const uint64_t count = __atomic_exchange_n(&queue.untimed[reason], 0, __ATOMIC_RELAXED);
        if (!count)
            continue;
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
    __atomic_store_n(&queue.enqueued_since_poll, 0, __ATOMIC_RELAXED);
    if (queue.is_harvested_now || !queue.pending.first)
        return false;
    __atomic_store_n(&queue.is_harvested_now, true, __ATOMIC_RELAXED);
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
    }
    __atomic_store_n(&queue.is_harvested_now, false, __ATOMIC_RELEASE);
}

void harvest(Queue& queue, uint64_t complete, uint64_t also)
{
    if (is_in_section())
        return;
    CommandList pending, done;
    if (!is_in_other_call(1) && begin(queue, pending)) {
        report(queue, pending, done, {complete, also});
        end(queue, pending, done);
    }
    write_untimed(queue);
}

void harvest_now_and_then(Queue& queue)
{
    if (__atomic_load_n(&queue.enqueued_since_poll, __ATOMIC_RELAXED) >= poll_every)
        harvest(queue, 0);
}

static void CL_CALLBACK completed(cl_event, cl_int, void* queue)
{
    if (!__atomic_load_n(&is_ending, __ATOMIC_RELAXED))
        harvest(*static_cast<Queue*>(queue), 0);
}

void harvest_when_complete(Queue& queue)
{
    const auto watch = core().clSetEventCallback;
    CommandList pending;
    if (!watch || is_in_other_call(1) || !begin(queue, pending))
        return;
    for (Command* command = pending.first; command; command = command->next) {
        if (queue.is_out_of_order || command == pending.last)
            watch(command->event, CL_COMPLETE, completed, &queue);
    }
    end(queue, pending, {});
    // What was said meanwhile found the queue taken.
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

/// What another thread is about to tell would else be counted as without times. No longer than what
/// it asks of a driver may take.
static void await_harvests()
{
    const uint64_t end = read_clock_ns() + longest_wait_at_exit_ns;
    for (Queue* queue = all_queues(); queue; queue = queue->next) {
        while (__atomic_load_n(&queue->is_harvested_now, __ATOMIC_ACQUIRE) && read_clock_ns() < end)
            sched_yield();
    }
}

/// Where a driver's own thread ends the program, or a handler that interrupted one, the driver's
/// locks may be held, and it would never answer: it is asked for some time only. It is asked by
/// another thread in any case, because variables of this one (thread_local) are gone before the
/// first exit handler runs: Oclgrind would write to freed memory.
static void harvest_all_at_exit()
{
    if (is_in_other_call(0))
        return;
    await_harvests();
    const bool has_called = thread_state.has_called;
    if (!run_within(has_called ? longest_answer_ns : longest_wait_at_exit_ns, harvest_all) &&
        has_called)
        harvest_all();
}

void harvest_before_drivers_end()
{
    if (!__atomic_exchange_n(&is_ending, true, __ATOMIC_RELAXED))
        harvest_all_at_exit();
}

void drivers_ended()
{
    __atomic_store_n(&is_ending, false, __ATOMIC_RELAXED);
}

static void count_what_is_left()
{
    for (Queue* queue = all_queues(); queue; queue = queue->next) {
        __atomic_fetch_add(&queue->untimed[LTTNG_GPU_OPENCL_EXIT], take_all_untold(*queue),
                           __ATOMIC_RELAXED);
        write_untimed(*queue);
    }
}

void harvest_at_exit()
{
    harvest_before_drivers_end();
    count_what_is_left();
}

/// The thread that unloads holds the dynamic linker's lock, which another may need.
void harvest_at_unload()
{
    if (!__atomic_exchange_n(&is_ending, true, __ATOMIC_RELAXED) && !is_in_other_call(0)) {
        await_harvests();
        if (thread_state.has_called)
            harvest_all();
        else
            run_within(longest_wait_at_exit_ns, harvest_all);
    }
    count_what_is_left();
}

} // namespace lttng_gpu::opencl
