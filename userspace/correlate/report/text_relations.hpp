// SPDX-License-Identifier: MIT
//
// The parts of the text report about waits: of jobs for other jobs, and of
// threads for fences. Empty if there were none.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

/// Longer lists are cut here; JSON has all.
constexpr std::size_t longest_list = 12;

/// "100 game"; where the process is unknown "? game-101" with the thread, as ftrace has it.
std::string actor_text(const std::optional<Pid>& pid, const std::optional<Tid>& tid,
                       const std::string& comm);

/// "thread game-101 (100) waits since +1.2 s (3.4 s) for fence 9:4 (amdgpu gfx), still at the end
/// of the trace"
std::string open_wait_text(const model::OpenWait& wait, Timestamp trace_begin, Timestamp end);
/// All of them; nothing if there are none.
std::string open_wait_lines(const Report& report);

/// Jobs of the ring that waited for other fences, by process.
std::string dependency_lines(const QueueReport& queue, Duration window);
/// Threads that waited for jobs of the ring.
std::string wait_lines(const QueueReport& queue);
/// Threads that waited for fences of unknown jobs.
std::string foreign_wait_lines(const Report& report);

} // namespace lttng_gpu::report
