// SPDX-License-Identifier: MIT
//
// Serves the page to browsers of this machine: on the loopback address only, and only to those who
// have the address with its secret, so that neither other users nor other pages can read traces.
#pragma once

#include "page_data.hpp"

#include <iosfwd>

namespace lttng_gpu::view {

struct Serving {
    unsigned short port = 0; // 0: any that is free
    bool opens_browser = true;
};

/// Why nothing can be served, or nothing.
std::optional<Error> why_no_server();

/// Prints the address on `output` and returns after SIGINT, SIGTERM or SIGHUP.
Expected<void> serve(const PageData& data, const Serving& serving, std::ostream& output,
                     std::ostream& errors);

} // namespace lttng_gpu::view
