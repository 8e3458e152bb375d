// SPDX-License-Identifier: MIT
//
// What `lttng-gpu diagnose` reads and writes; exit codes are commands.cpp's.
#pragma once

#include "../correlate/run/diagnosis.hpp"
#include "options.hpp"

namespace lttng_gpu::cli {

Expected<run::TraceDiagnosis> make_diagnosis(const Options& options,
                                             const trace::ReadOptions& read);
/// `screen`: of text.
void write_diagnosis(const run::TraceDiagnosis& made, report::Format format,
                     const report::Screen& screen, report::Output& output);

} // namespace lttng_gpu::cli
