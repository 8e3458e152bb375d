// SPDX-License-Identifier: MIT
#include "stream_batch.hpp"

namespace lttng_gpu::trace::ctf {

void Batch::clear()
{
    records.clear();
    values.clear();
    losses.clear();
    events = events_without_clock = bytes = 0;
    first_time.reset();
    last_time.reset();
    fault.reset();
    is_last = false;
}

} // namespace lttng_gpu::trace::ctf
