// SPDX-License-Identifier: MIT
//
// See amended_source.hpp. An event of a corrected time is handed out when no CPU can have an
// earlier one any more: times of the source never go back, so what comes is not earlier than the
// latest raw time plus the least correction.
#include "amended_source.hpp"

#include "kept_item.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>

namespace lttng_gpu::trace {
namespace {

class AmendedSource final : public EventSource, private EventConsumer {
public:
    AmendedSource(std::unique_ptr<EventSource> source, Amendments amendments)
        : m_source{std::move(source)}, m_gaps{std::move(amendments.gaps)}
    {
        for (const ClockCorrection& clock : amendments.clocks) {
            m_clocks[{clock.trace, clock.cpu}] = clock.offset;
            m_least = std::min(m_least, clock.offset);
        }
        std::stable_sort(m_gaps.begin(), m_gaps.end(), [](const Loss& left, const Loss& right) {
            return left.begin < right.begin;
        });
    }

    Expected<bool> read_some(EventConsumer& consumer) override
    {
        m_consumer = &consumer;
        auto has_more = m_source->read_some(*this);
        if (!has_more || !*has_more) {
            release(Timestamp{std::numeric_limits<std::int64_t>::max()});
        }
        return has_more;
    }
    const SourceTotals& totals() const override { return m_source->totals(); }
    std::vector<std::pair<TraceId, TraceFacts>> trace_facts() const override
    {
        return m_source->trace_facts();
    }
    bool has_event(std::string_view name) const override { return m_source->has_event(name); }
    std::optional<double> progress() const override { return m_source->progress(); }
    std::vector<CpuCoverage> coverage() const override { return m_source->coverage(); }
    bool announces_losses() const override { return m_source->announces_losses(); }
    bool has_told_losses() const override { return m_source->has_told_losses(); }

private:
    struct Held {
        Timestamp time;
        std::uint64_t number; // in order of arrival
        std::unique_ptr<KeptItem> item;

        bool operator<(const Held& other) const // the earliest is the greatest
        {
            return std::pair{other.time, other.number} < std::pair{time, number};
        }
    };

    void on_event(const RawEvent& event) override
    {
        if (m_clocks.empty()) {
            tell_gaps(event.time);
            m_consumer->on_event(event);
            return;
        }
        const auto clock = m_clocks.find({event.trace, event.cpu});
        RawEvent corrected = event;
        if (clock != m_clocks.end()) {
            corrected.time = event.time + clock->second;
        }
        hold(corrected.time, std::make_unique<KeptItem>(corrected));
        release(event.time + m_least);
    }
    void on_loss(const Loss& loss) override
    {
        if (m_clocks.empty()) {
            tell_gaps(loss.begin);
            m_consumer->on_loss(loss);
            return;
        }
        hold(loss.begin, std::make_unique<KeptItem>(loss));
    }
    void on_trace(TraceId trace, const TraceFacts& facts) override
    {
        m_consumer->on_trace(trace, facts);
    }

    void hold(Timestamp time, std::unique_ptr<KeptItem> item)
    {
        m_held.push({time, m_next_number++, std::move(item)});
    }

    /// What is held of times up to this one.
    void release(Timestamp until)
    {
        while (!m_held.empty() && m_held.top().time <= until) {
            // top() is const because changing it would break the order; it goes at once
            auto item = std::move(const_cast<Held&>(m_held.top()).item);
            m_held.pop();
            tell_gaps(item->time());
            item->hand_out(*m_consumer);
        }
    }

    void tell_gaps(Timestamp until)
    {
        for (; m_next_gap < m_gaps.size() && m_gaps[m_next_gap].begin <= until; ++m_next_gap) {
            m_consumer->on_loss(m_gaps[m_next_gap]);
        }
    }

    std::unique_ptr<EventSource> m_source;
    EventConsumer* m_consumer = nullptr; // of the call under way
    std::vector<Loss> m_gaps;
    std::size_t m_next_gap = 0;
    std::map<std::pair<TraceId, Cpu>, Duration> m_clocks;
    Duration m_least{0};
    std::priority_queue<Held> m_held;
    std::uint64_t m_next_number = 0;
};

} // namespace

std::unique_ptr<EventSource> amend(std::unique_ptr<EventSource> source, Amendments amendments)
{
    return std::make_unique<AmendedSource>(std::move(source), std::move(amendments));
}

} // namespace lttng_gpu::trace
