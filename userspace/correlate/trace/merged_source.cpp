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
    explicit Input(std::unique_ptr<EventSource> source) : x_source{std::move(source)} {}

    void on_event(const RawEvent& event) override
    {
        RawEvent kept = event;
        const std::size_t first = x_values.size();
        for (const FieldValue& field : event.fields) {
            x_values.push_back(keep(field));
        }
        kept.context.procname = keep(event.context.procname);
        x_items.push_back({event.time, kept, first});
    }
    void on_loss(const Loss& loss) override { x_items.push_back({loss.begin, loss, 0}); }
    void on_trace(TraceId trace, const TraceFacts& facts) override
    {
        x_facts.emplace_back(trace, facts);
    }

    /// False: the source is over.
    bool refill()
    {
        while (!x_is_over && x_next == x_items.size()) {
            x_items.clear();
            x_values.clear();
            x_texts.clear();
            x_next = 0;
            const auto has_more = x_source->read_some(*this);
            x_is_over = !has_more || !*has_more;
            if (!has_more) {
                x_error = has_more.error();
            }
        }
        return x_next < x_items.size();
    }

    Timestamp time() const { return x_items[x_next].time; }
    TraceId trace() const
    {
        return std::visit([](const auto& item) { return item.trace; }, x_items[x_next].what);
    }
    bool has_item() const { return x_next < x_items.size(); }

    void hand_out(EventConsumer& consumer, TraceId trace)
    {
        Item& item = x_items[x_next++];
        if (auto* loss = std::get_if<Loss>(&item.what)) {
            loss->trace = trace;
            consumer.on_loss(*loss);
            return;
        }
        auto& event = std::get<RawEvent>(item.what);
        event.trace = trace;
        event.fields = {x_values.data() + item.first_value, event.fields.size()};
        consumer.on_event(event);
    }

    /// Those learned since the last call.
    std::vector<std::pair<TraceId, TraceFacts>> take_facts() { return std::exchange(x_facts, {}); }

    const EventSource& source() const { return *x_source; }
    const std::optional<Error>& error() const { return x_error; }

private:
    struct Item {
        Timestamp time;
        std::variant<RawEvent, Loss> what;
        std::size_t first_value = 0;
    };

    FieldValue keep(const FieldValue& value) { return keep_value(value, x_texts); }

    std::unique_ptr<EventSource> x_source;
    std::vector<Item> x_items;
    std::vector<FieldValue> x_values;
    std::vector<std::pair<TraceId, TraceFacts>> x_facts;
    std::deque<std::string> x_texts; // a deque never moves its elements
    std::size_t x_next = 0;
    std::optional<Error> x_error;
    bool x_is_over = false;
};

MergedSource::MergedSource(std::vector<std::unique_ptr<EventSource>> sources)
{
    for (auto& source : sources) {
        x_inputs.push_back(std::make_unique<Input>(std::move(source)));
    }
}

MergedSource::~MergedSource() = default;

Expected<bool> MergedSource::read_some(EventConsumer& consumer)
{
    for (std::size_t index = 0; index < x_inputs.size(); ++index) {
        x_inputs[index]->refill();
        for (const auto& [trace, facts] : x_inputs[index]->take_facts()) {
            consumer.on_trace(number_of(index, trace), facts);
        }
    }
    add_up();
    // Until one of them has to be read again.
    while (true) {
        std::size_t first = x_inputs.size();
        for (std::size_t index = 0; index < x_inputs.size(); ++index) {
            if (x_inputs[index]->has_item() &&
                (first == x_inputs.size() || x_inputs[index]->time() < x_inputs[first]->time())) {
                first = index;
            }
        }
        if (first == x_inputs.size()) {
            break;
        }
        Input& input = *x_inputs[first];
        input.hand_out(consumer, number_of(first, input.trace()));
        if (!input.has_item()) {
            return true;
        }
    }
    for (const auto& input : x_inputs) {
        if (input->error()) {
            return Failure{*input->error()};
        }
    }
    return false;
}

std::optional<double> MergedSource::progress() const
{
    std::optional<double> least;
    for (const auto& input : x_inputs) {
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
    for (const auto& input : x_inputs) {
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
    x_totals = sum;
}

std::vector<std::pair<TraceId, TraceFacts>> MergedSource::trace_facts() const
{
    std::vector<std::pair<TraceId, TraceFacts>> all;
    for (std::size_t index = 0; index < x_inputs.size(); ++index) {
        for (auto& [trace, facts] : x_inputs[index]->source().trace_facts()) {
            all.emplace_back(number_of(index, trace), std::move(facts));
        }
    }
    return all;
}

std::vector<CpuCoverage> MergedSource::coverage() const
{
    std::vector<CpuCoverage> all;
    for (std::size_t index = 0; index < x_inputs.size(); ++index) {
        for (CpuCoverage coverage : x_inputs[index]->source().coverage()) {
            coverage.trace = number_of(index, coverage.trace);
            all.push_back(coverage);
        }
    }
    return all;
}

bool MergedSource::announces_losses() const
{
    return std::all_of(x_inputs.begin(), x_inputs.end(),
                       [](const auto& input) { return input->source().announces_losses(); });
}

bool MergedSource::has_told_losses() const
{
    return std::all_of(x_inputs.begin(), x_inputs.end(),
                       [](const auto& input) { return input->source().has_told_losses(); });
}

bool MergedSource::has_event(std::string_view name) const
{
    return std::any_of(x_inputs.begin(), x_inputs.end(),
                       [name](const auto& input) { return input->source().has_event(name); });
}

TraceId MergedSource::number_of(std::size_t input, TraceId trace) const
{
    const TraceId next{static_cast<std::uint32_t>(x_traces.size())};
    return x_traces.try_emplace({input, trace}, next).first->second;
}

} // namespace lttng_gpu::trace
