// SPDX-License-Identifier: MIT
//
// See ring_numbers.hpp.
#include "ring_numbers.hpp"

#include <algorithm>
#include <limits>

namespace lttng_gpu::model {

std::vector<RingNumbers::MissingNumber> RingNumbers::note(std::uint64_t id, Timestamp time,
                                                          bool is_queued)
{
    ++m_noted;
    const bool is_first_again = id <= m_latest && id <= 1; // the driver was loaded again
    if (!m_has_any || id > m_latest + most_missing || is_first_again) {
        begin_count(id, time);
        return {};
    }
    if (is_queued && id + patience < m_latest) {
        ++m_returns;
        begin_count(id, time);
        return {};
    }
    if (id <= m_latest) {
        std::erase_if(m_awaited, [id](const Awaited& one) { return one.number.id == id; });
        return {};
    }
    for (std::uint64_t passed = m_latest + 1; passed < id; ++passed) {
        m_awaited.push_back({{passed, {m_time, time}}, m_noted, id - m_latest - 1 > most_at_once});
    }
    m_latest = id;
    m_time = time;
    return take(patience, false);
}

std::optional<TimeSpan> RingNumbers::take_awaited(std::uint64_t id)
{
    const auto found = std::find_if(m_awaited.begin(), m_awaited.end(),
                                    [id](const Awaited& one) { return one.number.id == id; });
    if (found == m_awaited.end()) {
        return {};
    }
    const TimeSpan when = found->number.when;
    m_awaited.erase(found);
    return when;
}

/// What was awaited before says nothing any more.
void RingNumbers::begin_count(std::uint64_t id, Timestamp time)
{
    m_has_skipped = m_has_any;
    m_has_any = true;
    m_first = id;
    m_since = time;
    m_latest = id;
    m_time = time;
    m_awaited.clear();
}

std::optional<TimeSpan> RingNumbers::continuous() const
{
    constexpr Timestamp before_all{std::numeric_limits<std::int64_t>::min()};
    if (!m_has_any || m_has_skipped) {
        return {};
    }
    return TimeSpan{m_first <= 1 ? before_all : m_since, m_time};
}

std::vector<RingNumbers::MissingNumber> RingNumbers::finish()
{
    return take(m_is_in_order ? 0 : patience_at_end, true);
}

/// Those after which so many others were noted.
std::vector<RingNumbers::MissingNumber> RingNumbers::take(std::uint64_t least_later,
                                                          bool is_finishing)
{
    std::vector<MissingNumber> missing;
    if (m_awaited.empty() || m_awaited.front().since + least_later > m_noted) {
        return missing;
    }
    std::erase_if(m_awaited, [&](const Awaited& one) {
        const bool is_old = one.since + least_later <= m_noted;
        const bool is_sure = !one.is_of_great_hole || (is_finishing && m_returns == 0);
        if (is_old && is_sure) {
            missing.push_back(one.number);
        }
        return is_old && is_sure;
    });
    return missing;
}

} // namespace lttng_gpu::model
