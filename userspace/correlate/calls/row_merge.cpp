// SPDX-License-Identifier: MIT
//
// See row_merge.hpp. Rows of the kernel's drivers keep their order among each
// other: intervals of one job belong together, whenever they began.
#include "row_merge.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void RowMerge::on_job(const Job& job)
{
    if (m_calls == nullptr) {
        m_before_calls += job.interval == 0 ? 1 : 0;
        m_next.on_job(job);
        return;
    }
    if (job.interval == 0) {
        m_last_kernel = std::max(m_last_kernel, first_time(job));
    }
    m_calls->announce(job, m_serial);
    m_kernel.push_back({m_last_kernel, m_serial++, job});
    bound();
}

void RowMerge::add(const Job& job)
{
    const Timestamp time = first_time(job);
    if (time < m_handed_on) {
        m_anomalies.count(Anomaly::RowOutOfOrder);
        m_next.on_job(job);
        return;
    }
    m_commands.push({time, m_serial++, job});
    bound();
}

void RowMerge::bound()
{
    while (m_kernel.size() + m_commands.size() > most_rows) {
        hand_on_first();
    }
}

Timestamp RowMerge::first() const
{
    const Timestamp never{INT64_MAX};
    return std::min(m_kernel.is_empty() ? never : m_kernel.front().time,
                    m_commands.empty() ? never : m_commands.top().time);
}

void RowMerge::hand_on_first()
{
    const bool is_command =
        m_kernel.is_empty() || (!m_commands.empty() && m_kernel.front() > m_commands.top());
    if (is_command) {
        m_handed_on = std::max(m_handed_on, m_commands.top().time);
        m_next.on_job(m_commands.top().job);
        m_commands.pop();
        return;
    }
    Job& job = m_kernel.front().job;
    const auto call = m_calls->name(job, m_kernel.front().serial);
    if (call) {
        job.debug_group = m_groups->find(*call);
    }
    if (job.api_call_basis != CallBasis::Unknown) {
        m_learned->on_job(m_calls->caller(), job);
    }
    m_frames->on_job(job, call);
    m_handed_on = std::max(m_handed_on, m_kernel.front().time);
    m_next.on_job(job);
    m_kernel.pop_front();
}

void RowMerge::release(Timestamp safe)
{
    while (!is_empty() && first() < safe) {
        hand_on_first();
    }
    const Timestamp handed_on = std::min(safe, is_empty() ? safe : first());
    m_calls->forget_before(handed_on);
    m_frames->release(handed_on);
}

std::optional<CallAccount> RowMerge::call_account() const
{
    if (m_calls == nullptr) {
        return {};
    }
    CallAccount account = m_calls->account();
    account.at(NoCall::ProcessWithout) += m_before_calls;
    return account;
}

void RowMerge::finish()
{
    if (m_calls != nullptr) {
        m_calls->finish();
    }
    while (!is_empty()) {
        hand_on_first();
    }
    if (m_frames != nullptr) {
        m_frames->finish();
    }
}

} // namespace lttng_gpu::model
