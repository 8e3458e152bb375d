// SPDX-License-Identifier: MIT
//
// The part of the text report about jobs and the API calls that made them: how many name one, why
// the others do not, and what to record so that they would.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

/// With each cause; empty if no calls were recorded.
std::string call_account_lines(const Report& report);

/// In one line; empty if every job of a program whose calls were recorded names one, here and below
/// also if no calls were recorded.
std::string unnamed_jobs_text(const Report& report);

/// The options of record that would tell more of the jobs that a driver's thread queued, with which
/// calls they were submitted or executed; empty: none would, or there is no such job.
std::string call_advice(const Report& report);

} // namespace lttng_gpu::report
