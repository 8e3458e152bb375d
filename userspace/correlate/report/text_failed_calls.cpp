// SPDX-License-Identifier: MIT
//
// See text_failed_calls.hpp.
#include "text_failed_calls.hpp"

#include "../base/api_errors.hpp"

#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

std::string times(std::uint64_t count)
{
    return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
}

} // namespace

std::string failed_calls_text(const ApiCallReport& call)
{
    if (call.failed == 0) {
        return {};
    }
    std::string errors;
    std::uint64_t told = 0;
    for (const auto& [error, count] : call.errors) {
        errors += (errors.empty() ? "" : ", ") + error_text(call.name, error) +
                  (call.errors.size() > 1 ? " " + times(count) : "");
        told += count;
    }
    errors += told < call.failed ? ", others " + times(call.failed - told) : "";
    return fmt::format("{}: {} call{} failed: {}", call.name, call.failed,
                       call.failed == 1 ? "" : "s", errors);
}

} // namespace lttng_gpu::report
