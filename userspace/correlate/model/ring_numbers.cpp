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
    return x_latest > patience ? take_before(x_latest - patience) : std::vector<MissingNumber>{};
}

std::vector<RingNumbers::MissingNumber> RingNumbers::finish()
{
    return x_latest > patience_at_end ? take_before(x_latest - patience_at_end)
                                      : std::vector<MissingNumber>{};
}

std::vector<RingNumbers::MissingNumber> RingNumbers::take_before(std::uint64_t id)
{
    const auto first_awaited = std::find_if(x_awaited.begin(), x_awaited.end(),
                                            [id](const MissingNumber& one) { return one.id > id; });
    std::vector<MissingNumber> missing{x_awaited.begin(), first_awaited};
    x_awaited.erase(x_awaited.begin(), first_awaited);
    return missing;
}

} // namespace lttng_gpu::model
