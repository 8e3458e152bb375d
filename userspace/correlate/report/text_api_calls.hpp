// SPDX-License-Identifier: MIT
//
// The details of API calls: for each name, how often it was called, the time in it and how much of
// that on a CPU, and what became of the jobs that it made, up to when the program learned of their
// ends.
#pragma once

#include "report.hpp"
#include "screen.hpp"

namespace lttng_gpu::report {

/// The most of their time first, `most` at most; empty: no calls were recorded.
std::string api_call_lines(const Report& report, const Screen& screen, std::size_t most);

} // namespace lttng_gpu::report
