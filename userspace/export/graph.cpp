// SPDX-License-Identifier: MIT
//
// See graph.hpp. Version 0 of the message interchange protocol in any case: the sink is
// to write CTF 1.8, and what it reads is CTF 1.8.
#include "graph.hpp"

#include "../correlate/trace/bt2/graph_parts.hpp"

namespace lttng_gpu::exporting {
namespace {

using trace::bt2_log_level;
using trace::take_error_text;

Failure failure(ErrorKind kind, const std::string& context)
{
    return Failure{{kind, context + ": " + take_error_text()}};
}

bool insert_bool(bt_value* map, const char* key)
{
    return bt_value_map_insert_bool_entry(map, key, BT_TRUE) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
}

bool insert_text(bt_value* map, const char* key, const char* text)
{
    return bt_value_map_insert_string_entry(map, key, text) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
}

trace::Bt2ValueRef make_sink_params(const std::filesystem::path& output, bool is_single)
{
    bt_value* params = bt_value_map_create();
    trace::Bt2ValueRef owned{params};
    const bool knows_versions = bt_version_get_major() > 2 || bt_version_get_minor() >= 1;
    const bool is_complete = params != nullptr && insert_text(params, "path", output.c_str()) &&
                             insert_bool(params, "quiet") &&
                             (!is_single || insert_bool(params, "assume-single-trace")) &&
                             (!knows_versions || insert_text(params, "ctf-version", "1.8"));
    return is_complete ? std::move(owned) : trace::Bt2ValueRef{};
}

} // namespace

Expected<std::unique_ptr<ExportGraph>> ExportGraph::open(const InputPlan& plan, CopyWork& work,
                                                         const std::filesystem::path& output)
{
    bt_logging_set_global_level(bt2_log_level);
    std::unique_ptr<ExportGraph> graph{new ExportGraph};
    if (const auto built = graph->build(plan, work, output); !built) {
        return Failure{built.error()};
    }
    return graph;
}

Expected<void> ExportGraph::build(const InputPlan& plan, CopyWork& work,
                                  const std::filesystem::path& output)
{
    auto ctf = trace::find_plugin("ctf");
    auto utils = trace::find_plugin("utils");
    if (!ctf || !utils) {
        return Failure{ctf ? utils.error() : ctf.error()};
    }
    x_ctf = std::move(*ctf);
    x_utils = std::move(*utils);
    x_graph = bt_graph_create(0);
    x_owned_graph = trace::Bt2GraphRef{x_graph};
    const auto* muxer_class =
        bt_plugin_borrow_filter_component_class_by_name_const(x_utils.get(), "muxer");
    if (x_graph == nullptr || muxer_class == nullptr ||
        bt_graph_add_filter_component(x_graph, muxer_class, "muxer", nullptr, bt2_log_level,
                                      &x_muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return failure(ErrorKind::Output, "cannot set up babeltrace2");
    }
    for (std::size_t index = 0; index < plan.sources.size(); ++index) {
        if (auto added = add_source(plan.sources[index], index); !added) {
            return added;
        }
    }
    if (auto added = add_copy_filter(work); !added) {
        return added;
    }
    return add_sink(output, plan.groups.size() == 1);
}

Expected<void> ExportGraph::add_source(const InputSource& source, std::size_t index)
{
    const auto* source_class =
        bt_plugin_borrow_source_component_class_by_name_const(x_ctf.get(), "fs");
    const std::string name = std::to_string(index);
    const trace::Bt2ValueRef params = trace::make_source_params(source.readable, name.c_str());
    const bt_component_source* component = nullptr;
    if (source_class == nullptr || !params ||
        bt_graph_add_source_component(x_graph, source_class, ("source " + name).c_str(),
                                      params.get(), bt2_log_level,
                                      &component) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return failure(ErrorKind::UnreadableTrace,
                       "cannot read " + source.directories.front().path.string());
    }
    const std::uint64_t count = bt_component_source_get_output_port_count(component);
    for (std::uint64_t port = 0; port < count; ++port) {
        // The muxer adds a free input port whenever its last one is taken.
        auto connected = connect(
            bt_component_source_borrow_output_port_by_index_const(component, port),
            bt_component_filter_borrow_input_port_by_index_const(x_muxer, x_used_muxer_ports));
        if (!connected) {
            return connected;
        }
        ++x_used_muxer_ports;
    }
    return {};
}

Expected<void> ExportGraph::add_copy_filter(CopyWork& work)
{
    x_copy_class = make_copy_filter_class();
    if (!x_copy_class || bt_graph_add_filter_component_with_initialize_method_data(
                             x_graph, x_copy_class.get(), "copy", nullptr, &work, bt2_log_level,
                             &x_copy) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return failure(ErrorKind::Output, "cannot set up babeltrace2");
    }
    return connect(bt_component_filter_borrow_output_port_by_index_const(x_muxer, 0),
                   bt_component_filter_borrow_input_port_by_index_const(x_copy, 0));
}

Expected<void> ExportGraph::add_sink(const std::filesystem::path& output, bool is_single)
{
    const auto* sink_class = bt_plugin_borrow_sink_component_class_by_name_const(x_ctf.get(), "fs");
    const trace::Bt2ValueRef params = make_sink_params(output, is_single);
    const bt_component_sink* sink = nullptr;
    if (sink_class == nullptr || !params ||
        bt_graph_add_sink_component(x_graph, sink_class, "sink", params.get(), bt2_log_level,
                                    &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return failure(ErrorKind::Output, "cannot write " + output.string());
    }
    return connect(bt_component_filter_borrow_output_port_by_index_const(x_copy, 0),
                   bt_component_sink_borrow_input_port_by_index_const(sink, 0));
}

Expected<void> ExportGraph::connect(const bt_port_output* output, const bt_port_input* input)
{
    if (bt_graph_connect_ports(x_graph, output, input, nullptr) !=
        BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
        return failure(ErrorKind::UnreadableTrace, "cannot read the trace");
    }
    return {};
}

Expected<bool> ExportGraph::run_some()
{
    constexpr unsigned rounds = 16;
    for (unsigned round = 0; round < rounds; ++round) {
        switch (bt_graph_run_once(x_graph)) {
        case BT_GRAPH_RUN_ONCE_STATUS_OK:
        case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
            break;
        case BT_GRAPH_RUN_ONCE_STATUS_END:
            return false;
        default:
            return failure(ErrorKind::DamagedTrace, "copying stopped");
        }
    }
    return true;
}

} // namespace lttng_gpu::exporting
