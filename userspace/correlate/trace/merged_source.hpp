// SPDX-License-Identifier: MIT
//
// Several sources of different kinds as one, in order of time: an ftrace file
// beside an LTTng session, two files of two machines. Texts are copied, which a
// source alone need not do.
#pragma once

#include "event_source.hpp"

#include <map>
#include <memory>

namespace lttng_gpu::trace {

class MergedSource final : public EventSource {
public:
    explicit MergedSource(std::vector<std::unique_ptr<EventSource>> sources);
    ~MergedSource() override;

    /// A source that fails ends alone; its error is told when all have ended.
    Expected<bool> read_some(EventConsumer& consumer) override;
    const SourceTotals& totals() const override { return m_totals; }
    std::optional<double> progress() const override;
    std::vector<std::pair<TraceId, TraceFacts>> trace_facts() const override;
    bool has_event(std::string_view name) const override;
    std::vector<CpuCoverage> coverage() const override;
    bool announces_losses() const override;
    bool has_told_losses() const override;

private:
    class Input;

    void add_up();
    TraceId number_of(std::size_t input, TraceId trace) const;

    std::vector<std::unique_ptr<Input>> m_inputs;
    mutable std::map<std::pair<std::size_t, TraceId>, TraceId> m_traces; // made when first seen
    SourceTotals m_totals;
};

} // namespace lttng_gpu::trace
