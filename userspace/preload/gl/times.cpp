// SPDX-License-Identifier: MIT
#include "times.hpp"

#include <stdlib.h>
#include <string.h>

#include "counts.hpp"
#include "harvest.hpp"
#include "runtime/handle_table.hpp"

namespace lttng_gpu::gl {

static constexpr GLenum gl_timestamp = 0x8E28, gl_list_index = 0x0B33;
/// Looking at the oldest command costs as much as a call.
static constexpr uint32_t poll_every = 8;

/// Of ContextTimes::use. A context that is destroyed while a thread has it goes when that leaves
/// it.
enum { use_none, use_current, use_destroyed };

bool are_times_wanted = false;

/// The context of this thread.
static __thread ContextTimes* current __attribute__((tls_model("initial-exec"))) = nullptr;
/// The current context, if there was no memory for its times; else 0.
static __thread uint64_t context_without_memory __attribute__((tls_model("initial-exec"))) = 0;
static HandleTable<ContextTimes*> known;
/// Numbers of commands ascend in a process.
static uint64_t last_command = 0;

static const void* key(uint64_t handle)
{
    return reinterpret_cast<const void*>(static_cast<uintptr_t>(handle));
}

void read_times_wish()
{
    const char* const value = getenv("LTTNG_GPU_GL_TIMES");
    are_times_wanted = value && *value && strcmp(value, "0");
}

static ContextTimes* find_times(uint64_t context)
{
    ContextTimes* found = nullptr;
    known.with(key(context), [&found](ContextTimes* there) { found = there; });
    if (found)
        return found;
    found = static_cast<ContextTimes*>(calloc(1, sizeof(ContextTimes)));
    if (!found)
        return nullptr;
    found->context = context;
    found->frames.queue = context;
    // No other context has it for its own: contexts are objects, or lie apart.
    found->commands.queue = context | 1ull << 63;
    if (known.set(key(context), found))
        return found;
    free(found);
    return nullptr;
}

static void drop(ContextTimes* times)
{
    count_left(*times);
    free(times);
}

void forget_times(uint64_t context)
{
    ContextTimes* gone = nullptr;
    known.remove_if(key(context), [&gone](ContextTimes* there) {
        gone = there;
        return true;
    });
    if (gone && gone == current)
        work_flushed();
    if (gone && __atomic_exchange_n(&gone->use, use_destroyed, __ATOMIC_ACQ_REL) == use_none)
        drop(gone);
}

void leave_context()
{
    work_flushed(); // as far as it is not, the library does so now
}

static void unbind()
{
    ContextTimes* const left = current;
    current = nullptr;
    int expected = use_current;
    if (left && !__atomic_compare_exchange_n(&left->use, &expected, use_none, false,
                                             __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        drop(left);
}

/// Whether the context can tell times; asked at the first need, while a session wants them.
static bool is_ready(ContextTimes& times)
{
    if (times.is_known)
        return times.is_supported;
    times.is_known = true;
    times.is_supported = find_timer_functions(times.find, times.functions);
    if (times.is_supported)
        times.device = find_device(times);
    times.is_supported = times.device != nullptr;
    return times.is_supported;
}

static bool makes_list(const ContextTimes& times)
{
    GLint list = 0;
    if (times.functions.has_lists)
        times.functions.glGetIntegerv(gl_list_index, &list);
    return list != 0;
}

static void begin(ContextTimes& times, TimesRing& ring)
{
    if (ring.is_begun || makes_list(times))
        return;
    const uint32_t reported = __atomic_load_n(&ring.reported, __ATOMIC_RELAXED);
    ring.has_backlog = ring.ended - reported == TimesRing::slots_count;
    if (ring.has_backlog)
        return;
    if (!ring.has_queries)
        times.functions.glGenQueries(2 * TimesRing::slots_count, ring.queries);
    ring.has_queries = true;
    const uint32_t place = ring.ended % TimesRing::slots_count;
    ring.slots[place].queued_ns = now_ns();
    times.functions.glQueryCounter(ring.queries[2 * place], gl_timestamp);
    ring.is_begun = true;
}

static void end(ContextTimes& times, TimesRing& ring)
{
    const uint32_t place = ring.ended % TimesRing::slots_count;
    times.functions.glQueryCounter(ring.queries[2 * place + 1], gl_timestamp);
}

/// The command of the call; `is_begun`: its queries stand around it.
static void tell(TimesRing& ring, const Call& call, bool is_begun, lttng_gpu_gl_times otherwise)
{
    TimesSlot& slot = ring.slots[ring.ended % TimesRing::slots_count];
    const uint64_t command = __atomic_add_fetch(&last_command, 1, __ATOMIC_RELAXED);
    const lttng_gpu_gl_command record = {call.begin_ns(),
                                         uint16_t(call.function()),
                                         is_begun ? slot.queued_ns : call.begin_ns(),
                                         ring.queue,
                                         command,
                                         uint8_t(is_begun ? LTTNG_GPU_GL_EXPECTED : otherwise)};
    if (EVENT_ENABLED(command))
        write_event(events.command, record);
    if (!is_begun)
        return;
    slot.command = command;
    ring.is_begun = false;
    __atomic_store_n(&ring.ended, ring.ended + 1, __ATOMIC_RELEASE);
}

/// A session enables its events one after the other, and another one may begin meanwhile.
static void describe_now_and_then(ContextTimes& times)
{
    const uint64_t now = now_ns();
    if (times.described_ns && int64_t(now - times.described_ns) < int64_t(times.describe_after_ns))
        return;
    if (!times.described_ns)
        times.describe_after_ns = 1'000'000;
    else if (times.describe_after_ns < 1'000'000'000)
        times.describe_after_ns *= 10;
    times.described_ns = now;
    describe(times);
}

/// Whether somebody wants times of this thread's context now, and it can tell them. After a frame
/// that was not shown, nothing is asked of the context: if it is lost, each question leaves the
/// error GL_CONTEXT_LOST, which the program would find after calls that make none.
static ContextTimes* timed_context()
{
    if (!current || !EVENT_ENABLED(command_times)) {
        if (current)
            current->described_ns = current->frames.is_begun = 0;
        return nullptr;
    }
    const bool can_tell = is_ready(*current);
    describe_now_and_then(*current);
    return can_tell && !current->may_be_lost ? current : nullptr;
}

/// What has no times because there was no memory for the context's.
static void count_without_memory()
{
    if (context_without_memory && EVENT_ENABLED(command_times) && EVENT_ENABLED(commands_untimed))
        write_event(events.commands_untimed, {context_without_memory, 1, LTTNG_GPU_GL_NO_MEMORY});
}

bool enter_context(Windows windows, void* make_current, uint64_t display, uint64_t context,
                   uint64_t draw_surface)
{
    if (!current || current->context != context ||
        __atomic_load_n(&current->use, __ATOMIC_ACQUIRE) == use_destroyed) {
        unbind();
        current = context ? find_times(context) : nullptr;
        context_without_memory = current ? 0 : context;
        if (!current)
            return false;
        __atomic_store_n(&current->use, use_current, __ATOMIC_RELEASE);
        current->display = display;
        current->draw_surface = 0;
        if (!current->find)
            current->find = find_get_proc_address(windows, make_current);
    }
    // What was begun for another surface is no frame of this one's.
    if (current->draw_surface != draw_surface)
        current->frames.is_begun = false;
    current->draw_surface = draw_surface;
    return current->frames.is_begun;
}

void begin_frame()
{
    if (ContextTimes* const times = timed_context(); times && times->draw_surface)
        begin(*times, times->frames);
}

void end_frame()
{
    if (ContextTimes* const times = timed_context(); times && times->frames.is_begun) {
        if (makes_list(*times))
            times->frames.is_begun = false;
        else
            end(*times, times->frames);
    }
}

void end_frame_returned(const Call& call, bool is_shown)
{
    ContextTimes* const times = timed_context();
    if (current)
        current->may_be_lost = !is_shown;
    if (times) {
        TimesRing& frames = times->frames;
        tell(frames, call, frames.is_begun,
             frames.has_backlog ? LTTNG_GPU_GL_BACKLOG : LTTNG_GPU_GL_UNSEEN);
        frames.has_backlog = false;
        work_flushed();
    } else if (current && EVENT_ENABLED(command_times)) {
        tell(current->frames, call, false, LTTNG_GPU_GL_UNSUPPORTED);
    } else {
        count_without_memory();
    }
}

bool begin_command()
{
    ContextTimes* const times = timed_context();
    if (!times)
        return false;
    begin(*times, times->commands);
    return times->commands.is_begun;
}

void end_command(const Call& call, bool is_begun)
{
    ContextTimes* const times = timed_context();
    if (!times) {
        if (current && EVENT_ENABLED(command_times))
            tell(current->commands, call, false, LTTNG_GPU_GL_UNSUPPORTED);
        else
            count_without_memory();
        return;
    }
    TimesRing& commands = times->commands;
    if (is_begun)
        end(*times, commands);
    tell(commands, call, is_begun && commands.is_begun,
         commands.has_backlog ? LTTNG_GPU_GL_BACKLOG : LTTNG_GPU_GL_UNSEEN);
    if (commands.ended % poll_every)
        return;
    // A program may never say that it gives its work to the driver.
    if (commands.ended - commands.reported >= TimesRing::slots_count / 2 &&
        int32_t(commands.ended - TimesRing::slots_count / 4 - commands.flushed) > 0)
        commands.flushed = commands.ended - TimesRing::slots_count / 4;
    harvest(*times);
}

void work_flushed()
{
    if (!current || !current->is_supported || current->may_be_lost || !EVENT_ENABLED(command_times))
        return;
    current->frames.flushed = current->frames.ended;
    current->commands.flushed = current->commands.ended;
    harvest(*current);
}

void lock_times()
{
    known.lock_all();
    lock_devices();
}

void unlock_times()
{
    unlock_devices();
    known.unlock_all();
}

void count_all_left()
{
    known.for_each([](const void*, ContextTimes* times) { count_left(*times); });
}

} // namespace lttng_gpu::gl
