// SPDX-License-Identifier: MIT
//
// See http_library.hpp.
#ifdef LTTNG_GPU_HTTP
#include "http_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace lttng_gpu::view {
namespace {

// The number of its interface, which microhttpd.h does not say: 12 since version 0.9.41.
constexpr const char* library_name = "libmicrohttpd.so.12";

template <typename Function> bool find(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

} // namespace

Expected<HttpLibrary> HttpLibrary::load()
{
    void* const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    HttpLibrary found;
    const bool is_whole =
        library != nullptr && find(library, "MHD_start_daemon", found.start_daemon) &&
        find(library, "MHD_stop_daemon", found.stop_daemon) &&
        find(library, "MHD_get_daemon_info", found.get_daemon_info) &&
        find(library, "MHD_create_response_from_buffer", found.create_response_from_buffer) &&
        find(library, "MHD_add_response_header", found.add_response_header) &&
        find(library, "MHD_queue_response", found.queue_response) &&
        find(library, "MHD_destroy_response", found.destroy_response) &&
        find(library, "MHD_lookup_connection_value", found.lookup_connection_value);
    if (!is_whole) {
        return Failure{
            {ErrorKind::BadArguments,
             fmt::format("the page cannot be served without {} (package libmicrohttpd12); "
                         "`report --html FILE` writes the same page to a file",
                         library_name)}};
    }
    return found;
}

} // namespace lttng_gpu::view
#endif
