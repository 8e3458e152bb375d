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
    ++x_noted;
    const bool is_first_again = id <= x_latest && id <= 1; // the driver was loaded again
    if (!x_has_any || id > x_latest + most_missing || is_first_again) {
        begin_count(id, time);
        return {};
    }
    if (is_queued && id + patience < x_latest) {
        ++x_returns;
        begin_count(id, time);
        return {};
    }
    if (id <= x_latest) {
        std::erase_if(x_awaited, [id](const Awaited& one) { return one.number.id == id; });
        return {};
    }
    for (std::uint64_t passed = x_latest + 1; passed < id; ++passed) {
        x_awaited.push_back({{passed, {x_time, time}}, x_noted, id - x_latest - 1 > most_at_once});
    }
    x_latest = id;
    x_time = time;
    return take(patience, false);
}

std::optional<TimeSpan> RingNumbers::take_awaited(std::uint64_t id)
{
    const auto found = std::find_if(x_awaited.begin(), x_awaited.end(),
                                    [id](const Awaited& one) { return one.number.id == id; });
    if (found == x_awaited.end()) {
        return {};
    }
    const TimeSpan when = found->number.when;
    x_awaited.erase(found);
    return when;
}

/// What was awaited before says nothing any more.
void RingNumbers::begin_count(std::uint64_t id, Timestamp time)
{
    x_has_skipped = x_has_any;
    x_has_any = true;
    x_first = id;
    x_since = time;
    x_latest = id;
    x_time = time;
    x_awaited.clear();
}

std::optional<TimeSpan> RingNumbers::continuous() const
{
    constexpr Timestamp before_all{std::numeric_limits<std::int64_t>::min()};
    if (!x_has_any || x_has_skipped) {
        return {};
    }
    return TimeSpan{x_first <= 1 ? before_all : x_since, x_time};
}

std::vector<RingNumbers::MissingNumber> RingNumbers::finish()
{
    return take(x_is_in_order ? 0 : patience_at_end, true);
}

/// Those after which so many others were noted.
std::vector<RingNumbers::MissingNumber> RingNumbers::take(std::uint64_t least_later,
                                                          bool is_finishing)
{
    std::vector<MissingNumber> missing;
    if (x_awaited.empty() || x_awaited.front().since + least_later > x_noted) {
        return missing;
    }
    std::erase_if(x_awaited, [&](const Awaited& one) {
        const bool is_old = one.since + least_later <= x_noted;
        const bool is_sure = !one.is_of_great_hole || (is_finishing && x_returns == 0);
        if (is_old && is_sure) {
            missing.push_back(one.number);
        }
        return is_old && is_sure;
    });
    return missing;
}

} // namespace lttng_gpu::model
