// SPDX-License-Identifier: MIT
//
// Looks whether packetised CTF 1.8 metadata (CTF 1.8.3, section 7.1) is whole,
// before a library reads it: libbabeltrace2 2.0.4 never comes back from a
// packet that claims more than the file holds.
#pragma once

#include "../base/expected.hpp"

#include <filesystem>

namespace lttng_gpu::trace {

/// Plain text and CTF 2 metadata have no packets and are always whole here.
Expected<void> check_metadata_packets(const std::filesystem::path& metadata);

} // namespace lttng_gpu::trace
