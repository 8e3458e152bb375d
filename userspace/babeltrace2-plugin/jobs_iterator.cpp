// SPDX-License-Identifier: MIT
//
// See jobs_iterator.hpp.
#include "jobs_iterator.hpp"

#include "../correlate/run/conclusion.hpp"
#include "../correlate/trace/bt2/message_clock.hpp"

#include <iostream>

namespace lttng_gpu::plugin {

JobsIterator::JobsIterator(bt_self_message_iterator* self, trace::Bt2MessageIteratorRef upstream)
    : x_self{self}, x_relay{std::move(upstream)}
{
    restart();
}

void JobsIterator::restart()
{
    x_relay.restart();
    x_run = std::make_unique<Run>(*this);
}

Expected<trace::Bt2Relay::Status> JobsIterator::next(bt_message_array_const messages,
                                                     std::uint64_t capacity, std::uint64_t& count)
{
    return x_relay.next(
        messages, capacity, count,
        [this](trace::Bt2MessageRef message) { take(std::move(message)); }, [this] { finish(); });
}

void JobsIterator::take(trace::Bt2MessageRef message)
{
    const bt_message* borrowed = message.get();
    queue(std::move(message));
    if (const auto* snapshot = trace::clock_snapshot_of(borrowed)) {
        advance(snapshot);
    }
    x_run->reader.read(borrowed, x_run->pipeline);
}

/// The stream of jobs begins at the first message with a time, because only that shows
/// a clock.
void JobsIterator::advance(const bt_clock_snapshot* snapshot)
{
    const auto time = trace::time_of(snapshot);
    if (!time) {
        return;
    }
    x_run->now = std::max(x_run->now.value_or(*time), *time);
    if (!x_stream && !x_relay.failed()) {
        auto stream =
            JobStream::create(bt_self_message_iterator_borrow_component(x_self),
                              bt_clock_snapshot_borrow_clock_class_const(snapshot), *time);
        if (!stream) {
            x_relay.fail(stream.error());
            return;
        }
        x_stream = std::move(*stream);
    }
    if (x_stream && !x_run->has_begun) {
        x_run->has_begun = true;
        queue(x_stream->make_beginning(x_self));
    }
}

/// Events with a time made the stream begin, and jobs come of such events only.
void JobsIterator::on_job(const model::Job& job)
{
    if (x_stream && x_run->now) {
        queue(x_stream->make_event(x_self, *x_run->now, job, x_run->names));
    }
}

void JobsIterator::finish()
{
    const run::Outcome outcome = x_run->pipeline.finish();
    if (x_run->has_begun) {
        queue(x_stream->make_end(x_self));
    }
    run::print_order_notes(std::cerr, x_run->pipeline.rings());
    run::print_name_notes(std::cerr, x_run->names);
    run::print_damage(std::cerr, outcome);
}

void JobsIterator::queue(trace::Bt2MessageRef message)
{
    if (!message) {
        x_relay.fail({ErrorKind::Output, "not enough memory for the message of a job"});
        return;
    }
    x_relay.push(std::move(message));
}

} // namespace lttng_gpu::plugin
