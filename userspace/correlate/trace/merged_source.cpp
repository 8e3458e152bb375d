// SPDX-License-Identifier: MIT
//
// See merged_source.hpp.
#include "merged_source.hpp"

#include "kept_item.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <variant>

namespace lttng_gpu::trace {

/// One of the sources, and its items that were read but not handed out.
class MergedSource::Input final : public EventConsumer {
public:
    explicit Input(std::unique_ptr<EventSource> source) : m_source{std::move(source)} {}

    void on_event(const RawEvent& event) override
    {
        RawEvent kept = event;
        const std::size_t first = m_values.size();
        for (const FieldValue& field : event.fields) {
            m_values.push_back(keep(field));
        }
        kept.context.procname = keep(event.context.procname);
        m_items.push_back({event.time, kept, first});
    }
    void on_loss(const Loss& loss) override { m_items.push_back({loss.begin, loss, 0}); }
    void on_trace(TraceId trace, const TraceFacts& facts) override
    {
        m_facts.emplace_back(trace, facts);
    }

    /// False: the source is over.
    bool refill()
    {
        while (!m_is_over && m_next == m_items.size()) {
            m_items.clear();
            m_values.clear();
            m_texts.clear();
            m_next = 0;
            const auto has_more = m_source->read_some(*this);
            m_is_over = !has_more || !*has_more;
            if (!has_more) {
                m_error = has_more.error();
            }
        }
        return m_next < m_items.size();
    }

    Timestamp time() const { return m_items[m_next].time; }
    TraceId trace() const
    {
        return std::visit([](const auto& item) { return item.trace; }, m_items[m_next].what);
    }
    bool has_item() const { return m_next < m_items.size(); }

    void hand_out(EventConsumer& consumer, TraceId trace)
    {
        Item& item = m_items[m_next++];
        if (auto* loss = std::get_if<Loss>(&item.what)) {
            loss->trace = trace;
            consumer.on_loss(*loss);
            return;
        }
        auto& event = std::get<RawEvent>(item.what);
        event.trace = trace;
        event.fields = {m_values.data() + item.first_value, event.fields.size()};
        consumer.on_event(event);
    }

    /// Those learned since the last call.
    std::vector<std::pair<TraceId, TraceFacts>> take_facts() { return std::exchange(m_facts, {}); }

    const EventSource& source() const { return *m_source; }
    const std::optional<Error>& error() const { return m_error; }

private:
    struct Item {
        Timestamp time;
        std::variant<RawEvent, Loss> what;
        std::size_t first_value = 0;
    };

    FieldValue keep(const FieldValue& value) { return keep_value(value, m_texts); }

    std::unique_ptr<EventSource> m_source;
    std::vector<Item> m_items;
    std::vector<FieldValue> m_values;
    std::vector<std::pair<TraceId, TraceFacts>> m_facts;
    std::deque<std::string> m_texts; // a deque never moves its elements
    std::size_t m_next = 0;
    std::optional<Error> m_error;
    bool m_is_over = false;
};

MergedSource::MergedSource(std::vector<std::unique_ptr<EventSource>> sources)
{
    for (auto& source : sources) {
        m_inputs.push_back(std::make_unique<Input>(std::move(source)));
    }
}

MergedSource::~MergedSource() = default;

Expected<bool> MergedSource::read_some(EventConsumer& consumer)
{
    for (std::size_t index = 0; index < m_inputs.size(); ++index) {
        m_inputs[index]->refill();
        for (const auto& [trace, facts] : m_inputs[index]->take_facts()) {
            consumer.on_trace(number_of(index, trace), facts);
        }
    }
    add_up();
    // Until one of them has to be read again.
    while (true) {
        std::size_t first = m_inputs.size();
        for (std::size_t index = 0; index < m_inputs.size(); ++index) {
            if (m_inputs[index]->has_item() &&
                (first == m_inputs.size() || m_inputs[index]->time() < m_inputs[first]->time())) {
                first = index;
            }
        }
        if (first == m_inputs.size()) {
            break;
        }
        Input& input = *m_inputs[first];
        input.hand_out(consumer, number_of(first, input.trace()));
        if (!input.has_item()) {
            return true;
        }
    }
    for (const auto& input : m_inputs) {
        if (input->error()) {
            return Failure{*input->error()};
        }
    }
    return false;
}

std::optional<double> MergedSource::progress() const
{
    std::optional<double> least;
    for (const auto& input : m_inputs) {
        const auto progress = input->source().progress();
        if (!progress) {
            return {};
        }
        least = std::min(least.value_or(*progress), *progress);
    }
    return least;
}

void MergedSource::add_up()
{
    SourceTotals sum;
    for (const auto& input : m_inputs) {
        const SourceTotals& totals = input->source().totals();
        sum.events += totals.events;
        sum.events_without_clock += totals.events_without_clock;
        sum.events_out_of_order += totals.events_out_of_order;
        sum.lines_unread += totals.lines_unread;
        if (totals.first) {
            sum.first = std::min(sum.first.value_or(*totals.first), *totals.first);
        }
        if (totals.last) {
            sum.last = std::max(sum.last.value_or(*totals.last), *totals.last);
        }
    }
    m_totals = sum;
}

std::vector<std::pair<TraceId, TraceFacts>> MergedSource::trace_facts() const
{
    std::vector<std::pair<TraceId, TraceFacts>> all;
    for (std::size_t index = 0; index < m_inputs.size(); ++index) {
        for (auto& [trace, facts] : m_inputs[index]->source().trace_facts()) {
            all.emplace_back(number_of(index, trace), std::move(facts));
        }
    }
    return all;
}

std::vector<CpuCoverage> MergedSource::coverage() const
{
    std::vector<CpuCoverage> all;
    for (std::size_t index = 0; index < m_inputs.size(); ++index) {
        for (CpuCoverage coverage : m_inputs[index]->source().coverage()) {
            coverage.trace = number_of(index, coverage.trace);
            all.push_back(coverage);
        }
    }
    return all;
}

bool MergedSource::announces_losses() const
{
    return std::all_of(m_inputs.begin(), m_inputs.end(),
                       [](const auto& input) { return input->source().announces_losses(); });
}

bool MergedSource::has_told_losses() const
{
    return std::all_of(m_inputs.begin(), m_inputs.end(),
                       [](const auto& input) { return input->source().has_told_losses(); });
}

bool MergedSource::has_event(std::string_view name) const
{
    return std::any_of(m_inputs.begin(), m_inputs.end(),
                       [name](const auto& input) { return input->source().has_event(name); });
}

TraceId MergedSource::number_of(std::size_t input, TraceId trace) const
{
    const TraceId next{static_cast<std::uint32_t>(m_traces.size())};
    return m_traces.try_emplace({input, trace}, next).first->second;
}

} // namespace lttng_gpu::trace
