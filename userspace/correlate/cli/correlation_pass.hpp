// SPDX-License-Identifier: MIT
//
// One pass over a trace whose items come from outside: takes them to the
// correlator and sums up at the end. A Correlation makes one pass only. The totals
// are the reader's and run ahead of the items.
#pragma once

#include "correlation.hpp"

namespace lttng_gpu::cli {

class Correlation::Pass final : public trace::EventConsumer {
public:
    Pass(Correlation& correlation, const trace::SourceTotals& totals, report::Window& window,
         model::JobSink& sink);

    void on_event(const trace::RawEvent& event) override
    {
        start_window();
        x_correlator.on_event(event);
    }
    void on_loss(const trace::Loss& loss) override;
    void on_kernel_release(TraceId trace, std::string_view release) override
    {
        x_correlator.set_kernel_release(trace, release);
    }
    void on_clock_offset(TraceId trace, Duration offset) override
    {
        x_correlator.on_clock_offset(trace, offset);
    }

    void set_announces_losses(bool does)
    {
        x_outcome.account.announces_losses = does;
        if (does) {
            x_correlator.trust_tracer();
        }
    }

    /// Reading failed; what was read before still counts.
    void stop(Error error) { x_outcome.stopped = std::move(error); }
    /// No more items. `await_sink` returns when the sink has seen all it was given.
    Outcome finish(const std::function<void()>& await_sink = [] {});

private:
    void count_gaps(const CaptureSurvey& survey);

    class CountingSink final : public model::JobSink {
    public:
        explicit CountingSink(model::JobSink& next) : x_next{next} {}

        void on_job(const model::Job& job) override
        {
            ++x_count;
            x_next.on_job(job);
        }
        void on_dependency(const model::Dependency& dependency) override
        {
            x_next.on_dependency(dependency);
        }
        void on_wait(const model::Wait& wait) override { x_next.on_wait(wait); }
        void on_unseen(const model::UnseenJobs& jobs) override { x_next.on_unseen(jobs); }

        std::uint64_t count() const { return x_count; }

    private:
        model::JobSink& x_next;
        std::uint64_t x_count = 0;
    };

    /// The window must be known before the first job comes out.
    void start_window()
    {
        if (!x_is_started && x_totals.first) {
            x_window.start(*x_totals.first);
            x_is_started = true;
        }
    }

    const trace::SourceTotals& x_totals;
    report::Window& x_window;
    AnomalyCounters& x_anomalies;
    const model::DeviceClocks& x_clocks;
    CountingSink x_sink;
    model::Correlator x_correlator;
    Outcome x_outcome;
    bool x_is_started = false;
};

} // namespace lttng_gpu::cli
