// SPDX-License-Identifier: MIT
#include "thread_state.hpp"

namespace lttng_gpu {

__thread ThreadState thread_state = {0, 0, false};

} // namespace lttng_gpu
