// SPDX-License-Identifier: MIT
//
// The lines of a report about events of GPUs of which no job is made.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

/// One line for each display, queue of commands without a fence, and driver or event that is not
/// understood; with details all of them.
std::string other_event_lines(const model::OtherEventAccount& others, bool has_details);

} // namespace lttng_gpu::report
