// SPDX-License-Identifier: MIT
//
// See graph.hpp.
#include "graph.hpp"

#include "error.hpp"
#include "upstream.hpp"

namespace lttng_gpu::trace {

Expected<std::unique_ptr<Bt2Graph>> Bt2Graph::open(const std::vector<TraceDirectory>& traces)
{
    std::vector<Input> inputs;
    inputs.reserve(traces.size());
    for (const TraceDirectory& trace : traces) {
        inputs.push_back({trace.path.string(), source_params({trace.path.string()})});
    }
    return make("fs", inputs);
}

Expected<std::unique_ptr<Bt2Graph>> Bt2Graph::open_live(const std::string& address)
{
    Bt2Params params;
    // A session that is not there is more likely a wrong address than one to wait for.
    params.set_texts("inputs", {address}).set_text("session-not-found-action", "fail");
    std::vector<Input> inputs;
    inputs.push_back({address, std::move(params)});
    return make("lttng-live", inputs);
}

Expected<std::unique_ptr<Bt2Graph>> Bt2Graph::make(const char* component,
                                                   const std::vector<Input>& inputs)
{
    auto merged = Bt2MergedGraph::create();
    if (!merged) {
        return Failure{merged.error()};
    }
    std::unique_ptr<Bt2Graph> graph{new Bt2Graph{std::move(*merged)}};
    for (const Input& input : inputs) {
        if (const auto added =
                graph->m_graph.add_source(component, input.name, input.params, input.name);
            !added) {
            return Failure{added.error()};
        }
    }
    if (const auto ended = graph->add_sink(); !ended) {
        return Failure{ended.error()};
    }
    return graph;
}

Expected<void> Bt2Graph::add_sink()
{
    const bt_component_sink* sink = nullptr;
    if (bt_graph_add_simple_sink_component(m_graph.get(), "pull", nullptr, &Bt2Graph::consume,
                                           nullptr, this,
                                           &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return bt2_failure(ErrorKind::UnreadableTrace, "cannot set up babeltrace2");
    }
    return m_graph.connect(m_graph.output(),
                           bt_component_sink_borrow_input_port_by_index_const(sink, 0));
}

Expected<Bt2Graph::State> Bt2Graph::pull()
{
    while (m_messages.empty()) {
        const auto step = m_graph.run_once("reading");
        if (!step) {
            return Failure{step.error()};
        }
        if (*step != Bt2MergedGraph::Step::Done) {
            return *step == Bt2MergedGraph::Step::End ? State::End : State::NothingYet;
        }
    }
    return State::Message;
}

Bt2MessageRef Bt2Graph::take()
{
    if (m_messages.empty()) {
        return {};
    }
    Bt2MessageRef message = std::move(m_messages.front());
    m_messages.pop_front();
    return message;
}

bt_graph_simple_sink_component_consume_func_status Bt2Graph::consume(bt_message_iterator* iterator,
                                                                     void* graph)
{
    auto& messages = static_cast<Bt2Graph*>(graph)->m_messages;
    switch (read_batch(iterator,
                       [&](Bt2MessageRef message) { messages.push_back(std::move(message)); })) {
    case Arrival::Messages:
        return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
    case Arrival::NotYet:
        return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
    case Arrival::End:
        return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
    case Arrival::Error:
        break;
    }
    return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
}

} // namespace lttng_gpu::trace
