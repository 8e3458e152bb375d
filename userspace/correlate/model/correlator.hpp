// SPDX-License-Identifier: MIT
//
// Raw events in, decided jobs out: the normaliser and the job tracker behind the
// interface that every reader feeds. The texts, rings and counters are the
// caller's, because the layers above read them too.
#pragma once

#include "api/api_events.hpp"
#include "job_tracker.hpp"
#include "normaliser.hpp"

namespace lttng_gpu::model {

class Correlator final : public trace::EventConsumer {
public:
    /// `clocks` are those that an earlier reading learned; without them clocks are
    /// learned on the way. `enumerations` is the table that the reader was given; without it what
    /// only a trace can name has no name.
    Correlator(StringPool& strings, RingTable& rings, AnomalyCounters& anomalies, JobSink& sink,
               DeviceClocks* clocks = nullptr,
               const trace::EnumerationTable* enumerations = nullptr)
        : x_tracker{rings, anomalies, sink}, x_normaliser{
                                                 strings,
                                                 rings,
                                                 anomalies,
                                                 x_tracker,
                                                 sink,
                                                 clocks != nullptr ? *clocks : x_own_clocks,
                                                 enumerations != nullptr ? *enumerations
                                                                         : x_no_enumerations}
    {
    }

    /// What to ask an event source for; RawEvent::wanted indexes this list.
    static std::vector<trace::WantedEvent> wanted() { return Normaliser::wanted(); }

    /// The beginning of wanted(): what a first reading needs, so that the clocks know all.
    static std::vector<trace::WantedEvent> wanted_for_clocks()
    {
        return Normaliser::wanted_for_clocks();
    }
    /// In traces with times of devices a first reading pays.
    static bool has_clocks(const trace::EventSource& source)
    {
        return std::ranges::any_of(apis, [&](const Api& api) {
            return source.has_event(api.provider() + ":" + std::string{times_event});
        });
    }

    void on_clock_offset(TraceId trace, Duration offset) override
    {
        x_normaliser.set_clock_offset(trace, offset);
    }
    /// The trace's environment says which kernel wrote it, for example "6.1.0-18-amd64".
    void set_kernel_release(TraceId trace, std::string_view release)
    {
        x_normaliser.set_kernel_release(trace, release);
    }

    /// See JobTracker.
    void set_findings(CaptureFindings& findings) { x_tracker.set_findings(findings); }
    void trust_tracer() { x_tracker.trust_tracer(); }
    void learn_from(const CaptureKnowledge& knowledge) { x_tracker.learn_from(knowledge); }

    void on_event(const trace::RawEvent& event) override
    {
        x_tracker.advance(event.time);
        x_tracker.set_cpu(event.cpu);
        x_normaliser.on_event(event);
    }
    void on_loss(const trace::Loss& loss) override
    {
        x_tracker.advance(loss.begin);
        x_normaliser.on_loss(loss);
    }
    /// The trace is over: hands on what is still open.
    void finish()
    {
        x_tracker.finish();
        x_normaliser.finish();
    }

private:
    DeviceClocks x_own_clocks;
    trace::EnumerationTable x_no_enumerations;
    JobTracker x_tracker;
    Normaliser x_normaliser;
};

} // namespace lttng_gpu::model
