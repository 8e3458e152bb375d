// SPDX-License-Identifier: MIT
//
// See graph.hpp. The library's own log is off.
#include "graph.hpp"

#include "graph_parts.hpp"

namespace lttng_gpu::trace {
namespace {

Failure failure(ErrorKind kind, const std::string& context)
{
    return Failure{{kind, context + ": " + take_error_text()}};
}

/// Of source.ctf.lttng-live. Empty when memory is short.
Bt2ValueRef make_live_params(const std::string& address)
{
    bt_value* params = bt_value_map_create();
    bt_value* inputs = nullptr;
    const bool is_complete =
        params != nullptr &&
        bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) ==
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
        bt_value_array_append_string_element(inputs, address.c_str()) ==
            BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
        // A session that is not there is more likely a wrong address than one to wait for.
        bt_value_map_insert_string_entry(params, "session-not-found-action", "fail") ==
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
    Bt2ValueRef owned{params};
    return is_complete ? std::move(owned) : Bt2ValueRef{};
}

} // namespace

Expected<std::unique_ptr<Bt2Graph>> Bt2Graph::open(const std::vector<TraceDirectory>& traces)
{
    bt_logging_set_global_level(bt2_log_level);
    std::unique_ptr<Bt2Graph> graph{new Bt2Graph};
    if (const auto begun = graph->begin(); !begun) {
        return Failure{begun.error()};
    }
    for (const TraceDirectory& trace : traces) {
        const std::string path = trace.path.string();
        if (const auto added =
                graph->add_source("fs", path, make_source_params({trace.path}, nullptr).get());
            !added) {
            return Failure{added.error()};
        }
    }
    if (const auto ended = graph->add_sink(); !ended) {
        return Failure{ended.error()};
    }
    return graph;
}

Expected<std::unique_ptr<Bt2Graph>> Bt2Graph::open_live(const std::string& address)
{
    bt_logging_set_global_level(bt2_log_level);
    std::unique_ptr<Bt2Graph> graph{new Bt2Graph};
    if (const auto begun = graph->begin(); !begun) {
        return Failure{begun.error()};
    }
    if (const auto added =
            graph->add_source("lttng-live", address, make_live_params(address).get());
        !added) {
        return Failure{added.error()};
    }
    if (const auto ended = graph->add_sink(); !ended) {
        return Failure{ended.error()};
    }
    return graph;
}

Expected<void> Bt2Graph::begin()
{
    auto ctf = find_plugin("ctf");
    auto utils = find_plugin("utils");
    if (!ctf || !utils) {
        return Failure{ctf ? utils.error() : ctf.error()};
    }
    x_ctf = std::move(*ctf);
    x_utils = std::move(*utils);
    x_graph = bt_graph_create(0);
    x_owned_graph = Bt2GraphRef{x_graph};
    const auto* muxer_class =
        bt_plugin_borrow_filter_component_class_by_name_const(x_utils.get(), "muxer");
    if (x_graph == nullptr || muxer_class == nullptr ||
        bt_graph_add_filter_component(x_graph, muxer_class, "muxer", nullptr, bt2_log_level,
                                      &x_muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return failure(ErrorKind::UnreadableTrace, "cannot set up babeltrace2");
    }
    return {};
}

Expected<void> Bt2Graph::add_source(const char* component, const std::string& input,
                                    const bt_value* params)
{
    const auto* source_class =
        bt_plugin_borrow_source_component_class_by_name_const(x_ctf.get(), component);
    const bt_component_source* source = nullptr;
    // The input is the component's name because names must differ in a graph.
    if (source_class == nullptr || params == nullptr ||
        bt_graph_add_source_component(x_graph, source_class, input.c_str(), params, bt2_log_level,
                                      &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return failure(ErrorKind::UnreadableTrace, "cannot read " + input);
    }
    const std::uint64_t count = bt_component_source_get_output_port_count(source);
    for (std::uint64_t index = 0; index < count; ++index) {
        const auto connected =
            connect(bt_component_source_borrow_output_port_by_index_const(source, index));
        if (!connected) {
            return connected;
        }
    }
    return {};
}

Expected<void> Bt2Graph::connect(const bt_port_output* output)
{
    // The muxer adds a free input port whenever its last one is taken.
    const auto* input =
        bt_component_filter_borrow_input_port_by_index_const(x_muxer, x_used_muxer_ports);
    ++x_used_muxer_ports;
    if (bt_graph_connect_ports(x_graph, output, input, nullptr) !=
        BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
        return failure(ErrorKind::UnreadableTrace, "cannot read the trace");
    }
    return {};
}

Expected<void> Bt2Graph::add_sink()
{
    const bt_component_sink* sink = nullptr;
    if (bt_graph_add_simple_sink_component(x_graph, "pull", nullptr, &Bt2Graph::consume, nullptr,
                                           this, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return failure(ErrorKind::UnreadableTrace, "cannot set up babeltrace2");
    }
    const auto* output = bt_component_filter_borrow_output_port_by_index_const(x_muxer, 0);
    const auto* input = bt_component_sink_borrow_input_port_by_index_const(sink, 0);
    if (bt_graph_connect_ports(x_graph, output, input, nullptr) !=
        BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
        return failure(ErrorKind::UnreadableTrace, "cannot set up babeltrace2");
    }
    return {};
}

Expected<Bt2Graph::State> Bt2Graph::pull()
{
    while (x_messages.empty()) {
        switch (bt_graph_run_once(x_graph)) {
        case BT_GRAPH_RUN_ONCE_STATUS_OK:
            break;
        case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
            return State::NothingYet;
        case BT_GRAPH_RUN_ONCE_STATUS_END:
            return State::End;
        default:
            return failure(ErrorKind::DamagedTrace, "reading stopped");
        }
    }
    return State::Message;
}

Bt2MessageRef Bt2Graph::take()
{
    if (x_messages.empty()) {
        return {};
    }
    Bt2MessageRef message = std::move(x_messages.front());
    x_messages.pop_front();
    return message;
}

bt_graph_simple_sink_component_consume_func_status Bt2Graph::consume(bt_message_iterator* iterator,
                                                                     void* graph)
{
    bt_message_array_const messages = nullptr;
    std::uint64_t count = 0;
    switch (bt_message_iterator_next(iterator, &messages, &count)) {
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
        for (std::uint64_t index = 0; index < count; ++index) {
            static_cast<Bt2Graph*>(graph)->x_messages.emplace_back(messages[index]);
        }
        return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
        return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
        return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
        return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_MEMORY_ERROR;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR:
        break;
    }
    return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
}

} // namespace lttng_gpu::trace
