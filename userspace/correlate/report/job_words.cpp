// SPDX-License-Identifier: MIT
//
// See job_words.hpp.
#include "job_words.hpp"

namespace lttng_gpu::report {

std::string_view basis_text(model::Basis basis)
{
    switch (basis) {
    case model::Basis::Observed:
        return "observed";
    case model::Basis::Inferred:
        return "inferred";
    case model::Basis::Unknown:
        break;
    }
    return "unknown";
}

std::string_view status_text(const model::Job& job)
{
    if (job.ending != model::Ending::Normal) {
        return job.ending == model::Ending::Lost ? "lost" : "preempted";
    }
    return status_of(job) == model::JobStatus::Complete ? "complete" : "incomplete";
}

std::string_view fault_text(model::Fault fault)
{
    switch (fault) {
    case model::Fault::TimedOut:
        return "timed_out";
    case model::Fault::Error:
        return "error";
    case model::Fault::Banned:
        return "banned";
    case model::Fault::None:
        break;
    }
    return {};
}

std::string_view call_basis_text(model::CallBasis basis)
{
    switch (basis) {
    case model::CallBasis::SameThread:
        return "same_thread";
    case model::CallBasis::HelperThread:
        return "helper_thread";
    case model::CallBasis::OnlyCommand:
        return "only_command";
    case model::CallBasis::Estimated:
        return "estimated";
    case model::CallBasis::Unknown:
        break;
    }
    return {};
}

std::string call_words(const std::string& call, const std::string& debug_group)
{
    return debug_group.empty() ? call : call + " in \"" + debug_group + "\"";
}

} // namespace lttng_gpu::report
