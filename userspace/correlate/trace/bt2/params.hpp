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
    Bt2Params() : m_map{bt_value_map_create()} {}

    Bt2Params& set_true(const char* key);
    Bt2Params& set_text(const char* key, const std::string& text);
    Bt2Params& set_texts(const char* key, const std::vector<std::string>& texts);

    /// Null when memory was short.
    const bt_value* get() const { return m_is_complete ? m_map.get() : nullptr; }

private:
    Bt2ValueRef m_map;
    bool m_is_complete = m_map != nullptr;
};

} // namespace lttng_gpu::trace
