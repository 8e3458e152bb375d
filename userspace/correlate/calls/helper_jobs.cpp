// SPDX-License-Identifier: MIT
//
// See helper_jobs.hpp.
#include "helper_jobs.hpp"

#include <algorithm>

namespace lttng_gpu::model {

HelperJobs::Helper* HelperJobs::find_or_add(std::int64_t helper)
{
    if (m_helpers.size() >= most_helpers && !m_helpers.contains(helper)) {
        return nullptr;
    }
    return &m_helpers[helper];
}

void HelperJobs::add_ioctl(std::int64_t number, Timestamp begin, Timestamp end)
{
    Helper* const helper = find_or_add(number);
    if (helper == nullptr || (!helper->ioctls.empty() && begin < helper->ioctls.back().end)) {
        return;
    }
    if (helper->ioctls.size() == most_events) {
        helper->ioctls.pop_front();
    }
    helper->ioctls.push_back({begin, end});
}

void HelperJobs::add_job(std::int64_t number, std::uint64_t context, Timestamp queued)
{
    Helper* const helper = find_or_add(number);
    if (helper == nullptr) {
        return;
    }
    if (helper->jobs.size() == most_events) {
        helper->jobs.pop_front();
    }
    // Rows come in order, but for few.
    const auto place = std::ranges::upper_bound(helper->jobs, queued, {}, &Made::queued);
    helper->jobs.insert(place, {queued, context});
}

const HelperJobs::Ioctl* HelperJobs::ioctl_at(const Helper& helper, Timestamp time)
{
    const auto after = std::ranges::upper_bound(helper.ioctls, time, {}, &Ioctl::begin);
    return after != helper.ioctls.begin() && time <= std::prev(after)->end ? &*std::prev(after)
                                                                           : nullptr;
}

void HelperJobs::describe(SubmitJob& job, std::int64_t number, std::uint64_t context,
                          Timestamp horizon) const
{
    job.asked = job.queued;
    const auto found = m_helpers.find(number);
    if (found == m_helpers.end()) {
        return;
    }
    const Helper& helper = found->second;
    if (const Ioctl* const ioctl = ioctl_at(helper, job.queued)) {
        job.asked = ioctl->begin;
    }
    const auto place = std::ranges::lower_bound(helper.jobs, job.queued, {}, &Made::queued);
    if (place != helper.jobs.begin()) {
        const Timestamp before = std::prev(place)->queued;
        const Ioctl* const ioctl = ioctl_at(helper, before);
        // Two jobs of one ioctl: it was taken before that.
        job.free = ioctl != nullptr && ioctl->end <= job.asked ? ioctl->end : before;
        job.free = std::min(*job.free, job.asked);
    }
    const auto next = std::ranges::upper_bound(helper.jobs, job.queued, {}, &Made::queued);
    job.is_followed =
        next != helper.jobs.end() && next->queued < horizon ? next->context == context : false;
}

void HelperJobs::forget_before(Timestamp time)
{
    constexpr Duration longest{1'000'000'000};
    for (auto& [number, helper] : m_helpers) {
        while (!helper.ioctls.empty() && helper.ioctls.front().end + longest < time) {
            helper.ioctls.pop_front();
        }
        while (helper.jobs.size() > 1 && helper.jobs[1].queued + longest < time) {
            helper.jobs.pop_front();
        }
    }
}

} // namespace lttng_gpu::model
