// SPDX-License-Identifier: MIT
//
// The pieces of a page's data, each deflated. The page asks for them by their numbers: from its own
// text, or from the server.
#pragma once

#include "packed.hpp"

#include <vector>

namespace lttng_gpu::view {

class Blobs {
public:
    std::uint32_t add(std::string_view bytes)
    {
        x_all.push_back(deflated(bytes));
        return static_cast<std::uint32_t>(x_all.size() - 1);
    }
    const std::vector<std::string>& all() const { return x_all; }

private:
    std::vector<std::string> x_all;
};

} // namespace lttng_gpu::view
