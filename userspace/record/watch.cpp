// SPDX-License-Identifier: MIT
//
// See watch.hpp.
#include "watch.hpp"

#include <algorithm>

namespace lttng_gpu::record {
namespace {

using Clock = std::chrono::steady_clock;

std::chrono::milliseconds rounded(Clock::duration duration)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration);
}

} // namespace

std::vector<LateJob> Watch::look()
{
    const auto begin = Clock::now();
    const auto found = take();
    const auto length = rounded(Clock::now() - begin);
    x_next = Clock::now() + std::max(least_pause, length);
    ++x_account.looks;
    x_account.total += length;
    x_account.longest = std::max(x_account.longest, length);
    if (!found) {
        ++x_account.failures;
        x_account.failure = found.error().message;
        return {};
    }
    if (x_end && found->begin && *found->begin > *x_end) {
        ++x_account.gaps;
    }
    auto late = select(*found);
    x_end = found->end ? found->end : x_end;
    return late;
}

std::chrono::milliseconds Watch::time_to_next() const
{
    return std::max(rounded(x_next - Clock::now()), std::chrono::milliseconds{0});
}

Expected<LateJobs> Watch::take()
{
    // Not shown: it happens several times a second, and is said once when watching begins.
    const auto taken =
        x_tool.ask({"lttng", "--no-sessiond", "snapshot", "record", "--session=" + x_session});
    if (!taken) {
        return Failure{taken.error()};
    }
    if (taken->code != 0) {
        return failed("lttng snapshot record: " + taken->last_error_line());
    }
    auto found = find_late_jobs(x_folder, x_limit);
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{x_folder, ignored}) {
        std::filesystem::remove_all(entry.path(), ignored);
    }
    return found;
}

std::vector<LateJob> Watch::select(const LateJobs& found)
{
    std::vector<LateJob> late;
    std::set<JobIdentity> told;
    std::set<JobIdentity> waiting;
    for (const LateJob& job : found.jobs) {
        const bool is_told = x_told.count(job.identity) != 0;
        if (!job.submitted) {
            waiting.insert(job.identity);
            // A snapshot takes one CPU's events after the other's, so that a submission may be
            // missing whose job is there. If the next one does not have it either, there was none.
            if (!is_told && x_waiting.count(job.identity) == 0) {
                continue;
            }
        }
        told.insert(job.identity);
        if (!is_told) {
            late.push_back(job);
        }
    }
    x_told = std::move(told);
    x_waiting = std::move(waiting);
    return late;
}

} // namespace lttng_gpu::record
