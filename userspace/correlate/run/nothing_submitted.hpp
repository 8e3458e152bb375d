// SPDX-License-Identifier: MIT
//
// What is said of a trace without any job: what was seen of APIs and drivers, and what to do.
#pragma once

#include "../report/report.hpp"
#include "../report/screen.hpp"
#include "../trace/recorder.hpp"
#include "pipeline.hpp"

namespace lttng_gpu::run {

std::string nothing_submitted_text(const Outcome& outcome, const report::Report& report,
                                   trace::Recorder recorder, const report::Screen& screen);

} // namespace lttng_gpu::run
