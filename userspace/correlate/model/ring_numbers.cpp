// SPDX-License-Identifier: MIT
//
// See ring_numbers.hpp.
#include "ring_numbers.hpp"

#include <algorithm>

namespace lttng_gpu::model {

std::vector<RingNumbers::MissingNumber> RingNumbers::note(std::uint64_t id, Timestamp time)
{
    const bool is_new_count = !x_has_any || id > x_latest + most_missing ||
                              id + most_missing < x_latest || (id <= x_latest && id <= 1);
    if (is_new_count) {
        x_has_any = true;
        x_latest = id;
        x_time = time;
        x_awaited.clear();
        return {};
    }
    if (id <= x_latest) {
        std::erase_if(x_awaited, [id](const MissingNumber& one) { return one.id == id; });
        return {};
    }
    for (std::uint64_t passed = x_latest + 1; passed < id; ++passed) {
        x_awaited.push_back({passed, {x_time, time}});
    }
    x_latest = id;
    x_time = time;
    const auto first_awaited =
        std::find_if(x_awaited.begin(), x_awaited.end(),
                     [&](const MissingNumber& one) { return one.id + patience > x_latest; });
    std::vector<MissingNumber> missing{x_awaited.begin(), first_awaited};
    x_awaited.erase(x_awaited.begin(), first_awaited);
    return missing;
}

} // namespace lttng_gpu::model
