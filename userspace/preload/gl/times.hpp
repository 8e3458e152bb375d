// SPDX-License-Identifier: MIT
//
// When the GPU did a frame, a dispatch or a blit, on request (LTTNG_GPU_GL_TIMES=1 and a session
// with command_times): the layer's own timestamp queries stand before and after it. Queries of the
// program are not touched: those of timestamps begin and end nothing. Results are read without
// waiting, where the program has given its work to the driver anyway.
#pragma once

#include "calls.hpp"
#include "timer_functions.hpp"

namespace lttng_gpu::gl {

/// Of the environment: LTTNG_GPU_GL_TIMES.
extern bool are_times_wanted;
void read_times_wish();

/// A command under way; its two queries have its place.
struct TimesSlot {
    uint64_t command;
    uint64_t queued_ns;
};

/// Frames of a context, or its other commands: those of one ring complete in order, as a rule.
struct TimesRing {
    static constexpr uint32_t slots_count = 64; ///< a power of 2

    uint64_t queue; ///< as events have it
    GLuint queries[2 * slots_count];
    TimesSlot slots[slots_count];
    uint32_t ended, flushed, reported; ///< so many; what is between the ends is under way
    bool has_queries, is_begun, has_backlog;
};

/// A display's device, as far as OpenGL tells: who renders there.
struct TimedDevice {
    uint64_t display;
    uint64_t name_hash;
    uint64_t newest;  ///< timestamp, counted on where they begin anew
    uint64_t read_ns; ///< when its clock was read last; 0: never
    uint64_t resolution;
};

struct ContextTimes {
    uint64_t context, display;
    GetProcAddress find;
    uint64_t draw_surface;
    TimesRing frames, commands;
    TimerFunctions functions;
    TimedDevice* device;
    bool is_known, is_supported; ///< whether it was looked for timer queries, and has them
    bool may_be_lost;            ///< its last frame was not shown
    uint64_t described_ns, describe_after_ns; ///< written last, and how long after that again
    int use;                                  ///< see times.cpp
};

/// The context of this name in this thread has been made current, with functions of the library
/// that has `make_current`. Whether its frame has begun.
bool enter_context(Windows windows, void* make_current, uint64_t display, uint64_t context,
                   uint64_t draw_surface);
/// Before that: the program leaves its current context, or makes the same current again.
void leave_context();
/// It is destroyed, or is a new one of the same handle.
void forget_times(uint64_t context);

/// Before the first call that gives a frame work.
void begin_frame();
/// Around a call that ends a frame; `is_shown`: the call did not fail.
void end_frame();
void end_frame_returned(const Call& call, bool is_shown);
/// Around another call. False: it has no times.
bool begin_command();
void end_command(const Call& call, bool is_begun);
/// The program has just given all its work to the driver, or waited for it.
void work_flushed();

void lock_times();
void unlock_times();

} // namespace lttng_gpu::gl
