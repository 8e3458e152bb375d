// SPDX-License-Identifier: MIT
//
// See wanted_pattern.hpp.
#include "wanted_pattern.hpp"

#include <fnmatch.h>

namespace lttng_gpu::trace {

std::optional<std::size_t> find_pattern(const std::vector<WantedEvent>& wanted,
                                        std::string_view event)
{
    const std::string name{event};
    for (std::size_t index = 0; index < wanted.size() && !name.empty(); ++index) {
        const std::string& pattern = wanted[index].name;
        if (pattern.find('*') != std::string::npos &&
            fnmatch(pattern.c_str(), name.c_str(), 0) == 0) {
            return index;
        }
    }
    return {};
}

} // namespace lttng_gpu::trace
