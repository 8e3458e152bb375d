// SPDX-License-Identifier: MIT
//
// The page's program, which the build bundles (userspace/page) and puts into this one.
#pragma once

#include <string_view>

namespace lttng_gpu::view {

/// HTML with places for the data; empty where the build had no npm.
std::string_view page_bundle();

} // namespace lttng_gpu::view
