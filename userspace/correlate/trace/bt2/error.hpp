// SPDX-License-Identifier: MIT
//
// What babeltrace2 says of a fault as an error of ours. The library's own log is off; the first
// of its error causes, the one nearest to the fault, becomes one line.
#pragma once

#include "../../base/expected.hpp"

namespace lttng_gpu::trace {

/// Takes the thread's error: "CONTEXT: the cause nearest to the fault".
Failure bt2_failure(ErrorKind kind, const std::string& context);

} // namespace lttng_gpu::trace
