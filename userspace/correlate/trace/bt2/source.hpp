// SPDX-License-Identifier: MIT
//
// The reader that lets babeltrace2 do the decoding: the messages of a Bt2Graph,
// turned into raw events and losses by a Bt2MessageReader.
#pragma once

#include "../event_source.hpp"
#include "graph.hpp"
#include "message_reader.hpp"
#include "relay_guard.hpp"

namespace lttng_gpu::trace {

class Bt2Source final : public EventSource {
public:
    /// `enumerations` may be null, see ReadOptions.
    static Expected<std::unique_ptr<EventSource>> open(const std::vector<TraceDirectory>& traces,
                                                       std::vector<WantedEvent> wanted,
                                                       EnumerationTable* enumerations);
    /// A session of a relay daemon while it is being recorded; it ends when the session
    /// is destroyed.
    static Expected<std::unique_ptr<EventSource>> open_live(const std::string& address,
                                                            std::vector<WantedEvent> wanted,
                                                            EnumerationTable* enumerations);

    Expected<bool> read_some(EventConsumer& consumer) override;
    const SourceTotals& totals() const override { return m_reader.totals(); }

private:
    Bt2Source(std::unique_ptr<Bt2Graph> graph, std::vector<WantedEvent> wanted,
              EnumerationTable* enumerations);

    Expected<Bt2Graph::State> pull_from_relay();

    std::unique_ptr<RelayGuard> m_guard; // of a live session; the graph ends first
    std::unique_ptr<Bt2Graph> m_graph;
    Bt2MessageReader m_reader;
};

} // namespace lttng_gpu::trace
