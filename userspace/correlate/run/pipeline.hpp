// SPDX-License-Identifier: MIT
//
// Items of a trace in, decided jobs and an account of the reading out. A pipeline owns
// what its stages share (texts, rings, anomalies, clocks) and is used once:
//
//     source → normaliser → job tracker → row merge → job count → the caller's sink
//
// start() builds that chain; it does not change afterwards. run() reads a source to its end;
// a caller that reads by itself gives the items to the pipeline, which is an event consumer,
// and calls finish().
#pragma once

#include "../base/workers.hpp"
#include "../calls/row_merge.hpp"
#include "../drivers/normaliser.hpp"
#include "../report/report.hpp"
#include "../system/thread_observer.hpp"
#include "capture_survey.hpp"

#include <functional>

namespace lttng_gpu::run {

struct Outcome {
    report::TraceAccount account;
    std::optional<Timestamp> first;
    std::optional<Timestamp> last;
    /// CPUs whose buffers start later than others because they were overwritten.
    std::vector<trace::Loss> late_begins;
    /// What the tracer dropped; of very many the first ones.
    std::vector<trace::Loss> losses;
    std::uint64_t losses_left_out = 0;
    std::uint64_t jobs = 0;
    /// The events that jobs are made of, and others that were looked at; those that came.
    std::vector<std::pair<std::string, std::uint64_t>> seen;
    std::vector<std::string_view> layers; // APIs whose layer was in a program
    bool has_window = false;              // some part of the window is inside the trace
    std::optional<Error> stopped;         // reading failed on the way
};

class Pipeline final : public trace::EventConsumer {
public:
    Pipeline() = default;
    /// For the second reading of a capture; `survey` must outlive this. Null: it is the first.
    explicit Pipeline(const CaptureSurvey* survey) : m_survey{survey} {}

    /// What to ask an event source for; RawEvent::wanted indexes this list.
    static std::vector<trace::WantedEvent> wanted() { return model::Normaliser::wanted(); }
    /// The beginning of wanted(): what learn_clocks() needs.
    static std::vector<trace::WantedEvent> wanted_for_clocks()
    {
        return model::Normaliser::wanted_for_clocks();
    }
    /// In traces with times of devices a first reading by learn_clocks() pays.
    static bool has_clocks(const trace::EventSource& source);

    /// For the sources that this reads from (ReadOptions).
    trace::EnumerationTable& enumerations() { return *m_enumerations; }
    const StringPool& strings() const { return m_strings; }
    model::RingTable& rings() { return m_rings; }
    const model::RingTable& rings() const { return m_rings; }
    const AnomalyCounters& anomalies() const { return m_anomalies; }

    /// Reads all events about the clocks of devices, if there are any: start() then uses
    /// all of them for the mapping. `source` is another reading of the same traces,
    /// opened for wanted_for_clocks(); its anomalies are counted by the reading that follows only.
    void learn_clocks(trace::EventSource& source, const std::function<bool()>& should_stop);

    /// Reads to the end, or until `should_stop` returns true. With workers
    /// the sink is called on their threads, so it may look at nothing that changes.
    Outcome run(trace::EventSource& source, report::Window& window, model::JobSink& sink,
                Workers* workers, const std::function<bool()>& should_stop);

    /// The items come from the caller. All must outlive the pipeline's use; `totals` are the
    /// reader's and run ahead of the items.
    void start(const trace::SourceTotals& totals, report::Window& window, model::JobSink& sink);
    /// The items are those of `source`: its totals and what it knows before reading count.
    void start(const trace::EventSource& source, report::Window& window, model::JobSink& sink);
    /// The same without a window and without totals in the outcome.
    void start(model::JobSink& sink);
    /// See EventSource::announces_losses(); after start().
    void set_announces_losses(bool does);
    /// Gets the calls of APIs, too, on the thread that reads. Before start() or run().
    void set_call_sink(model::CallSink& sink) { m_call_sink = &sink; }
    /// Gets the scheduler's events, on the thread that reads; it outlives the pipeline's use.
    /// Before start() or run().
    void add_thread_observer(model::ThreadObserver& observer)
    {
        m_thread_observers.push_back(&observer);
    }
    /// Gets the values of counters, on the thread that reads. Before start() or run().
    void set_counter_sink(model::CounterSink& sink) { m_counter_sink = &sink; }
    /// API calls are named by what is likely, too. Before start() or run().
    void set_estimates_calls(bool estimates) { m_estimates_calls = estimates; }
    void set_findings(model::CaptureFindings& findings)
    {
        m_stages->tracker.set_findings(findings);
    }
    void learn_from(const model::CaptureKnowledge& knowledge)
    {
        m_stages->tracker.learn_from(knowledge);
    }
    /// So far: events are known to be missing, so that a second reading will be needed.
    bool has_found_losses() const { return m_findings.has_losses || !m_findings.missing().empty(); }
    /// Reading failed; what was read before still counts.
    void stop(Error error) { m_outcome.stopped = std::move(error); }
    /// No more items. `await_sink` returns when the sink has seen all it was given.
    Outcome finish(const std::function<void()>& await_sink = [] {});

