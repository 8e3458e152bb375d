// SPDX-License-Identifier: MIT
//
// What the command line says about how to read traces.
#pragma once

#include "options.hpp"

namespace lttng_gpu::cli {

trace::ReadOptions read_options(const Options& options, Workers& workers);

} // namespace lttng_gpu::cli
