// SPDX-License-Identifier: MIT
//
// The babeltrace2 graph that writes: one source.ctf.fs per source of the plan, one
// filter.utils.muxer, the filter that copies, one sink.ctf.fs.
#pragma once

#include "copy_filter.hpp"

namespace lttng_gpu::exporting {

class ExportGraph {
public:
    /// Plan and work must outlive the graph. Makes `output`: the trace itself when the
    /// plan has one group, else a directory for each of its groups.
    static Expected<std::unique_ptr<ExportGraph>> open(const InputPlan& plan, CopyWork& work,
                                                       const std::filesystem::path& output);

    /// Some hundreds of messages. False: that was all, and everything is written.
    Expected<bool> run_some();

private:
    ExportGraph() = default;

    Expected<void> build(const InputPlan& plan, CopyWork& work,
                         const std::filesystem::path& output);
    Expected<void> add_source(const InputSource& source, std::size_t index);
    Expected<void> add_copy_filter(CopyWork& work);
    Expected<void> add_sink(const std::filesystem::path& output, bool is_single);
    Expected<void> connect(const bt_port_output* output, const bt_port_input* input);

    trace::Bt2PluginRef x_ctf;
    trace::Bt2PluginRef x_utils;
    trace::Bt2FilterClassRef x_copy_class;
    bt_graph* x_graph = nullptr; // borrowed from x_owned_graph
    const bt_component_filter* x_muxer = nullptr;
    const bt_component_filter* x_copy = nullptr;
    std::uint64_t x_used_muxer_ports = 0;
    trace::Bt2GraphRef x_owned_graph;
};

} // namespace lttng_gpu::exporting
