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

/// Takes the items of the source to the correlator.
class Correlation::Pass final : public trace::EventConsumer {
public:
    Pass(model::Correlator& correlator, const trace::EventSource& source, report::Window& window,
         report::TraceAccount& account)
        : x_correlator{correlator}, x_source{source}, x_window{window}, x_account{account}
    {
    }

    /// The window must be known before the first job comes out.
    void start_window()
    {
        if (!x_is_started && x_source.totals().first) {
            x_window.start(*x_source.totals().first);
            x_is_started = true;
        }
    }

    void on_event(const trace::RawEvent& event) override
    {
        start_window();
        x_correlator.on_event(event);
    }

    void on_loss(const trace::Loss& loss) override
    {
        start_window();
        x_correlator.on_loss(loss);
        if (loss.unit == trace::LossUnit::LateBegin) {
            return; // overwritten on purpose, nothing is damaged
        }
        if (!loss.count) {
            ++x_account.losses_of_unknown_size;
        } else if (loss.unit == trace::LossUnit::Events) {
            x_account.events_lost += *loss.count;
        } else {
            x_account.packets_lost += *loss.count;
        }
    }

private:
    model::Correlator& x_correlator;
    const trace::EventSource& x_source;
    report::Window& x_window;
    report::TraceAccount& x_account;
    bool x_is_started = false;
};

Outcome Correlation::run(trace::EventSource& source, report::Window& window, model::JobSink& sink,
                         const std::function<bool()>& is_in_vain)
{
    Outcome outcome;
    CountingSink counting{sink};
    model::Correlator correlator{x_strings, x_rings, x_anomalies, counting};
    Pass pass{correlator, source, window, outcome.account};
    while (!is_in_vain()) {
        const auto has_more = source.read_some(pass);
        if (!has_more) {
            outcome.stopped = has_more.error();
            break;
        }
        if (!*has_more) {
            break;
        }
    }
    const trace::SourceTotals& totals = source.totals();
    pass.start_window();
    outcome.has_window = window.finish(totals.last);
    correlator.finish();
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

} // namespace lttng_gpu::cli