    void on_event(const trace::RawEvent& event) override
    {
        start_window();
        ++m_seen[event.wanted];
        Stages& stages = *m_stages;
        stages.tracker.advance(event.time);
        stages.tracker.set_cpu(event.cpu);
        stages.normaliser.on_event(event);
    }
    void on_loss(const trace::Loss& loss) override;
    void on_trace(TraceId trace, const trace::TraceFacts& facts) override
    {
        m_stages->normaliser.on_trace(trace, facts);
    }

    /// After run() over all of `source`: what a second reading needs, if it would improve the
    /// result.
    std::optional<CaptureSurvey> survey(const trace::EventSource& source, const Outcome& outcome);

private:
    /// A first reading for the clocks: only these and the enumerations are of `whole`.
    explicit Pipeline(Pipeline& whole)
        : m_clocks{whole.m_clocks}, m_enumerations{whole.m_enumerations}
    {
    }

    class JobCount final : public model::JobSink {
    public:
        explicit JobCount(model::JobSink& next) : m_next{next} {}

        void on_job(const model::Job& job) override
        {
            ++m_count;
            m_next.on_job(job);
        }
        void on_dependency(const model::Dependency& dependency) override
        {
            m_next.on_dependency(dependency);
        }
        void on_wait(const model::Wait& wait) override { m_next.on_wait(wait); }
        void on_unseen(const model::UnseenJobs& jobs) override { m_next.on_unseen(jobs); }
        void on_frame(const model::Frame& frame) override { m_next.on_frame(frame); }
        void on_api_call(const model::ReturnedCall& call) override { m_next.on_api_call(call); }
        void on_completion_notice(const model::CompletionNotice& end) override
        {
            m_next.on_completion_notice(end);
        }

        std::uint64_t count() const { return m_count; }

    private:
        model::JobSink& m_next;
        std::uint64_t m_count = 0;
    };

    /// Each gives to the one before it in this list.
    struct Stages {
        Stages(Pipeline& shared, model::JobSink& sink)
            : count{sink}, rows{count, shared.m_anomalies}, tracker{shared.m_rings,
                                                                    shared.m_anomalies, rows},
              normaliser{shared.m_strings, shared.m_rings,        shared.m_anomalies, tracker, rows,
                         *shared.m_clocks, *shared.m_enumerations}
        {
            rows.set_estimates_calls(shared.m_estimates_calls);
        }

        JobCount count;
        model::RowMerge rows;
        model::JobTracker tracker;
        model::Normaliser normaliser;
    };

    void count_gaps(const CaptureSurvey& survey);

    /// The window must be known before the first job comes out.
    void start_window()
    {
        if (!m_has_window && m_totals->first) [[unlikely]] {
            m_window->start(*m_totals->first);
            m_has_window = true;
        }
    }

    const CaptureSurvey* m_survey = nullptr;
    model::CaptureFindings m_findings;
    StringPool m_strings;
    model::RingTable m_rings{m_strings};
    AnomalyCounters m_anomalies;
    model::DeviceClocks m_own_clocks;
    model::DeviceClocks* m_clocks = &m_own_clocks;
    trace::EnumerationTable m_own_enumerations;
    trace::EnumerationTable* m_enumerations = &m_own_enumerations;
    std::optional<Stages> m_stages;
    model::CallSink* m_call_sink = nullptr;
    model::CounterSink* m_counter_sink = nullptr;
    std::vector<model::ThreadObserver*> m_thread_observers;
    const trace::SourceTotals* m_totals = nullptr;
    report::Window* m_window = nullptr;
    Outcome m_outcome;
    std::vector<std::uint64_t> m_seen = std::vector<std::uint64_t>(wanted().size());
    bool m_has_window = false; // or needs none
    bool m_estimates_calls = false;
};

} // namespace lttng_gpu::run
