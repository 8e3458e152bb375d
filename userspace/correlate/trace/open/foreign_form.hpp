// SPDX-License-Identifier: MIT
//
// Files that people have in place of a trace that can be read.
#pragma once

#include <string_view>

namespace lttng_gpu::trace {

/// By the first bytes: what the file is, and what makes of it one that can be read. Empty: it is
/// none of these.
std::string_view foreign_form(std::string_view head);

} // namespace lttng_gpu::trace
