// SPDX-License-Identifier: MIT
//
// See pipeline.hpp.
#include "pipeline.hpp"

#include "../drivers/api_events.hpp"
#include "../trace/ctf/ctf_source_events.hpp"
#include "job_stage.hpp"

#include <algorithm>

namespace lttng_gpu::run {
namespace {

const trace::SourceTotals no_totals;
constexpr std::size_t most_kept_losses = 4096;

/// The first reading proved that events of jobs are missing; this one joins less and so may not.
/// But clocks that differ look the same, and so do numbers of two schedulers with one name.
void count_signs(const CaptureSurvey& survey, AnomalyCounters& anomalies)
{
    if (!survey.clock_errors.empty() || !survey.unexplained_clocks.empty()) {
        return;
    }
    for (const model::MissingEvents& missing : survey.knowledge.missing()) {
        if (missing.is_announced) {
            continue;
        }
        if (missing.what == model::Missing::Submit) {
            anomalies.count(Anomaly::SubmitEventMissing, missing.jobs);
        } else if (missing.what == model::Missing::Completion) {
            anomalies.count(Anomaly::CompletionEventMissing, missing.jobs);
        }
    }
}

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
    m_clocks->set_use(model::DeviceClocks::Use::Learning);
    learner.start(sink);
    for (const auto& [trace, facts] : source.trace_facts()) {
        learner.on_trace(trace, facts);
    }
    for (bool has_more = true; has_more && !should_stop();) {
        has_more = source.read_some(learner).value_or(false); // run() will meet the error, too
    }
    m_clocks->set_use(model::DeviceClocks::Use::Learned);
}

void Pipeline::start(model::JobSink& sink)
{
    m_stages.emplace(*this, sink);
    m_totals = &no_totals;
    m_has_window = true;
}

void Pipeline::start(const trace::SourceTotals& totals, report::Window& window,
                     model::JobSink& sink)
{
    m_stages.emplace(*this, sink);
    m_stages->rows.set_call_sink(m_call_sink);
    for (model::ThreadObserver* observer : m_thread_observers) {
        m_stages->normaliser.add_thread_observer(*observer);
    }
    if (m_counter_sink != nullptr) {
        m_stages->normaliser.set_counter_sink(*m_counter_sink);
    }
    m_totals = &totals;
    m_window = &window;
    set_findings(m_findings);
    if (m_survey != nullptr) {
        learn_from(m_survey->knowledge);
        count_gaps(*m_survey);
    }
}

void Pipeline::start(const trace::EventSource& source, report::Window& window, model::JobSink& sink)
{
    start(source.totals(), window, sink);
    set_announces_losses(source.announces_losses());
    for (const Api& api : apis) {
        if (source.has_event(api.provider() + ":call")) {
            m_outcome.layers.push_back(api.name);
        }
    }
    for (const auto& [trace, facts] : source.trace_facts()) {
        on_trace(trace, facts);
    }
}

void Pipeline::set_announces_losses(bool does)
{
    m_outcome.account.announces_losses = does;
    if (does) {
        m_stages->tracker.trust_tracer();
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
            m_anomalies.count(Anomaly::CpuBeginsLate);
            break;
        case model::CpuGap::Kind::EndsEarly:
            m_anomalies.count(Anomaly::CpuEndsEarly);
            break;
        case model::CpuGap::Kind::Missing:
            m_anomalies.count(Anomaly::CpuMissing);
            break;
        }
    }
    for (const trace::ClockCorrection& clock : survey.amendments.clocks) {
        m_anomalies.count(Anomaly::CpuClocksDiffer, clock.offset.value() != 0 ? 1 : 0);
    }
}

void Pipeline::on_loss(const trace::Loss& loss)
{
    start_window();
    m_stages->tracker.advance(loss.begin);
    m_stages->normaliser.on_loss(loss);
    m_outcome.account.count(loss);
    if (loss.unit == trace::LossUnit::LateBegin) {
        m_outcome.late_begins.push_back(loss);
    } else if (loss.unit == trace::LossUnit::Silent) {
        return; // the survey has these
    } else if (m_outcome.losses.size() < most_kept_losses) {
        m_outcome.losses.push_back(loss);
    } else {
        ++m_outcome.losses_left_out;
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
    for (bool has_more = true; has_more && !should_stop();) {
        const auto read = trace::ctf::read_some_from(source, *this);
        if (!read) {
            stop(read.error());
        }
        has_more = read.value_or(false);
    }
    m_outcome.account.announces_losses = source.has_told_losses();
    return finish([&stage] {
        if (stage) {
            stage->finish();
        }
    });
}

Outcome Pipeline::finish(const std::function<void()>& await_sink)
{
    start_window();
    if (m_window != nullptr) {
        await_sink(); // no other thread reads the window while its end is set
        m_outcome.has_window = m_window->finish(m_totals->last);
    }
    m_stages->tracker.finish();
    m_stages->normaliser.finish(m_totals->last.value_or(Timestamp{}));
    await_sink();
    if (m_survey != nullptr && m_anomalies.unannounced_losses() == 0) {
        count_signs(*m_survey, m_anomalies);
    }
    m_anomalies.count(Anomaly::EventWithoutClock, m_totals->events_without_clock);
    m_anomalies.count(Anomaly::EventOutOfOrder, m_totals->events_out_of_order);
    m_anomalies.count(Anomaly::LineUnread, m_totals->lines_unread);
    m_outcome.first = m_totals->first;
    m_outcome.last = m_totals->last;
    m_outcome.jobs = m_stages->count.count();
    m_outcome.account.events_read = m_totals->events;
    m_outcome.account.anomalies = m_anomalies;
    const std::vector<trace::WantedEvent> names = wanted();
    for (std::size_t number = 0; number < names.size(); ++number) {
        if (m_seen[number] > 0) {
            m_outcome.seen.emplace_back(names[number].name, m_seen[number]);
        }
    }
    m_outcome.account.clocks = m_clocks->accounts();
    m_outcome.account.calls = m_stages->rows.call_account();
    m_outcome.account.counters = m_stages->normaliser.counters();
    m_outcome.account.open_waits = m_stages->normaliser.open_waits();
    m_outcome.account.others = m_stages->normaliser.other_events();
    return m_outcome;
}

std::optional<CaptureSurvey> Pipeline::survey(const trace::EventSource& source,
                                              const Outcome& outcome)
{
    if (!outcome.first || !outcome.last) {
        return {};
    }
    return survey_capture(m_findings, m_rings, source.coverage(), outcome.late_begins,
                          {*outcome.first, *outcome.last});
}

} // namespace lttng_gpu::run
