// SPDX-License-Identifier: MIT
//
// See counters.hpp.
#include "counters.hpp"

#include <algorithm>
#include <tuple>

namespace lttng_gpu::model {

void Counters::add(const Name& name, Timestamp time, std::int64_t value)
{
    auto place = std::ranges::find(m_counters, name, &Counter::name);
    if (place == m_counters.end()) {
        m_counters.push_back({name, 0, value, value, value, 0, time, time});
        place = m_counters.end() - 1;
    }
    Counter& counter = *place;
    counter.value_time +=
        static_cast<double>(counter.last) * static_cast<double>((time - counter.end).value());
    ++counter.count;
    counter.least = std::min(counter.least, value);
    counter.most = std::max(counter.most, value);
    counter.last = value;
    counter.end = time;
    if (m_sink != nullptr) {
        m_sink->on_counter(static_cast<std::size_t>(place - m_counters.begin()), name, time, value);
    }
}

std::vector<CounterAccount> Counters::accounts(const StringPool& strings) const
{
    std::vector<CounterAccount> accounts;
    for (const Counter& counter : m_counters) {
        const auto length = static_cast<double>((counter.end - counter.begin).value());
        accounts.push_back(
            {std::string{strings.at(counter.name.device)},
             std::string{strings.at(counter.name.name)}, std::string{strings.at(counter.name.unit)},
             counter.name.is_sampled, counter.count, counter.least, counter.most, counter.last,
             length > 0 ? counter.value_time / length : static_cast<double>(counter.last),
             counter.begin, counter.end});
    }
    std::ranges::stable_sort(accounts, {}, [](const CounterAccount& account) {
        return std::tie(account.device, account.name);
    });
    return accounts;
}

} // namespace lttng_gpu::model
