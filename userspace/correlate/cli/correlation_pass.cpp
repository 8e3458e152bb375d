// SPDX-License-Identifier: MIT
//
// See correlation_pass.hpp.
#include "correlation_pass.hpp"

#include <algorithm>

namespace lttng_gpu::cli {

Correlation::Pass::Pass(Correlation& correlation, const trace::SourceTotals& totals,
                        report::Window& window, model::JobSink& sink)
    : x_totals{totals}, x_window{window},
      x_anomalies{correlation.x_anomalies}, x_clocks{correlation.x_clocks}, x_sink{sink},
      x_correlator{correlation.x_strings,   correlation.x_rings,
                   correlation.x_anomalies, x_sink,
                   &correlation.x_clocks,   &correlation.x_enumerations}
{
    x_correlator.set_findings(correlation.x_findings);
    if (const CaptureSurvey* const survey = correlation.x_survey) {
        x_correlator.learn_from(survey->knowledge);
        count_gaps(*survey);
    }
}

/// What the tracer announced is told by the source again.
void Correlation::Pass::count_gaps(const CaptureSurvey& survey)
{
    for (const model::CpuGap& gap : survey.recorded.gaps) {
        if (gap.is_announced) {
            continue;
        }
        switch (gap.kind) {
        case model::CpuGap::Kind::BeginsLate:
            x_anomalies.count(Anomaly::CpuBeginsLate);
            break;
        case model::CpuGap::Kind::EndsEarly:
            x_anomalies.count(Anomaly::CpuEndsEarly);
            break;
        case model::CpuGap::Kind::Missing:
            x_anomalies.count(Anomaly::CpuMissing);
            break;
        }
    }
    for (const trace::ClockCorrection& clock : survey.amendments.clocks) {
        x_anomalies.count(Anomaly::CpuClocksDiffer, clock.offset.value() != 0 ? 1 : 0);
    }
}

void Correlation::Pass::on_loss(const trace::Loss& loss)
{
    start_window();
    x_correlator.on_loss(loss);
    if (loss.unit == trace::LossUnit::LateBegin) {
        x_outcome.late_begins.push_back(loss); // overwritten on purpose, nothing is damaged
        return;
    }
    if (loss.unit == trace::LossUnit::Silent) {
        return; // counted already
    }
    report::TraceAccount& account = x_outcome.account;
    if (!loss.count) {
        ++account.losses_of_unknown_size;
    } else if (loss.unit == trace::LossUnit::Events) {
        account.events_lost += *loss.count;
    } else {
        account.packets_lost += *loss.count;
    }
}

Outcome Correlation::Pass::finish(const std::function<void()>& await_sink)
{
    start_window();
    await_sink(); // no other thread reads the window while its end is set
    x_outcome.has_window = x_window.finish(x_totals.last);
    x_correlator.finish();
    await_sink();
    x_anomalies.count(Anomaly::EventWithoutClock, x_totals.events_without_clock);
    x_anomalies.count(Anomaly::EventOutOfOrder, x_totals.events_out_of_order);
    x_anomalies.count(Anomaly::LineUnread, x_totals.lines_unread);
    x_outcome.first = x_totals.first;
    x_outcome.last = x_totals.last;
    x_outcome.jobs = x_sink.count();
    x_outcome.account.events_read = x_totals.events;
    x_outcome.account.anomalies = x_anomalies;
    x_outcome.account.clocks = x_clocks.accounts();
    return x_outcome;
}

} // namespace lttng_gpu::cli
