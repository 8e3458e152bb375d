// SPDX-License-Identifier: MIT
//
// See source.hpp.
#include "source.hpp"

namespace lttng_gpu::trace {
namespace {

/// CTF 2 needs babeltrace2 2.1; an older one would only say "syntax error".
Expected<void> check_versions(const std::vector<TraceDirectory>& traces)
{
    const unsigned major = bt_version_get_major();
    const unsigned minor = bt_version_get_minor();
    const bool reads_ctf2 = major > 2 || (major == 2 && minor >= 1);
    for (const TraceDirectory& trace : traces) {
        if (trace.kind == MetadataKind::Ctf2 && !reads_ctf2) {
            return Failure{{ErrorKind::UnreadableTrace,
                            trace.path.string() + " is a CTF 2 trace, which babeltrace2 " +
                                std::to_string(major) + "." + std::to_string(minor) +
                                " cannot read; record with `lttng create --trace-format=ctf-1.8` "
                                "(LTTng 2.15 or later) or install babeltrace2 2.1 or later"}};
        }
    }
    return {};
}

} // namespace

Expected<std::unique_ptr<EventSource>> Bt2Source::open(const std::vector<TraceDirectory>& traces,
                                                       std::vector<WantedEvent> wanted)
{
    if (const auto checked = check_versions(traces); !checked) {
        return Failure{checked.error()};
    }
    auto graph = Bt2Graph::open(traces);
    if (!graph) {
        return Failure{graph.error()};
    }
    return std::unique_ptr<EventSource>{new Bt2Source{std::move(*graph), std::move(wanted)}};
}

Bt2Source::Bt2Source(std::unique_ptr<Bt2Graph> graph, std::vector<WantedEvent> wanted)
    : x_graph{std::move(graph)}, x_reader{std::move(wanted)}
{
}

Expected<bool> Bt2Source::read_some(EventConsumer& consumer)
{
    auto message = x_graph->next();
    if (!message) {
        return Failure{message.error()};
    }
    if (!*message) {
        return false;
    }
    x_reader.read(message->get(), consumer);
    return true;
}

} // namespace lttng_gpu::trace
