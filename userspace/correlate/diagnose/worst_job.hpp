// SPDX-License-Identifier: MIT
//
// The first line of a report: the job that took longest, and what most of that was.
#pragma once

#include "../report/report.hpp"
#include "diagnosis_writer.hpp"

namespace lttng_gpu::diagnose {

/// Of these diagnoses the first. Nothing if there is none. The command is not filled in.
std::optional<report::WorstJob> worst_job(const std::vector<Diagnosis>& worst_first,
                                          const model::RingTable& rings);

} // namespace lttng_gpu::diagnose
