// SPDX-License-Identifier: MIT
//
// What others put before the lines of a trace: the kernel's log (ftrace_dump() prints into it), its
// readers dmesg and journalctl, syslog daemons, and mail that quotes.
#pragma once

#include <string_view>

namespace lttng_gpu::trace::ftrace {

/// The line without it; the line itself when it has none.
std::string_view without_prefix(std::string_view line);

} // namespace lttng_gpu::trace::ftrace
