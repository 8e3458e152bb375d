// SPDX-License-Identifier: MIT
//
// A CTF 2 trace as one of CTF 1.8 (tsdl_printer.hpp): the stream files are used as they are.
#pragma once

#include "../correlate/trace/ctf/metadata/schema.hpp"
#include "output_directory.hpp"

namespace lttng_gpu::exporting {

/// A directory with the schema as TSDL and links to everything else of the trace.
Expected<ScratchDirectory> translate_trace(const std::filesystem::path& directory,
                                           const trace::ctf::Schema& schema);

} // namespace lttng_gpu::exporting
