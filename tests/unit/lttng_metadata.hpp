// SPDX-License-Identifier: MIT
//
// Metadata for tests as LTTng writes it, and CTF 2's JSON texts behind record
// separators (RFC 7464).
#pragma once

#include <string>
#include <vector>

namespace lttng_gpu::trace::ctf {

std::string fragments(const std::vector<std::string>& texts);

/// A kernel trace's, cut to two events: LTTng's packet header, packet context and
/// compact event header.
std::string lttng_tsdl_metadata();

/// The same as lttng-sessiond writes it with --default-trace-format=ctf-2,
/// after lttng-tools 2.15, src/bin/lttng-sessiond/ctf2-trace-class-visitor.cpp.
std::string lttng_ctf2_metadata();

} // namespace lttng_gpu::trace::ctf
