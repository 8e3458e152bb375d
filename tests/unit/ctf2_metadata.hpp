// SPDX-License-Identifier: MIT
//
// CTF 2 metadata for tests: JSON texts behind record separators (RFC 7464).
#pragma once

#include <string>
#include <vector>

namespace lttng_gpu::trace::ctf {

std::string fragments(const std::vector<std::string>& texts);

/// What lttng-sessiond writes for a kernel session with --default-trace-format=ctf-2,
/// after lttng-tools 2.15, src/bin/lttng-sessiond/ctf2-trace-class-visitor.cpp.
std::string lttng_ctf2_metadata();

} // namespace lttng_gpu::trace::ctf
