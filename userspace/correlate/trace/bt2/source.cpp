// SPDX-License-Identifier: MIT
//
// See source.hpp.
#include "source.hpp"

#include "aborts.hpp"
#include "mip.hpp"

#include <optional>
#include <thread>

namespace lttng_gpu::trace {
namespace {

/// The relay daemon is asked again after this; it has a whole packet each time.
constexpr std::chrono::milliseconds live_pause{20};

/// CTF 2 needs babeltrace2 2.1; an older one would only say "syntax error".
Expected<void> check_versions(const std::vector<TraceDirectory>& traces)
{
    for (const TraceDirectory& trace : traces) {
        if (trace.kind == MetadataKind::Ctf2 && !knows_ctf2()) {
            return Failure{{ErrorKind::UnreadableTrace,
                            trace.path.string() + " is a CTF 2 trace, which babeltrace2 " +
                                std::to_string(bt_version_get_major()) + "." +
                                std::to_string(bt_version_get_minor()) +
                                " cannot read; record with `lttng create --trace-format=ctf-1.8` "
                                "(LTTng 2.15 or later) or install babeltrace2 2.1 or later"}};
        }
    }
    return {};
}

/// babeltrace2 would follow links, and pass over pipes.
Expected<void> check_files(const std::vector<TraceDirectory>& traces)
{
    for (const TraceDirectory& trace : traces) {
        if (const auto files = find_files(trace); !files.refused.empty()) {
            return Failure{refusal(ErrorKind::UnreadableTrace, files.refused.front())};
        }
    }
    return {};
}

} // namespace

Expected<std::unique_ptr<EventSource>> Bt2Source::open(const std::vector<TraceDirectory>& traces,
                                                       std::vector<WantedEvent> wanted,
                                                       EnumerationTable* enumerations)
{
    if (const auto checked = check_versions(traces); !checked) {
        return Failure{checked.error()};
    }
    if (const auto checked = check_files(traces); !checked) {
        return Failure{checked.error()};
    }
    auto graph = Bt2Graph::open(traces);
    if (!graph) {
        return Failure{graph.error()};
    }
    return std::unique_ptr<EventSource>{
        new Bt2Source{std::move(*graph), std::move(wanted), enumerations}};
}

Expected<std::unique_ptr<EventSource>> Bt2Source::open_live(const std::string& address,
                                                            std::vector<WantedEvent> wanted,
                                                            EnumerationTable* enumerations)
{
    auto guard = RelayGuard::start(address);
    if (!guard) {
        return Failure{guard.error()};
    }
    auto graph = Bt2Graph::open_live((*guard)->address());
    if (!graph) {
        return Failure{(*guard)->explain(graph.error())};
    }
    std::unique_ptr<Bt2Source> source{
        new Bt2Source{std::move(*graph), std::move(wanted), enumerations}};
    source->m_guard = std::move(*guard);
    return std::unique_ptr<EventSource>{std::move(source)};
}

Bt2Source::Bt2Source(std::unique_ptr<Bt2Graph> graph, std::vector<WantedEvent> wanted,
                     EnumerationTable* enumerations)
    : m_graph{std::move(graph)}, m_reader{std::move(wanted), enumerations}
{
}

/// Of packets the guard knows only the sizes. After an abort the graph cannot even be freed.
Expected<Bt2Graph::State> Bt2Source::pull_from_relay()
{
    struct Work {
        Bt2Graph& graph;
        std::optional<Expected<Bt2Graph::State>> state;
    } work{*m_graph, {}};
    const auto pull = [](void* of) {
        auto& its = *static_cast<Work*>(of);
        its.state.emplace(its.graph.pull());
    };
    if (!survives_abort(pull, &work)) {
        static_cast<void>(m_graph.release());
        return Failure{{ErrorKind::DamagedTrace,
                        "babeltrace2 cannot go on with what the relay daemon has sent"}};
    }
    return *work.state;
}

Expected<bool> Bt2Source::read_some(EventConsumer& consumer)
{
    const auto state = m_guard ? pull_from_relay() : m_graph->pull();
    if (!state) {
        return Failure{m_guard ? m_guard->explain(state.error()) : state.error()};
    }
    switch (*state) {
    case Bt2Graph::State::Message:
        while (const auto message = m_graph->take()) {
            m_reader.read(message.get(), consumer);
        }
        return true;
    case Bt2Graph::State::NothingYet:
        std::this_thread::sleep_for(live_pause);
        return true;
    case Bt2Graph::State::End:
        break;
    }
    return false;
}

} // namespace lttng_gpu::trace
