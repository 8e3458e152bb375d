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
    m_next = Clock::now() + std::max(least_pause, length);
    ++m_account.looks;
    m_account.total += length;
    m_account.longest = std::max(m_account.longest, length);
    if (!found) {
        ++m_account.failures;
        m_account.failure = found.error().message;
        return {};
    }
    if (m_end && found->begin && *found->begin > *m_end) {
        ++m_account.gaps;
    }
    auto late = select(*found);
    m_end = found->end ? found->end : m_end;
    return late;
}

std::chrono::milliseconds Watch::time_to_next() const
{
    return std::max(rounded(m_next - Clock::now()), std::chrono::milliseconds{0});
}

Expected<LateJobs> Watch::take()
{
    // Not shown: it happens several times a second, and is said once when watching begins.
    const auto taken =
        m_tool.ask({"lttng", "--no-sessiond", "snapshot", "record", "--session=" + m_session});
    if (!taken) {
        return Failure{taken.error()};
    }
    if (taken->code != 0) {
        return failed("lttng snapshot record: " + taken->last_error_line());
    }
    auto found = find_late_jobs(m_folder, m_limit);
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator{m_folder, ignored}) {
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
        const bool is_told = m_told.count(job.identity) != 0;
        if (!job.submitted) {
            waiting.insert(job.identity);
            // A snapshot takes one CPU's events after the other's, so that a submission may be
            // missing whose job is there. If the next one does not have it either, there was none.
            if (!is_told && m_waiting.count(job.identity) == 0) {
                continue;
            }
        }
        told.insert(job.identity);
        if (!is_told) {
            late.push_back(job);
        }
    }
    m_told = std::move(told);
    m_waiting = std::move(waiting);
    return late;
}

} // namespace lttng_gpu::record
