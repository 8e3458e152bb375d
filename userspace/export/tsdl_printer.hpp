// SPDX-License-Identifier: MIT
//
// The metadata of a trace as TSDL (CTF 1.8.3), from its schema: libbabeltrace2 before 2.1
// reads only that, and LTTng writes the same packets under it and under CTF 2. What TSDL
// cannot express (variable-length integers, blobs, optional fields, UTF-16) is an error that
// names it; nothing is left out.
#pragma once

#include "../correlate/base/expected.hpp"
#include "../correlate/trace/ctf/metadata/schema.hpp"

namespace lttng_gpu::exporting {

Expected<std::string> print_tsdl(const trace::ctf::Schema& schema);

} // namespace lttng_gpu::exporting
