// SPDX-License-Identifier: MIT
//
// The page as one file that needs nothing else: the program, the data of the first picture before
// it, and the rest of the data behind it, so that the browser draws while it reads.
#pragma once

#include "../correlate/report/output.hpp"
#include "page_data.hpp"

namespace lttng_gpu::view {

/// Why there is no page, or nothing.
std::optional<Error> why_no_page();

void write_page(const PageData& data, const Blobs& blobs, report::Output& output);
/// The page without data: it asks the server for `index` and the pieces.
std::string page_of_server();

} // namespace lttng_gpu::view
