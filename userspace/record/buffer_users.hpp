// SPDX-License-Identifier: MIT
//
// Which processes have a buffer of LTTng-UST in their memory: what none has, none will write to.
#pragma once

#include <filesystem>
#include <vector>

namespace lttng_gpu::record {

/// No process but `readers`, LTTng's daemons, has one of these files mapped (/proc/PID/maps). Also
/// false when that is not known: a process of this user cannot be looked into, or none of the
/// readers is seen to have one mapped, so that programs may be out of sight, too (in another
/// container).
bool are_left_by_all(const std::vector<std::filesystem::path>& files,
                     const std::vector<int>& readers);

} // namespace lttng_gpu::record
