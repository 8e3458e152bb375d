// SPDX-License-Identifier: MIT
#include "timer_functions.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "real_dlsym.hpp"
#include "tables.hpp"

namespace lttng_gpu::gl {

static constexpr GLenum gl_version = 0x1F02, gl_extensions = 0x1F03, gl_num_extensions = 0x821D;
static constexpr GLenum gl_context_profile_mask = 0x9126, gl_timestamp = 0x8E28;
static constexpr GLenum gl_query_counter_bits = 0x8864;

GetProcAddress find_get_proc_address(Windows windows, void* function)
{
    const char* const name = windows == Windows::egl ? "eglGetProcAddress" : "glXGetProcAddressARB";
    Dl_info place, own;
    void* found = nullptr;
    if (dladdr(function, &place) && place.dli_fname &&
        dladdr(reinterpret_cast<void*>(&find_get_proc_address), &own) &&
        place.dli_fbase != own.dli_fbase) {
        if (void* library = dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
            found = real_dlsym(library, name);
            dlclose(library);
        }
    }
    return reinterpret_cast<GetProcAddress>(found ? found : find_linked(name));
}

namespace {

/// What a context says of itself.
struct Context {
    const TimerFunctions& functions;
    bool is_es;
    unsigned version; ///< 303 is 3.3

    bool has(const char* extension) const;
};

} // namespace

static bool is_listed(const char* list, const char* name)
{
    const size_t length = strlen(name);
    for (const char* at = list; at && (at = strstr(at, name)); at += length) {
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    }
    return false;
}

bool Context::has(const char* extension) const
{
    if (is_es || version < 300)
        return is_listed(reinterpret_cast<const char*>(functions.glGetString(gl_extensions)),
                         extension);
    GLint count = 0;
    functions.glGetIntegerv(gl_num_extensions, &count);
    for (GLint i = 0; functions.glGetStringi && i < count; ++i) {
        const GLubyte* const name = functions.glGetStringi(gl_extensions, GLuint(i));
        if (name && !strcmp(reinterpret_cast<const char*>(name), extension))
            return true;
    }
    return false;
}

static Context describe(const TimerFunctions& timers)
{
    Context context = {timers, false, 0};
    const auto* text = reinterpret_cast<const char*>(timers.glGetString(gl_version));
    if (!text)
        return context;
    context.is_es = !strncmp(text, "OpenGL ES", 9);
    text += strcspn(text, "0123456789");
    char* end = nullptr;
    context.version = unsigned(strtoul(text, &end, 10)) * 100;
    if (*end == '.')
        context.version += unsigned(strtoul(end + 1, nullptr, 10));
    return context;
}

static bool has_timer_queries(const Context& context)
{
    if (context.is_es)
        return context.version >= 200 && context.has("GL_EXT_disjoint_timer_query");
    return context.version >= 303 || (context.version >= 302 && context.has("GL_ARB_timer_query"));
}

bool find_timer_functions(GetProcAddress find, TimerFunctions& found)
{
    found = {};
    const auto get = [find](auto& function, const char* name) {
        function = reinterpret_cast<__typeof__(+function)>(find(name));
        return function != nullptr;
    };
    if (!find || !get(found.glGetString, "glGetString") ||
        !get(found.glGetIntegerv, "glGetIntegerv"))
        return false;
    get(found.glGetStringi, "glGetStringi");
    const Context context = describe(found);
    if (!has_timer_queries(context))
        return false;
    const bool is_es = context.is_es;
    const bool is_complete =
        get(found.glGetInteger64v,
            is_es && context.version < 300 ? "glGetInteger64vEXT" : "glGetInteger64v") &&
        get(found.glGetQueryiv, is_es ? "glGetQueryivEXT" : "glGetQueryiv") &&
        get(found.glGenQueries, is_es ? "glGenQueriesEXT" : "glGenQueries") &&
        get(found.glDeleteQueries, is_es ? "glDeleteQueriesEXT" : "glDeleteQueries") &&
        get(found.glQueryCounter, is_es ? "glQueryCounterEXT" : "glQueryCounter") &&
        get(found.glGetQueryObjectuiv, is_es ? "glGetQueryObjectuivEXT" : "glGetQueryObjectuiv") &&
        get(found.glGetQueryObjectui64v,
            is_es ? "glGetQueryObjectui64vEXT" : "glGetQueryObjectui64v");
    if (!is_complete)
        return false;
    GLint bits = 0, profile = 0;
    found.glGetQueryiv(gl_timestamp, gl_query_counter_bits, &bits);
    if (!is_es && context.version >= 302)
        found.glGetIntegerv(gl_context_profile_mask, &profile);
    found.bits = bits < 0 ? 0 : uint32_t(bits);
    found.has_lists = !is_es && !(profile & 1);
    found.has_query_buffers =
        !is_es && (context.version >= 404 || context.has("GL_ARB_query_buffer_object") ||
                   context.has("GL_AMD_query_buffer_object"));
    return found.bits != 0;
}

} // namespace lttng_gpu::gl
