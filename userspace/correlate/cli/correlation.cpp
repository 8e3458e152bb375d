// SPDX-License-Identifier: MIT
//
// See correlation.hpp.
#include "correlation.hpp"

namespace lttng_gpu::cli {
namespace {

class CountingSink final : public model::JobSink {
public:
    explicit CountingSink(model::JobSink& next) : x_next{next} {}

    void on_job(const model::Job& job) override
    {
        ++x_count;
        x_next.on_job(job);
    }

    std::uint64_t count() const { return x_count; }

private:
    model::JobSink& x_next;
    std::uint64_t x_count = 0;
};

} // namespace

Outcome Correlation::run(trace::EventSource& source, report::Window& window, model::JobSink& sink,
                         const std::function<bool()>& is_in_vain)
{
    Outcome outcome;
    CountingSink counting{sink};
    model::JobTracker tracker{x_rings, x_anomalies, counting};
    bool is_started = false;
    while (!is_in_vain()) {
        const auto item = source.next();
        if (!item) {
            outcome.stopped = item.error();
            break;
        }
        if (!is_started && source.totals().first) {
            window.start(*source.totals().first);
            is_started = true;
        }
        if (!*item) {
            break;
        }
        on_item(**item, tracker, outcome);
    }
    const trace::SourceTotals& totals = source.totals();
    if (!is_started && totals.first) {
        window.start(*totals.first);
    }
    outcome.has_window = window.finish(totals.last);
    tracker.finish();
    for (std::uint64_t count = 0; count < totals.events_without_clock; ++count) {
        x_anomalies.count(Anomaly::EventWithoutClock);
    }
    outcome.first = totals.first;
    outcome.last = totals.last;
    outcome.jobs = counting.count();
    outcome.account.events_read = totals.events;
    outcome.account.anomalies = x_anomalies;
    return outcome;
}

void Correlation::on_item(const trace::TraceItem& item, model::JobTracker& tracker,
                          Outcome& outcome)
{
    x_events.clear();
    Timestamp now;
    if (const auto* loss = std::get_if<trace::Loss>(&item)) {
        on_loss(*loss, outcome);
        now = loss->begin;
    } else {
        const auto& event = std::get<trace::RawEvent>(item);
        x_normaliser.on_event(event, x_events);
        now = event.time;
    }
    for (const model::GpuEvent& event : x_events) {
        tracker.on_event(event);
    }
    if (!x_events.empty()) {
        tracker.release(x_normaliser.horizon(now));
    }
}

void Correlation::on_loss(const trace::Loss& loss, Outcome& outcome)
{
    x_normaliser.on_loss(loss, x_events);
    if (!loss.count) {
        ++outcome.account.losses_of_unknown_size;
    } else if (loss.unit == trace::LossUnit::Events) {
        outcome.account.events_lost += *loss.count;
    } else {
        outcome.account.packets_lost += *loss.count;
    }
}

} // namespace lttng_gpu::cli
