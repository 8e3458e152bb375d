// SPDX-License-Identifier: MIT
//
// Whether our layers can be loaded into a program: its words must be as long as ours.
#pragma once

#include <string>

namespace lttng_gpu::record {

/// The program that runs when `command` is started (of a script, its interpreter), if its words are
/// not as long as this one's. Empty: they are, or it is not known.
std::string find_program_of_other_width(const std::string& command);

/// 32 or 64.
int other_width();

} // namespace lttng_gpu::record
