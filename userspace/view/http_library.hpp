// SPDX-License-Identifier: MIT
//
// libmicrohttpd, loaded when the page is served and not before: with what it needs itself (GnuTLS
// and more) it would take as long to load as all other libraries of this program together.
#pragma once

#include "../correlate/base/expected.hpp"

#include <microhttpd.h>

namespace lttng_gpu::view {

/// Its functions, by their names without MHD_.
struct HttpLibrary {
    decltype(&MHD_start_daemon) start_daemon = nullptr;
    decltype(&MHD_stop_daemon) stop_daemon = nullptr;
    decltype(&MHD_get_daemon_info) get_daemon_info = nullptr;
    decltype(&MHD_create_response_from_buffer) create_response_from_buffer = nullptr;
    decltype(&MHD_add_response_header) add_response_header = nullptr;
    decltype(&MHD_queue_response) queue_response = nullptr;
    decltype(&MHD_destroy_response) destroy_response = nullptr;
    decltype(&MHD_lookup_connection_value) lookup_connection_value = nullptr;

    /// It stays loaded until the program ends.
    static Expected<HttpLibrary> load();
};

} // namespace lttng_gpu::view
