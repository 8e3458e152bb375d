// SPDX-License-Identifier: MIT
//
// A babeltrace2 graph for a list of trace directories or for a session that is
// being recorded: one source.ctf.fs per directory or one source.ctf.lttng-live,
// one filter.utils.muxer, and a sink that lets us pull one message after the
// other. Knows messages, not events.
#pragma once

#include "../trace_discovery.hpp"
#include "merged_graph.hpp"

#include <deque>

namespace lttng_gpu::trace {

class Bt2Graph {
public:
    static Expected<std::unique_ptr<Bt2Graph>> open(const std::vector<TraceDirectory>& traces);
    /// The address of a relay daemon's session: net://HOST[:PORT]/host/TARGET/SESSION.
    static Expected<std::unique_ptr<Bt2Graph>> open_live(const std::string& address);

    Bt2Graph(const Bt2Graph&) = delete;
    Bt2Graph& operator=(const Bt2Graph&) = delete;
    ~Bt2Graph() = default;

    enum class State { Message, NothingYet, End };

    /// With a message: take() gives it, and those that came with it.
    Expected<State> pull();
    /// Empty when all messages that came have been taken.
    Bt2MessageRef take();

private:
    explicit Bt2Graph(Bt2MergedGraph graph) : m_graph{std::move(graph)} {}

    struct Input {
        std::string name;
        Bt2Params params;
    };

    static Expected<std::unique_ptr<Bt2Graph>> make(const char* component,
                                                    const std::vector<Input>& inputs);
    Expected<void> add_sink();
    static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator* iterator,
                                                                      void* graph);

    Bt2MergedGraph m_graph;
    std::deque<Bt2MessageRef> m_messages; // must go before the graph
};

} // namespace lttng_gpu::trace
