// SPDX-License-Identifier: MIT
//
// Which CPUs are there, and which have come online while something was recorded. The session daemon
// of LTTng 2.16 that traces the kernel ends when one does that it has not seen online before
// (docs/kernel-notes.md).
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace lttng_gpu::record {

/// As the kernel lists them in sysfs ("0-3,6"); what is no list has none.
std::set<unsigned> read_cpu_list(std::string_view text);

/// Of this machine, now.
std::set<unsigned> online_cpus();
/// With those that are offline.
std::set<unsigned> present_cpus();

/// What is to be said of a session daemon that has died; empty: nothing, no CPU has come.
std::string note_on_cpus_that_came(const std::set<unsigned>& before,
                                   const std::set<unsigned>& after);

} // namespace lttng_gpu::record
