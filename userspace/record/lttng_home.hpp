// SPDX-License-Identifier: MIT
//
// The folder in which LTTng keeps a user's sockets and settings.
#pragma once

#include "../correlate/base/expected.hpp"
#include "narrator.hpp"

#include <filesystem>

namespace lttng_gpu::record {

/// As LTTng looks for it: $LTTNG_HOME, $HOME, the user's home.
std::filesystem::path lttng_home();

/// Without a home that can be written to, LTTng's tools fail (daemons, sandboxes and build machines
/// have such users). Then $LTTNG_HOME becomes a folder of this user in /tmp, for the recorded
/// command too, and a comment says so. The folder stays the same for later recordings, which may
/// have to clean up after this one. Root's is its own home, where $HOME is one that others can
/// change.
Expected<void> ensure_writable_home(Narrator& narrator);

} // namespace lttng_gpu::record
