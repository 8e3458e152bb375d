// SPDX-License-Identifier: MIT
//
// See merged_graph.hpp.
#include "merged_graph.hpp"

#include "error.hpp"

namespace lttng_gpu::trace {
namespace {

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

} // namespace

Bt2Params source_params(const std::vector<std::string>& paths)
{
    Bt2Params params;
    // Traces of one machine share a clock; without this the muxer refuses clocks whose origins
    // it cannot compare.
    params.set_texts("inputs", paths).set_true("force-clock-class-origin-unix-epoch");
    return params;
}

Expected<Bt2MergedGraph> Bt2MergedGraph::create()
{
    bt_logging_set_global_level(bt2_log_level);
    auto ctf = find_plugin("ctf");
    auto utils = find_plugin("utils");
    if (!ctf || !utils) {
        return Failure{ctf ? utils.error() : ctf.error()};
    }
    Bt2MergedGraph made;
    made.m_ctf = std::move(*ctf);
    made.m_utils = std::move(*utils);
    made.m_graph.reset(bt_graph_create(0));
    const auto* muxer_class =
        bt_plugin_borrow_filter_component_class_by_name_const(made.m_utils.get(), "muxer");
    if (!made.m_graph || muxer_class == nullptr ||
        bt_graph_add_filter_component(made.m_graph.get(), muxer_class, "muxer", nullptr,
                                      bt2_log_level,
                                      &made.m_muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return bt2_failure(ErrorKind::UnreadableTrace, "cannot set up babeltrace2");
    }
    return made;
}

Expected<void> Bt2MergedGraph::add_source(const char* component, const std::string& name,
                                          const Bt2Params& params, const std::string& input)
{
    const auto* source_class =
        bt_plugin_borrow_source_component_class_by_name_const(m_ctf.get(), component);
    const bt_component_source* source = nullptr;
    if (source_class == nullptr || params.get() == nullptr ||
        bt_graph_add_source_component(m_graph.get(), source_class, name.c_str(), params.get(),
                                      bt2_log_level, &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return bt2_failure(ErrorKind::UnreadableTrace, "cannot read " + input);
    }
    const std::uint64_t count = bt_component_source_get_output_port_count(source);
    for (std::uint64_t index = 0; index < count; ++index) {
        // The muxer adds a free input port whenever its last one is taken.
        auto connected = connect(
            bt_component_source_borrow_output_port_by_index_const(source, index),
            bt_component_filter_borrow_input_port_by_index_const(m_muxer, m_used_muxer_ports++));
        if (!connected) {
            return connected;
        }
    }
    return {};
}

Expected<void> Bt2MergedGraph::connect(const bt_port_output* output, const bt_port_input* input)
{
    if (bt_graph_connect_ports(m_graph.get(), output, input, nullptr) !=
        BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
        return bt2_failure(ErrorKind::UnreadableTrace, "cannot read the trace");
    }
    return {};
}

Expected<Bt2MergedGraph::Step> Bt2MergedGraph::run_once(const char* what)
{
    switch (bt_graph_run_once(m_graph.get())) {
    case BT_GRAPH_RUN_ONCE_STATUS_OK:
        return Step::Done;
    case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
        return Step::NothingYet;
    case BT_GRAPH_RUN_ONCE_STATUS_END:
        return Step::End;
    default:
        return bt2_failure(ErrorKind::DamagedTrace, std::string{what} + " stopped");
    }
}

const bt_port_output* Bt2MergedGraph::output() const
{
    return bt_component_filter_borrow_output_port_by_index_const(m_muxer, 0);
}

} // namespace lttng_gpu::trace
