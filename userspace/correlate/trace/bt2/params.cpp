// SPDX-License-Identifier: MIT
//
// See params.hpp.
#include "params.hpp"

namespace lttng_gpu::trace {

Bt2Params& Bt2Params::set_true(const char* key)
{
    m_is_complete = m_is_complete && bt_value_map_insert_bool_entry(m_map.get(), key, BT_TRUE) ==
                                         BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
    return *this;
}

Bt2Params& Bt2Params::set_text(const char* key, const std::string& text)
{
    m_is_complete =
        m_is_complete && bt_value_map_insert_string_entry(m_map.get(), key, text.c_str()) ==
                             BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
    return *this;
}

Bt2Params& Bt2Params::set_texts(const char* key, const std::vector<std::string>& texts)
{
    bt_value* array = nullptr;
    m_is_complete =
        m_is_complete && bt_value_map_insert_empty_array_entry(m_map.get(), key, &array) ==
                             BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
    for (const std::string& text : texts) {
        m_is_complete =
            m_is_complete && bt_value_array_append_string_element(array, text.c_str()) ==
                                 BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK;
    }
    return *this;
}

} // namespace lttng_gpu::trace
