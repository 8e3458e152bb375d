// SPDX-License-Identifier: MIT
#include "hooks.hpp"

#include <string.h>

#include "tables.hpp"

namespace lttng_gpu::gl {

/// Texts are the program's, of any length; frames must stay small.
struct Text {
    static constexpr size_t most = 255;

    Text(const char* text, int length)
    {
        const size_t limit = length < 0 || size_t(length) > most ? most : size_t(length);
        const size_t bytes = text ? strnlen(text, limit) : 0;
        memcpy(copy, text ? text : "", bytes);
        copy[bytes] = 0;
    }
    char copy[most + 1];
};

void begin_frame_work()
{
    counts.has_work = true;
    if (!are_times_wanted || is_nested() || is_in_section())
        return;
    const int error = errno;
    ++thread_state.calls; // what a signal handler calls meanwhile is passed on
    begin_frame();
    --thread_state.calls;
    errno = error;
}

void frame_ended(const Call& call, int32_t result, uint64_t surface)
{
    const uint64_t number = next_frame(surface);
    if (are_times_wanted)
        end_frame_returned(call, result != 0);
    lttng_gpu_gl_frame record = {};
    record.begin_ns = call.begin_ns();
    record.frame = number;
    record.surface = surface;
    record.context = counts.context;
    record.draws = counts.draws;
    record.dispatches = counts.dispatches;
    record.uploads = counts.uploads;
    record.result = result;
    record.function = uint16_t(call.function());
    counts.draws = counts.dispatches = counts.uploads = 0;
    counts.has_work = false;
    if (EVENT_ENABLED(frame))
        write_event(events.frame, record);
    else
        call.returned(result);
}

void fence_created(const Call& call, uint64_t sync)
{
    if (EVENT_ENABLED(fence_create))
        write_event(events.fence_create, {call.begin_ns(), uint16_t(call.function()), sync});
    else
        call.returned(0);
}

void fence_waited(const Call& call, uint64_t sync, int32_t result, uint64_t timeout)
{
    if (EVENT_ENABLED(fence_wait))
        write_event(events.fence_wait,
                    {call.begin_ns(), uint16_t(call.function()), sync, result, timeout});
    else
        call.returned(result);
}

void query_read(const Call& call, uint32_t query, uint32_t name)
{
    if (EVENT_ENABLED(query_result))
        write_event(events.query_result, {call.begin_ns(), uint16_t(call.function()), query, name});
    else
        call.returned(0);
}

void dispatched(const Call& call, bool is_begun, uint32_t x, uint32_t y, uint32_t z)
{
    if (are_times_wanted)
        end_command(call, is_begun);
    if (EVENT_ENABLED(dispatch))
        write_event(events.dispatch, {call.begin_ns(), uint16_t(call.function()), x, y, z});
    else
        call.returned(0);
}

void blitted(const Call& call, bool is_begun)
{
    if (are_times_wanted)
        end_command(call, is_begun);
    if (EVENT_ENABLED(blit))
        write_event(events.blit, {call.begin_ns(), uint16_t(call.function())});
    else
        call.returned(0);
}

void flushed(const Call& call)
{
    if (are_times_wanted)
        work_flushed();
    call.returned(0);
}

void uploaded(const Call& call, uint64_t bytes)
{
    if (EVENT_ENABLED(upload))
        write_event(events.upload, {call.begin_ns(), uint16_t(call.function()), bytes});
}

void labelled(uint32_t kind, uint64_t object, const char* text, int length)
{
    if (!EVENT_ENABLED(label))
        return;
    const Text name{text, length};
    write_event(events.label, {object, kind, name.copy});
}

void group_pushed(uint32_t id, const char* text, int length)
{
    if (!EVENT_ENABLED(debug_group_push))
        return;
    const Text name{text, length};
    write_event(events.debug_group_push, {id, name.copy});
}

void group_popped()
{
    if (EVENT_ENABLED(debug_group_pop))
        write_event(events.debug_group_pop, {counts.context});
}

void marked(const char* text, int length)
{
    if (!EVENT_ENABLED(marker))
        return;
    const Text name{text, length};
    write_event(events.marker, {name.copy});
}

void context_created(const Call& call, uint64_t context, uint64_t shared)
{
    if (context) {
        forget_context(context);
        forget_times(context);
    }
    if (EVENT_ENABLED(context_create))
        write_event(events.context_create,
                    {call.begin_ns(), uint16_t(call.function()), context, shared});
    else
        call.returned(0);
}

void context_changes()
{
    if (are_times_wanted)
        leave_context();
}

void context_made_current(const Call& call, int32_t result, const Change& change)
{
    const auto [windows, function, display, context, draw, read] = change;
    if (result)
        switch_context(context);
    if (result && are_times_wanted)
        counts.has_work = enter_context(windows, function, handle(display), context, draw);
    if (EVENT_ENABLED(context_current))
        write_event(events.context_current,
                    {call.begin_ns(), result, uint16_t(call.function()), context, draw, read});
    else
        call.returned(result);
}

void context_goes(uint64_t context)
{
    forget_times(context);
}

void context_destroyed(const Call& call, int32_t result, uint64_t context)
{
    // One that is current stays until it no longer is; then its numbers are kept for nobody, which
    // a new context of its handle clears.
    forget_context(context);
    if (EVENT_ENABLED(context_destroy))
        write_event(events.context_destroy,
                    {call.begin_ns(), result, uint16_t(call.function()), context});
    else
        call.returned(result);
}

void* found_address(const char* name, void* function)
{
    const Wrapper* const wrapper = name && function ? find_wrapper(name) : nullptr;
    return wrapper ? wrap(*wrapper, function) : function;
}

} // namespace lttng_gpu::gl
