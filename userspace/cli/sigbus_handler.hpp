// SPDX-License-Identifier: MIT
//
// Traces are read as mapped memory. A file that is truncated meanwhile leaves
// pages that no longer exist, and reading one raises SIGBUS. The process then prints
// a message and ends with the exit code of a damaged trace.
#pragma once

namespace lttng_gpu::cli {

/// For the whole process; installs a handler of SIGBUS.
void install_sigbus_handler();

} // namespace lttng_gpu::cli
