// SPDX-License-Identifier: MIT
//
// Parameters of a component, put together one after the other.
#pragma once

#include "ref.hpp"

#include <string>
#include <vector>

namespace lttng_gpu::trace {

class Bt2Params {
public:
    Bt2Params() : x_map{bt_value_map_create()} {}

    Bt2Params& set_true(const char* key);
    Bt2Params& set_text(const char* key, const std::string& text);
    Bt2Params& set_texts(const char* key, const std::vector<std::string>& texts);

    /// Null when memory was short.
    const bt_value* get() const { return x_is_complete ? x_map.get() : nullptr; }

private:
    Bt2ValueRef x_map;
    bool x_is_complete = x_map != nullptr;
};

} // namespace lttng_gpu::trace
