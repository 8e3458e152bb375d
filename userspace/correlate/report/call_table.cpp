// SPDX-License-Identifier: MIT
//
// See call_table.hpp.
#include "call_table.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace lttng_gpu::report {

void CallTable::add(const model::Job& job, std::optional<Duration> waited,
                    std::optional<Duration> execution)
{
    const bool is_full = m_index.keys().size() >= most_calls;
    const std::uint32_t number = m_index.find_or_add(
        {*job.ring, is_full ? StringId{} : job.api_call, is_full ? StringId{} : job.debug_group});
    if (number == m_calls.size()) {
        m_calls.emplace_back();
    }
    Call& call = m_calls[number];
    ++call.count;
    call.failed += job.fault != model::Fault::None ? 1 : 0;
    call.bytes += job.bytes;
    if (job.bytes > 0 && execution) {
        call.timed_bytes += job.bytes;
        call.moving += execution->value();
    }
    const auto add_to = [&](LatencyDistribution*& distribution, std::optional<Duration> length) {
        if (length) {
            distribution = distribution != nullptr ? distribution : &m_budget.make();
            distribution->add(*length);
            m_budget.on_added(1);
        }
    };
    add_to(call.waited, waited);
    add_to(call.execution, execution);
}

std::vector<CallReport> CallTable::finish(const model::RingTable& rings) const
{
    struct Sum {
        CallReport call;
        LatencyDistribution waited;
        LatencyDistribution execution;
        std::uint64_t timed_bytes = 0;
        std::int64_t moving = 0;
    };
    std::map<std::array<std::string_view, 3>, Sum> sums;
    for (std::size_t number = 0; number < m_calls.size(); ++number) {
        const Key& key = m_index.keys()[number];
        const Call& call = m_calls[number];
        Sum& sum = sums[{rings.text(rings.at(key.ring).driver), rings.text(key.call),
                         rings.text(key.group)}];
        sum.call.count += call.count;
        sum.call.failed += call.failed;
        sum.call.bytes += call.bytes;
        sum.timed_bytes += call.timed_bytes;
        sum.moving += call.moving;
        if (call.waited != nullptr) {
            sum.waited.merge(*call.waited);
        }
        if (call.execution != nullptr) {
            sum.execution.merge(*call.execution);
        }
    }
    std::map<std::string_view, double> totals;
    std::vector<CallReport> calls;
    for (auto& [names, sum] : sums) {
        sum.call.driver = names[0];
        sum.call.call = names[1];
        sum.call.debug_group = names[2];
        sum.call.waited = sum.waited.summarise();
        sum.call.execution = sum.execution.summarise();
        if (sum.moving > 0) {
            constexpr double second = 1e9;
            sum.call.bytes_per_second =
                static_cast<double>(sum.timed_bytes) * second / static_cast<double>(sum.moving);
        }
        totals[names[0]] += static_cast<double>(sum.call.execution.sum);
        calls.push_back(std::move(sum.call));
    }
    for (CallReport& call : calls) {
        const double total = totals[call.driver];
        call.share = total > 0 ? static_cast<double>(call.execution.sum) / total : 0;
    }
    std::stable_sort(
        calls.begin(), calls.end(), [](const CallReport& left, const CallReport& right) {
            return std::tie(left.driver, right.execution.sum, right.count, left.call,
                            left.debug_group) < std::tie(right.driver, left.execution.sum,
                                                         left.count, right.call, right.debug_group);
        });
    return calls;
}

} // namespace lttng_gpu::report
