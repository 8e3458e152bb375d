// SPDX-License-Identifier: MIT
//
// Packetised CTF 1.8 metadata (CTF 1.8.3, section 7.1): takes the text out of
// its packets, and looks whether a file is whole before a library reads it:
// libbabeltrace2 2.0.4 never comes back from a packet that claims more than the
// file holds.
#pragma once

#include "../base/expected.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lttng_gpu::trace {

/// Plain text and CTF 2 metadata have no packets and are always whole here.
Expected<void> check_metadata_packets(const std::filesystem::path& metadata);

/// What the packets hold, in either byte order, without their padding; nothing
/// if the bytes are no packets. Errors do not name the file.
Expected<std::optional<std::string>> unpack_metadata(std::string_view bytes);

} // namespace lttng_gpu::trace
