// SPDX-License-Identifier: MIT
//
// See row_merge.hpp. Rows of the kernel's drivers keep their order among each
// other: intervals of one job belong together, whenever they began.
#include "row_merge.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void RowMerge::on_job(const Job& job)
{
    if (x_calls == nullptr) {
        x_before_calls += job.interval == 0 ? 1 : 0;
        x_next.on_job(job);
        return;
    }
    if (job.interval == 0) {
        x_last_kernel = std::max(x_last_kernel, first_time(job));
    }
    x_calls->announce(job, x_serial);
    x_kernel.push_back({x_last_kernel, x_serial++, job});
    bound();
}

void RowMerge::add(const Job& job)
{
    const Timestamp time = first_time(job);
    if (time < x_handed_on) {
        x_anomalies.count(Anomaly::RowOutOfOrder);
        x_next.on_job(job);
        return;
    }
    x_commands.push({time, x_serial++, job});
    bound();
}

void RowMerge::bound()
{
    while (x_kernel.size() + x_commands.size() > most_rows) {
        hand_on_first();
    }
}

Timestamp RowMerge::first() const
{
    const Timestamp never{INT64_MAX};
    return std::min(x_kernel.is_empty() ? never : x_kernel.front().time,
                    x_commands.empty() ? never : x_commands.top().time);
}

void RowMerge::hand_on_first()
{
    const bool is_command =
        x_kernel.is_empty() || (!x_commands.empty() && x_kernel.front() > x_commands.top());
    if (is_command) {
        x_handed_on = std::max(x_handed_on, x_commands.top().time);
        x_next.on_job(x_commands.top().job);
        x_commands.pop();
        return;
    }
    Job& job = x_kernel.front().job;
    const auto call = x_calls->name(job, x_kernel.front().serial);
    if (call) {
        job.debug_group = x_groups->find(*call);
    }
    if (job.api_call_basis != CallBasis::Unknown) {
        x_learned->on_job(x_calls->caller(), job);
    }
    x_frames->on_job(job, call);
    x_handed_on = std::max(x_handed_on, x_kernel.front().time);
    x_next.on_job(job);
    x_kernel.pop_front();
}

void RowMerge::release(Timestamp safe)
{
    while (!is_empty() && first() < safe) {
        hand_on_first();
    }
    const Timestamp handed_on = std::min(safe, is_empty() ? safe : first());
    x_calls->forget_before(handed_on);
    x_frames->release(handed_on);
}

std::optional<CallAccount> RowMerge::call_account() const
{
    if (x_calls == nullptr) {
        return {};
    }
    CallAccount account = x_calls->account();
    account.at(NoCall::ProcessWithout) += x_before_calls;
    return account;
}

void RowMerge::finish()
{
    if (x_calls != nullptr) {
        x_calls->finish();
    }
    while (!is_empty()) {
        hand_on_first();
    }
    if (x_frames != nullptr) {
        x_frames->finish();
    }
}

} // namespace lttng_gpu::model
