// SPDX-License-Identifier: MIT
//
// See graph_parts.hpp.
#include "graph_parts.hpp"

#include "../../base/printable_text.hpp"

#include <algorithm>

namespace lttng_gpu::trace {

std::string take_error_text()
{
    const bt_error* error = bt_current_thread_take_error();
    if (error == nullptr) {
        return "unknown babeltrace2 error";
    }
    std::string text = "unknown babeltrace2 error";
    if (bt_error_get_cause_count(error) > 0) {
        text = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
    }
    bt_error_release(error);
    std::replace(text.begin(), text.end(), '\n', ' ');
    // What follows are the library's own object addresses, of no use to anyone.
    if (const std::size_t address = text.find("addr=0x"); address != std::string::npos) {
        text.resize(std::min(text.size(), text.rfind(": ", address)));
    }
    // ctf.fs says no more than this when it cannot parse the metadata.
    if (text.starts_with("Cannot create trace for")) {
        text = "its metadata is damaged";
    }
    constexpr std::size_t longest = 240;
    if (text.size() > longest) {
        text.resize(longest);
        text += "...";
    }
    return printable_text(text);
}

Expected<Bt2PluginRef> find_plugin(const char* name)
{
    const bt_plugin* plugin = nullptr;
    const auto status =
        bt_plugin_find(name, BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin);
    if (status != BT_PLUGIN_FIND_STATUS_OK) {
        bt_current_thread_clear_error();
        return Failure{{ErrorKind::UnreadableTrace,
                        std::string{"babeltrace2's plugin "} + name + " is not installed"}};
    }
    return Bt2PluginRef{plugin};
}

Bt2ValueRef make_source_params(const std::vector<std::filesystem::path>& paths,
                               const char* trace_name)
{
    bt_value* params = bt_value_map_create();
    bt_value* inputs = nullptr;
    bool is_complete =
        params != nullptr &&
        bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) ==
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
        // Traces of one machine share a clock; without this the muxer refuses
        // clocks whose origins it cannot compare.
        bt_value_map_insert_bool_entry(params, "force-clock-class-origin-unix-epoch", BT_TRUE) ==
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
    Bt2ValueRef owned{params};
    for (const std::filesystem::path& path : paths) {
        is_complete = is_complete && bt_value_array_append_string_element(inputs, path.c_str()) ==
                                         BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK;
    }
    if (is_complete && trace_name != nullptr) {
        is_complete = bt_value_map_insert_string_entry(params, "trace-name", trace_name) ==
                      BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
    }
    return is_complete ? std::move(owned) : Bt2ValueRef{};
}

} // namespace lttng_gpu::trace
