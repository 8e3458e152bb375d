// SPDX-License-Identifier: MIT
//
// The metadata of a CTF 2 trace, translated to CTF 1.8 (TSDL). libbabeltrace2
// before 2.1 reads only that, and LTTng writes the same packets under either: so the
// stream files are used as they are. What TSDL cannot express (variable-length
// integers, blobs, optional fields, UTF-16) is an error that names it; nothing is
// left out.
#pragma once

#include "output_directory.hpp"

#include <string>
#include <string_view>

namespace lttng_gpu::exporting {

/// `json` has been read by our own reader (trace/ctf/metadata.hpp), so it is sound.
Expected<std::string> translate_ctf2_metadata(std::string_view json);

/// A directory with the translated metadata and links to everything else of the trace.
Expected<ScratchDirectory> translate_ctf2_trace(const std::filesystem::path& directory);

} // namespace lttng_gpu::exporting
