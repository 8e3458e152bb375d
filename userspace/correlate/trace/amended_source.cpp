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
        : x_source{std::move(source)}, x_gaps{std::move(amendments.gaps)}
    {
        for (const ClockCorrection& clock : amendments.clocks) {
            x_clocks[{clock.trace, clock.cpu}] = clock.offset;
            x_least = std::min(x_least, clock.offset);
        }
        std::stable_sort(x_gaps.begin(), x_gaps.end(), [](const Loss& left, const Loss& right) {
            return left.begin < right.begin;
        });
    }

    Expected<bool> read_some(EventConsumer& consumer) override
    {
        x_consumer = &consumer;
        auto has_more = x_source->read_some(*this);
        if (!has_more || !*has_more) {
            release(Timestamp{std::numeric_limits<std::int64_t>::max()});
        }
        return has_more;
    }
    const SourceTotals& totals() const override { return x_source->totals(); }
    std::vector<std::pair<TraceId, TraceFacts>> trace_facts() const override
    {
        return x_source->trace_facts();
    }
    bool has_event(std::string_view name) const override { return x_source->has_event(name); }
    std::optional<double> progress() const override { return x_source->progress(); }
    std::vector<CpuCoverage> coverage() const override { return x_source->coverage(); }
    bool announces_losses() const override { return x_source->announces_losses(); }
    bool has_told_losses() const override { return x_source->has_told_losses(); }

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
        if (x_clocks.empty()) {
            tell_gaps(event.time);
            x_consumer->on_event(event);
            return;
        }
        const auto clock = x_clocks.find({event.trace, event.cpu});
        RawEvent corrected = event;
        if (clock != x_clocks.end()) {
            corrected.time = event.time + clock->second;
        }
        hold(corrected.time, std::make_unique<KeptItem>(corrected));
        release(event.time + x_least);
    }
    void on_loss(const Loss& loss) override
    {
        if (x_clocks.empty()) {
            tell_gaps(loss.begin);
            x_consumer->on_loss(loss);
            return;
        }
        hold(loss.begin, std::make_unique<KeptItem>(loss));
    }
    void on_trace(TraceId trace, const TraceFacts& facts) override
    {
        x_consumer->on_trace(trace, facts);
    }

    void hold(Timestamp time, std::unique_ptr<KeptItem> item)
    {
        x_held.push({time, x_next_number++, std::move(item)});
    }

    /// What is held of times up to this one.
    void release(Timestamp until)
    {
        while (!x_held.empty() && x_held.top().time <= until) {
            // top() is const because changing it would break the order; it goes at once
            auto item = std::move(const_cast<Held&>(x_held.top()).item);
            x_held.pop();
            tell_gaps(item->time());
            item->hand_out(*x_consumer);
        }
    }

    void tell_gaps(Timestamp until)
    {
        for (; x_next_gap < x_gaps.size() && x_gaps[x_next_gap].begin <= until; ++x_next_gap) {
            x_consumer->on_loss(x_gaps[x_next_gap]);
        }
    }

    std::unique_ptr<EventSource> x_source;
    EventConsumer* x_consumer = nullptr; // of the call under way
    std::vector<Loss> x_gaps;
    std::size_t x_next_gap = 0;
    std::map<std::pair<TraceId, Cpu>, Duration> x_clocks;
    Duration x_least{0};
    std::priority_queue<Held> x_held;
    std::uint64_t x_next_number = 0;
};

} // namespace

std::unique_ptr<EventSource> amend(std::unique_ptr<EventSource> source, Amendments amendments)
{
    return std::make_unique<AmendedSource>(std::move(source), std::move(amendments));
}

} // namespace lttng_gpu::trace
