// SPDX-License-Identifier: MIT
//
// The formats of other programs in which jobs are exported. CTF has all events and is another
// command's work (../commands.hpp); CSV and JSON are rows of `jobs`.
#pragma once

#include "../../correlate/base/expected.hpp"

#include <cstdint>
#include <optional>

namespace lttng_gpu::exporting {

enum class JobFormat : std::uint8_t { Sqlite, Perfetto, Chrome, Parquet };

/// Empty: this build can write Parquet.
std::optional<Error> why_no_parquet();

} // namespace lttng_gpu::exporting
