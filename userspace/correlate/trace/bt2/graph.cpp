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

} // namespace

Expected<std::unique_ptr<Bt2Graph>> Bt2Graph::open(const std::vector<TraceDirectory>& traces)
{
    bt_logging_set_global_level(bt2_log_level);
    std::unique_ptr<Bt2Graph> graph{new Bt2Graph};
    if (const auto built = graph->build(traces); !built) {
        return Failure{built.error()};
    }
    return graph;
}

Expected<void> Bt2Graph::build(const std::vector<TraceDirectory>& traces)
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
    for (const TraceDirectory& trace : traces) {
        if (const auto added = add_source(trace); !added) {
            return added;
        }
    }
    return add_sink();
}

Expected<void> Bt2Graph::add_source(const TraceDirectory& trace)
{
    const auto* source_class =
        bt_plugin_borrow_source_component_class_by_name_const(x_ctf.get(), "fs");
    const Bt2ValueRef params = make_source_params({trace.path}, nullptr);
    const bt_component_source* source = nullptr;
    // The path is the component's name because names must differ in a graph.
    if (source_class == nullptr || !params ||
        bt_graph_add_source_component(x_graph, source_class, trace.path.c_str(), params.get(),
                                      bt2_log_level, &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return failure(ErrorKind::UnreadableTrace, "cannot read " + trace.path.string());
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

Expected<Bt2MessageRef> Bt2Graph::next()
{
    while (x_messages.empty()) {
        switch (bt_graph_run_once(x_graph)) {
        case BT_GRAPH_RUN_ONCE_STATUS_OK:
        case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
            break;
        case BT_GRAPH_RUN_ONCE_STATUS_END:
            return Bt2MessageRef{};
        default:
            return failure(ErrorKind::DamagedTrace, "reading stopped");
        }
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
