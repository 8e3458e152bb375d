// SPDX-License-Identifier: MIT
//
// The words that machine-readable rows of jobs use; every sink the same ones.
#pragma once

#include "../jobs/job.hpp"

#include <string>
#include <string_view>

namespace lttng_gpu::report {

std::string_view basis_text(model::Basis basis);
std::string_view status_text(const model::Job& job);
/// Empty where no call is known.
std::string_view call_basis_text(model::CallBasis basis);
/// Empty for none.
std::string_view fault_text(model::Fault fault);

/// glFlush in "shadow pass"
std::string call_words(const std::string& call, const std::string& debug_group);

} // namespace lttng_gpu::report
