// SPDX-License-Identifier: MIT
//
// Launches that were recorded inside, for the panel and the picture of their commands. Commands are
// found by process and number.
#pragma once

#include "../correlate/device/device_trace.hpp"
#include "blobs.hpp"

#include <nlohmann/json_fwd.hpp>

namespace lttng_gpu::view {

/// For the page's index: kernels with the names of their locations, and which piece has the
/// launches of which commands. Launches of no known command are counted only.
nlohmann::ordered_json write_launches(const device::DeviceTrace& trace, Timestamp origin,
                                      Blobs& blobs);

} // namespace lttng_gpu::view
