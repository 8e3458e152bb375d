// SPDX-License-Identifier: MIT
//
// The part that all graphs of this program have: sources of the plugin `ctf`, and one
// filter.utils.muxer that puts their messages in order. What comes behind the muxer is for
// others to add.
#pragma once

#include "../../base/expected.hpp"
#include "params.hpp"

namespace lttng_gpu::trace {

constexpr bt_logging_level bt2_log_level = BT_LOGGING_LEVEL_NONE;

/// Of source.ctf.fs for the directories of one trace.
Bt2Params source_params(const std::vector<std::string>& paths);

class Bt2MergedGraph {
public:
    /// Always of version 0 of the message interchange protocol.
    static Expected<Bt2MergedGraph> create();

    /// "fs" or "lttng-live". Names must differ in a graph; `input` is what messages say.
    Expected<void> add_source(const char* component, const std::string& name,
                              const Bt2Params& params, const std::string& input);
    Expected<void> connect(const bt_port_output* output, const bt_port_input* input);

    enum class Step { Done, NothingYet, End };
    /// `what` is said to have stopped when it fails.
    Expected<Step> run_once(const char* what);

    bt_graph* get() const { return m_graph.get(); }
    const bt_plugin* ctf() const { return m_ctf.get(); }
    /// Of the muxer.
    const bt_port_output* output() const;

private:
    Bt2MergedGraph() = default;

    Bt2PluginRef m_ctf;
    Bt2PluginRef m_utils;
    Bt2GraphRef m_graph;
    const bt_component_filter* m_muxer = nullptr;
    std::uint64_t m_used_muxer_ports = 0;
};

} // namespace lttng_gpu::trace
