// SPDX-License-Identifier: MIT
//
// Serves the page to browsers of this machine: on the loopback address only, and only to those who
// have the address with its secret, so that neither other users nor other pages can read traces.
#pragma once

#include "../correlate/base/expected.hpp"
#include "live_page.hpp"

namespace lttng_gpu::view {

/// Why nothing can be served, or nothing.
std::optional<Error> why_no_server();

/// Serves on a thread of its own until it goes.
class PageServer {
public:
    /// `port` 0: any that is free. The page must outlive the server.
    static Expected<std::unique_ptr<PageServer>> start(const LivePage& page, unsigned short port);
    virtual ~PageServer() = default;

    virtual std::string address() const = 0;
};

} // namespace lttng_gpu::view
