// SPDX-License-Identifier: MIT
//
// See pipeline.hpp.
#include "pipeline.hpp"

#include "../model/families/api_events.hpp"
#include "../trace/ctf/source_loop.hpp"
#include "job_stage.hpp"

#include <algorithm>

namespace lttng_gpu::run {
namespace {

const trace::SourceTotals no_totals;
constexpr std::size_t most_kept_losses = 4096;

} // namespace

bool Pipeline::has_clocks(const trace::EventSource& source)
{
    return std::ranges::any_of(apis, [&](const Api& api) {
        return source.has_event(api.provider() + ":" + std::string{model::times_event});
    });
}

void Pipeline::learn_clocks(trace::EventSource& source, const std::function<bool()>& should_stop)
{
    model::NullSink sink;
    Pipeline learner{*this};
    x_clocks->set_use(model::DeviceClocks::Use::Learning);
    learner.start(sink);
    for (const auto& [trace, facts] : source.trace_facts()) {
        learner.on_trace(trace, facts);
    }
    for (bool has_more = true; has_more && !should_stop();) {
        has_more = source.read_some(learner).value_or(false); // run() will meet the error, too
    }
    x_clocks->set_use(model::DeviceClocks::Use::Learned);
}

void Pipeline::start(model::JobSink& sink)
{
    x_stages.emplace(*this, sink);
    x_totals = &no_totals;
    x_has_window = true;
}

void Pipeline::start(const trace::SourceTotals& totals, report::Window& window,
                     model::JobSink& sink)
{
    x_stages.emplace(*this, sink);
    x_stages->rows.set_call_sink(x_call_sink);
    for (model::ThreadObserver* observer : x_thread_observers) {
        x_stages->normaliser.add_thread_observer(*observer);
    }
    x_totals = &totals;
    x_window = &window;
    set_findings(x_findings);
    if (x_survey != nullptr) {
        learn_from(x_survey->knowledge);
        count_gaps(*x_survey);
    }
}

void Pipeline::start(const trace::EventSource& source, report::Window& window, model::JobSink& sink)
{
    start(source.totals(), window, sink);
    set_announces_losses(source.announces_losses());
    for (const Api& api : apis) {
        if (source.has_event(api.provider() + ":call")) {
            x_outcome.layers.push_back(api.name);
        }
    }
    for (const auto& [trace, facts] : source.trace_facts()) {
        on_trace(trace, facts);
    }
}

void Pipeline::set_announces_losses(bool does)
{
    x_outcome.account.announces_losses = does;
    if (does) {
        x_stages->tracker.trust_tracer();
    }
}

/// What the tracer announced is told by the source again.
void Pipeline::count_gaps(const CaptureSurvey& survey)
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

void Pipeline::on_loss(const trace::Loss& loss)
{
    start_window();
    x_stages->tracker.advance(loss.begin);
    x_stages->normaliser.on_loss(loss);
    x_outcome.account.count(loss);
    if (loss.unit == trace::LossUnit::LateBegin) {
        x_outcome.late_begins.push_back(loss);
    } else if (loss.unit == trace::LossUnit::Silent) {
        return; // the survey has these
    } else if (x_outcome.losses.size() < most_kept_losses) {
        x_outcome.losses.push_back(loss);
    } else {
        ++x_outcome.losses_left_out;
    }
}

Outcome Pipeline::run(trace::EventSource& source, report::Window& window, model::JobSink& sink,
                      Workers* workers, const std::function<bool()>& should_stop)
{
    std::optional<JobStage> stage;
    if (workers != nullptr && workers->is_parallel()) {
        stage.emplace(*workers, sink);
    }
    start(source, window, stage ? *stage : sink);
    trace::ctf::CtfSource* const ctf = source.as_ctf_source();
    for (bool has_more = true; has_more && !should_stop();) {
        const auto read = ctf != nullptr ? ctf->read_some_into(*this) : source.read_some(*this);
        if (!read) {
            stop(read.error());
        }
        has_more = read.value_or(false);
    }
    x_outcome.account.announces_losses = source.has_told_losses();
    return finish([&stage] {
        if (stage) {
            stage->finish();
        }
    });
}

Outcome Pipeline::finish(const std::function<void()>& await_sink)
{
    start_window();
    if (x_window != nullptr) {
        await_sink(); // no other thread reads the window while its end is set
        x_outcome.has_window = x_window->finish(x_totals->last);
    }
    x_stages->tracker.finish();
    x_stages->normaliser.finish(x_totals->last.value_or(Timestamp{}));
    await_sink();
    x_anomalies.count(Anomaly::EventWithoutClock, x_totals->events_without_clock);
    x_anomalies.count(Anomaly::EventOutOfOrder, x_totals->events_out_of_order);
    x_anomalies.count(Anomaly::LineUnread, x_totals->lines_unread);
    x_outcome.first = x_totals->first;
    x_outcome.last = x_totals->last;
    x_outcome.jobs = x_stages->count.count();
    x_outcome.account.events_read = x_totals->events;
    x_outcome.account.anomalies = x_anomalies;
    const std::vector<trace::WantedEvent> names = wanted();
    for (std::size_t number = 0; number < names.size(); ++number) {
        if (x_seen[number] > 0) {
            x_outcome.seen.emplace_back(names[number].name, x_seen[number]);
        }
    }
    x_outcome.account.clocks = x_clocks->accounts();
    x_outcome.account.calls = x_stages->rows.call_account();
    x_outcome.account.counters = x_stages->normaliser.counters();
    x_outcome.account.open_waits = x_stages->normaliser.open_waits();
    x_outcome.account.others = x_stages->normaliser.other_events();
    return x_outcome;
}

std::optional<CaptureSurvey> Pipeline::survey(const trace::EventSource& source,
                                              const Outcome& outcome)
{
    if (!outcome.first || !outcome.last) {
        return {};
    }
    return survey_capture(x_findings, x_rings, source.coverage(), outcome.late_begins,
                          {*outcome.first, *outcome.last});
}

} // namespace lttng_gpu::run
