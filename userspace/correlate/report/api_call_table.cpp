// SPDX-License-Identifier: MIT
//
// See api_call_table.hpp.
#include "api_call_table.hpp"

#include <algorithm>
#include <tuple>

namespace lttng_gpu::report {
namespace {

/// Returns false when it is not known.
bool add(std::int64_t& sum, const KnownTime& begin, const KnownTime& end)
{
    if (!begin || !end) {
        return false;
    }
    sum += (*end - *begin).value();
    return true;
}

} // namespace

void ApiCallTable::add_call(const model::ReturnedCall& call)
{
    ApiCallReport& report = m_calls[call.name];
    ++report.count;
    report.time += (call.end - call.begin).value();
    if (call.on_cpu) {
        ++report.on_cpu_known;
        report.on_cpu_of += (call.end - call.begin).value();
        report.on_cpu += call.on_cpu->value();
    }
    if (call.error == 0) {
        return;
    }
    ++report.failed;
    if (report.errors.size() < most_errors || report.errors.contains(call.error)) {
        ++report.errors[call.error];
    }
}

void ApiCallTable::add_job(const model::Job& job)
{
    if (job.api_call == StringId{}) {
        return;
    }
    ApiCallReport& report = m_calls[job.api_call];
    CallJobs& jobs = job.called ? report.commands : report.jobs;
    ++jobs.count;
    const bool has_host = add(jobs.host_queue, job.queued, job.submitted);
    const bool has_device = add(jobs.device_queue, job.submitted, job.started);
    const bool has_execution = add(jobs.execution, job.started, job.completed);
    jobs.without_times += has_host && has_device && has_execution ? 0 : 1;
}

void ApiCallTable::add_learned(const model::CompletionNotice& end)
{
    ApiCallReport& report = m_calls[end.call];
    CallJobs& jobs = end.is_command ? report.commands : report.jobs;
    const std::int64_t after = (end.learned - end.completed).value();
    ++jobs.learned;
    jobs.learned_after += after;
    jobs.learned_after_max = std::max(jobs.learned_after_max, after);
}

std::vector<ApiCallReport> ApiCallTable::finish(const model::RingTable& texts) const
{
    std::vector<ApiCallReport> reports;
    for (const auto& [name, call] : m_calls) {
        ApiCallReport& report = reports.emplace_back(call);
        report.name = texts.text(name);
    }
    std::ranges::sort(reports, [](const ApiCallReport& left, const ApiCallReport& right) {
        return std::tie(right.time, left.name) < std::tie(left.time, right.name);
    });
    return reports;
}

} // namespace lttng_gpu::report
