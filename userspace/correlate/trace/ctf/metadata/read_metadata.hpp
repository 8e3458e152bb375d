// SPDX-License-Identifier: MIT
//
// The metadata of one trace from bytes to schema: packets of CTF 1.8 are taken
// apart in either byte order, TSDL or JSON is parsed and checked. Whatever the
// bytes are, the answer is a schema that can be compiled or one line that says
// where it is wrong.
#pragma once

#include "../../../base/expected.hpp"
#include "schema.hpp"

#include <filesystem>
#include <string_view>

namespace lttng_gpu::trace::ctf {

/// The file's contents: packetised or plain TSDL, or CTF 2's JSON text sequence.
/// Errors are of kind UnreadableTrace and name the line, column or fragment.
Expected<Schema> read_metadata(std::string_view bytes);

/// Reads the file `metadata` of a trace's directory; the message names it.
Expected<Schema> read_metadata_file(const std::filesystem::path& metadata);

} // namespace lttng_gpu::trace::ctf
