// SPDX-License-Identifier: MIT
//
// What wrappers do besides calling the next function. Where an event of its own is recorded, it
// stands for the event of the call.
#pragma once

#include "calls.hpp"
#include "counts.hpp"
#include "times.hpp"

namespace lttng_gpu::gl {

// After the next function has returned.
void frame_ended(const Call& call, int32_t result, uint64_t surface);
void fence_created(const Call& call, uint64_t sync);
void fence_waited(const Call& call, uint64_t sync, int32_t result, uint64_t timeout);
void query_read(const Call& call, uint32_t query, uint32_t name);
/// `is_begun`: as begins_work() said before it.
void dispatched(const Call& call, bool is_begun, uint32_t x, uint32_t y, uint32_t z);
void blitted(const Call& call, bool is_begun);
void flushed(const Call& call);
void uploaded(const Call& call, uint64_t bytes);
/// `length` of texts: negative, up to the 0.
void labelled(uint32_t kind, uint64_t object, const char* text, int length);
void group_pushed(uint32_t id, const char* text, int length);
void group_popped();
void marked(const char* text, int length);

// Before it is called.
/// The frame's first call that gives work.
void begin_frame_work();
inline void ends_frame()
{
    if (are_times_wanted)
        end_frame();
}
inline bool begins_work()
{
    return are_times_wanted && begin_command();
}

/// Others only ask whether the result is there.
inline bool waits_for_query(uint32_t name)
{
    return name == 0x8866; // GL_QUERY_RESULT
}

void context_created(const Call& call, uint64_t context, uint64_t shared);
/// Of a function that makes a context current.
struct Change {
    Windows windows;
    void* function;
    const void* display;
    uint64_t context, draw, read;
};
void context_changes();
void context_made_current(const Call& call, int32_t result, const Change& change);
/// Before it is destroyed.
void context_goes(uint64_t context);
void context_destroyed(const Call& call, int32_t result, uint64_t context);
/// What the program gets for a function that GetProcAddress gave.
void* found_address(const char* name, void* function);

// In place of the next function, `real`.

template <class Real>
EGLBoolean initialize(const Call& call, Real real, EGLDisplay display, EGLint* major, EGLint* minor)
{
    attach_provider();
    const auto result = real(display, major, minor);
    call.returned(int32_t(result));
    return result;
}

template <class Real, class Text> auto get_proc_address(const Call&, Real real, Text name)
{
    const auto found = real(name);
    return reinterpret_cast<decltype(real(name))>(
        found_address(reinterpret_cast<const char*>(name), reinterpret_cast<void*>(found)));
}

template <class Real>
EGLContext egl_create_context(const Call& call, Real real, EGLDisplay display, EGLConfig config,
                              EGLContext shared, const EGLint* attributes)
{
    attach_provider();
    const EGLContext context = real(display, config, shared, attributes);
    context_created(call, handle(context), handle(shared));
    return context;
}

template <class Real>
GLXContext glx_create_context(const Call& call, Real real, Display* display, XVisualInfo* visual,
                              GLXContext shared, Bool direct)
{
    attach_provider();
    const GLXContext context = real(display, visual, shared, direct);
    context_created(call, handle(context), handle(shared));
    return context;
}

template <class Real>
GLXContext glx_create_new_context(const Call& call, Real real, Display* display, GLXFBConfig config,
                                  int type, GLXContext shared, Bool direct)
{
    attach_provider();
    const GLXContext context = real(display, config, type, shared, direct);
    context_created(call, handle(context), handle(shared));
    return context;
}

template <class Real>
GLXContext glx_create_context_attribs(const Call& call, Real real, Display* display,
                                      GLXFBConfig config, GLXContext shared, Bool direct,
                                      const int* attributes)
{
    attach_provider();
    const GLXContext context = real(display, config, shared, direct, attributes);
    context_created(call, handle(context), handle(shared));
    return context;
}

/// Of another process, with its number in X's server; what it shares with is not known.
template <class Real>
GLXContext glx_import_context(const Call& call, Real real, Display* display, GLXContextID number)
{
    attach_provider();
    const GLXContext context = real(display, number);
    context_created(call, handle(context), 0);
    return context;
}

/// Of one GPU, without a display; with attributes or without.
template <class Real, class... Attributes>
GLXContext glx_create_associated_context(const Call& call, Real real, unsigned gpu,
                                         GLXContext shared, Attributes... attributes)
{
    attach_provider();
    const GLXContext context = real(gpu, shared, attributes...);
    context_created(call, handle(context), handle(shared));
    return context;
}

template <class Real>
EGLBoolean egl_make_current(const Call& call, Real real, EGLDisplay display, EGLSurface draw,
                            EGLSurface read, EGLContext context)
{
    attach_provider();
    context_changes();
    const EGLBoolean result = real(display, draw, read, context);
    context_made_current(call, int32_t(result),
                         {Windows::egl, reinterpret_cast<void*>(real), display, handle(context),
                          handle(draw), handle(read)});
    return result;
}

template <class Real>
Bool glx_make_current(const Call& call, Real real, Display* display, GLXDrawable drawable,
                      GLXContext context)
{
    attach_provider();
    context_changes();
    const Bool result = real(display, drawable, context);
    context_made_current(call, result,
                         {Windows::glx, reinterpret_cast<void*>(real), display, handle(context),
                          drawable, drawable});
    return result;
}

template <class Real>
Bool glx_make_context_current(const Call& call, Real real, Display* display, GLXDrawable draw,
                              GLXDrawable read, GLXContext context)
{
    attach_provider();
    context_changes();
    const Bool result = real(display, draw, read, context);
    context_made_current(
        call, result,
        {Windows::glx, reinterpret_cast<void*>(real), display, handle(context), draw, read});
    return result;
}

template <class Real>
Bool glx_make_associated_context_current(const Call& call, Real real, GLXContext context)
{
    attach_provider();
    context_changes();
    const Bool result = real(context);
    context_made_current(
        call, result,
        {Windows::glx, reinterpret_cast<void*>(real), nullptr, handle(context), 0, 0});
    return result;
}

template <class Real> EGLBoolean release_thread(const Call& call, Real real)
{
    context_changes();
    const EGLBoolean result = real();
    context_made_current(call, int32_t(result),
                         {Windows::egl, reinterpret_cast<void*>(real), nullptr, 0, 0, 0});
    return result;
}

template <class Real, class Context>
auto destroy_context(const Call& call, Real real, void* display, Context context)
    -> decltype(real(nullptr, context))
{
    context_goes(handle(context));
    if constexpr (__is_same(decltype(real(nullptr, context)), void)) {
        real(static_cast<Display*>(display), context);
        context_destroyed(call, 0, handle(context));
    } else {
        const auto result = real(display, context);
        context_destroyed(call, int32_t(result), handle(context));
        return result;
    }
}

template <class Real>
Bool glx_delete_associated_context(const Call& call, Real real, GLXContext context)
{
    context_goes(handle(context));
    const Bool result = real(context);
    context_destroyed(call, result, handle(context));
    return result;
}

/// Before the next function: another thread may get the same handle right after it.
template <class Real>
EGLBoolean destroy_egl_surface(const Call& call, Real real, EGLDisplay display, EGLSurface surface)
{
    forget_surface(handle(surface));
    const EGLBoolean result = real(display, surface);
    call.returned(int32_t(result));
    return result;
}

template <class Real>
void destroy_drawable(const Call& call, Real real, Display* display, GLXDrawable drawable)
{
    forget_surface(drawable);
    real(display, drawable);
    call.returned(0);
}

template <class Real>
EGLSurface create_pbuffer_surface(const Call& call, Real real, EGLDisplay display, EGLConfig config,
                                  const EGLint* attributes)
{
    const EGLSurface surface = real(display, config, attributes);
    forget_surface(handle(surface));
    call.returned(0);
    return surface;
}

template <class Real, class Native, class Attribute>
EGLSurface create_native_surface(const Call& call, Real real, EGLDisplay display, EGLConfig config,
                                 Native native, const Attribute* attributes)
{
    const EGLSurface surface = real(display, config, native, attributes);
    forget_surface(handle(surface));
    call.returned(0);
    return surface;
}

} // namespace lttng_gpu::gl
