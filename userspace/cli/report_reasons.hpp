// SPDX-License-Identifier: MIT
//
// Whether `lttng-gpu report` tells the reasons why jobs are late. That takes a second reading of
// the trace, so it is done by itself only where it is quick.
#pragma once

#include "../correlate/run/diagnosis.hpp"
#include "options.hpp"

namespace lttng_gpu::cli {

/// Named: the report says how to get them.
enum class ReasonsChoice : std::uint8_t { Left, Named, Told };

/// Before the first reading: false where none will be told.
bool may_tell_reasons(const Options& options);
/// For traces of files, after the first reading.
ReasonsChoice choose_reasons(const run::Outcome& outcome, const Options& options);

} // namespace lttng_gpu::cli
