// SPDX-License-Identifier: MIT
//
// A babeltrace2 graph for a list of trace directories: one source.ctf.fs per
// directory, one filter.utils.muxer, and a sink that lets us pull one message
// after the other. Knows messages, not events.
#pragma once

#include "../trace_discovery.hpp"
#include "ref.hpp"

#include <deque>
#include <memory>

namespace lttng_gpu::trace {

class Bt2Graph {
public:
    static Expected<std::unique_ptr<Bt2Graph>> open(const std::vector<TraceDirectory>& traces);

    Bt2Graph(const Bt2Graph&) = delete;
    Bt2Graph& operator=(const Bt2Graph&) = delete;
    ~Bt2Graph() = default;

    /// The next message; an empty reference at the end.
    Expected<Bt2MessageRef> next();

private:
    Bt2Graph() = default;

    Expected<void> build(const std::vector<TraceDirectory>& traces);
    Expected<void> add_source(const TraceDirectory& trace);
    Expected<void> connect(const bt_port_output* output);
    Expected<void> add_sink();
    static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator* iterator,
                                                                      void* graph);

    Bt2PluginRef x_ctf;
    Bt2PluginRef x_utils;
    std::deque<Bt2MessageRef> x_messages; // must go before the graph
    bt_graph* x_graph = nullptr;          // borrowed from x_owned_graph
    const bt_component_filter* x_muxer = nullptr;
    std::uint64_t x_used_muxer_ports = 0;
    Bt2GraphRef x_owned_graph;
};

} // namespace lttng_gpu::trace
