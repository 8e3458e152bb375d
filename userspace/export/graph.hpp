// SPDX-License-Identifier: MIT
//
// The babeltrace2 graph that writes: one source.ctf.fs per source of the plan, one
// filter.utils.muxer, the filter that copies, one sink.ctf.fs.
#pragma once

#include "../correlate/trace/bt2/merged_graph.hpp"
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
    explicit ExportGraph(trace::Bt2MergedGraph graph) : m_graph{std::move(graph)} {}

    Expected<void> build(const InputPlan& plan, CopyWork& work,
                         const std::filesystem::path& output);
    Expected<void> add_source(const InputSource& source, std::size_t index);
    Expected<void> add_copy_filter(CopyWork& work);
    Expected<void> add_sink(const std::filesystem::path& output, bool is_single);

    trace::Bt2FilterClassRef m_copy_class; // goes after the graph
    trace::Bt2MergedGraph m_graph;
    const bt_component_filter* m_copy = nullptr;
};

} // namespace lttng_gpu::exporting
