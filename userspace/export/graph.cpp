// SPDX-License-Identifier: MIT
//
// See graph.hpp. Version 0 of the message interchange protocol in any case: the sink is
// to write CTF 1.8, and what it reads is CTF 1.8.
#include "graph.hpp"

#include "../correlate/trace/bt2/error.hpp"
#include "../correlate/trace/bt2/mip.hpp"

namespace lttng_gpu::exporting {
namespace {

using trace::bt2_failure;
using trace::bt2_log_level;

trace::Bt2Params sink_params(const std::filesystem::path& output, bool is_single)
{
    trace::Bt2Params params;
    params.set_text("path", output).set_true("quiet");
    if (is_single) {
        params.set_true("assume-single-trace");
    }
    if (trace::knows_ctf2()) {
        params.set_text("ctf-version", "1.8");
    }
    return params;
}

} // namespace

Expected<std::unique_ptr<ExportGraph>> ExportGraph::open(const InputPlan& plan, CopyWork& work,
                                                         const std::filesystem::path& output)
{
    auto merged = trace::Bt2MergedGraph::create();
    if (!merged) {
        return Failure{merged.error()};
    }
    std::unique_ptr<ExportGraph> graph{new ExportGraph{std::move(*merged)}};
    if (const auto built = graph->build(plan, work, output); !built) {
        return Failure{built.error()};
    }
    return graph;
}

Expected<void> ExportGraph::build(const InputPlan& plan, CopyWork& work,
                                  const std::filesystem::path& output)
{
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
    const std::string name = std::to_string(index);
    trace::Bt2Params params =
        trace::source_params({source.readable.begin(), source.readable.end()});
    params.set_text("trace-name", name);
    return m_graph.add_source("fs", "source " + name, params,
                              source.directories.front().path.string());
}

Expected<void> ExportGraph::add_copy_filter(CopyWork& work)
{
    m_copy_class = make_copy_filter_class();
    if (!m_copy_class || bt_graph_add_filter_component_with_initialize_method_data(
                             m_graph.get(), m_copy_class.get(), "copy", nullptr, &work,
                             bt2_log_level, &m_copy) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return bt2_failure(ErrorKind::Output, "cannot set up babeltrace2");
    }
    return m_graph.connect(m_graph.output(),
                           bt_component_filter_borrow_input_port_by_index_const(m_copy, 0));
}

Expected<void> ExportGraph::add_sink(const std::filesystem::path& output, bool is_single)
{
    const auto* sink_class =
        bt_plugin_borrow_sink_component_class_by_name_const(m_graph.ctf(), "fs");
    const trace::Bt2Params params = sink_params(output, is_single);
    const bt_component_sink* sink = nullptr;
    if (sink_class == nullptr || params.get() == nullptr ||
        bt_graph_add_sink_component(m_graph.get(), sink_class, "sink", params.get(), bt2_log_level,
                                    &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
        return bt2_failure(ErrorKind::Output, "cannot write " + output.string());
    }
    return m_graph.connect(bt_component_filter_borrow_output_port_by_index_const(m_copy, 0),
                           bt_component_sink_borrow_input_port_by_index_const(sink, 0));
}

Expected<bool> ExportGraph::run_some()
{
    constexpr unsigned rounds = 16;
    for (unsigned round = 0; round < rounds; ++round) {
        const auto step = m_graph.run_once("copying");
        if (!step) {
            return Failure{step.error()};
        }
        if (*step == trace::Bt2MergedGraph::Step::End) {
            return false;
        }
    }
    return true;
}

} // namespace lttng_gpu::exporting
