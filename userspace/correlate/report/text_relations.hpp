// SPDX-License-Identifier: MIT
//
// The parts of the report for people that tell who waited for whom: jobs for
// other jobs, threads for fences. Empty where nobody did.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

/// Longer lists are cut here; JSON has all.
constexpr std::size_t longest_list = 12;

std::string actor_text(const std::optional<Pid>& pid, const std::string& comm);

/// Jobs of the ring that waited for other fences, by process.
std::string dependency_lines(const QueueReport& queue, Duration window);
/// Threads that slept until a job of the ring was done.
std::string wait_lines(const QueueReport& queue);
/// Threads that slept for fences of no known job.
std::string foreign_wait_lines(const Report& report);

} // namespace lttng_gpu::report
