// SPDX-License-Identifier: MIT
//
// The message iterator of filter.gpu.jobs. Each message from upstream is passed on
// unchanged, then the jobs that became final with it, at its time: a job's event is never
// earlier than messages already sent. Jobs that are still open come after the last message. Rows
// come in the order of `lttng-gpu jobs`.
#pragma once

#include "../correlate/run/pipeline.hpp"
#include "../correlate/trace/bt2/message_reader.hpp"
#include "../correlate/trace/bt2/relay.hpp"
#include "job_stream.hpp"

namespace lttng_gpu::plugin {

class JobsIterator final : public model::JobSink {
public:
    JobsIterator(bt_self_message_iterator* self, trace::Bt2MessageIteratorRef upstream);

    Expected<trace::Bt2Relay::Status> next(bt_message_array_const messages, std::uint64_t capacity,
                                           std::uint64_t& count);
    bt_message_iterator* upstream() const { return m_relay.upstream(); }
    /// Upstream is at its beginning again.
    void restart();

    void on_job(const model::Job& job) override;

private:
    /// What begins anew with the messages.
    struct Run {
        explicit Run(model::JobSink& sink) { pipeline.start(reader.totals(), window, sink); }

        report::Window window{{}};
        run::Pipeline pipeline;
        model::RingNames names{pipeline.rings()};
        trace::Bt2MessageReader reader{run::Pipeline::wanted(), &pipeline.enumerations()};
        std::optional<Timestamp> now; // the latest time that is out
        bool has_begun = false;       // the stream of jobs
    };

    void take(trace::Bt2MessageRef message);
    void advance(const bt_clock_snapshot* snapshot);
    void finish();
    void queue(trace::Bt2MessageRef message);

    bt_self_message_iterator* m_self;
    trace::Bt2Relay m_relay;
    std::unique_ptr<JobStream> m_stream; // made once
    std::unique_ptr<Run> m_run;
};

} // namespace lttng_gpu::plugin
