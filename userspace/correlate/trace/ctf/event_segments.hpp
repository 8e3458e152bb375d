// SPDX-License-Identifier: MIT
//
// Finds out whether the body of an event can be read without steps, see EventPlan::is_simple.
#pragma once

#include "event_plan.hpp"

namespace lttng_gpu::trace::ctf {

/// From the steps of the body, which are there.
void find_segments(EventPlan& plan);

} // namespace lttng_gpu::trace::ctf
