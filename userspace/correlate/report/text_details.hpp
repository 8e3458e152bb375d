// SPDX-License-Identifier: MIT
//
// Everything about one ring for people, 100 columns wide: its depths, latencies and processes,
// what its jobs waited for, and who waited for them.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

/// "0000:03:00.0 gfx_0.0.0 (amdgpu)"
std::string ring_title(const QueueReport& queue);
std::string ring_text(const Report& report, const QueueReport& queue);

} // namespace lttng_gpu::report
