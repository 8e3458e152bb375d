// SPDX-License-Identifier: MIT
//
// See jobs_iterator.hpp.
#include "jobs_iterator.hpp"

#include "../correlate/run/conclusion.hpp"
#include "../correlate/trace/bt2/message_clock.hpp"

#include <iostream>

namespace lttng_gpu::plugin {

JobsIterator::JobsIterator(bt_self_message_iterator* self, trace::Bt2MessageIteratorRef upstream)
    : m_self{self}, m_relay{std::move(upstream)}
{
    restart();
}

void JobsIterator::restart()
{
    m_relay.restart();
    m_run = std::make_unique<Run>(*this);
}

Expected<trace::Bt2Relay::Status> JobsIterator::next(bt_message_array_const messages,
                                                     std::uint64_t capacity, std::uint64_t& count)
{
    return m_relay.next(
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
    m_run->reader.read(borrowed, m_run->pipeline);
}

/// The stream of jobs begins at the first message with a time, because only that shows
/// a clock.
void JobsIterator::advance(const bt_clock_snapshot* snapshot)
{
    const auto time = trace::time_of(snapshot);
    if (!time) {
        return;
    }
    m_run->now = std::max(m_run->now.value_or(*time), *time);
    if (!m_stream && !m_relay.failed()) {
        auto stream =
            JobStream::create(bt_self_message_iterator_borrow_component(m_self),
                              bt_clock_snapshot_borrow_clock_class_const(snapshot), *time);
        if (!stream) {
            m_relay.fail(stream.error());
            return;
        }
        m_stream = std::move(*stream);
    }
    if (m_stream && !m_run->has_begun) {
        m_run->has_begun = true;
        queue(m_stream->make_beginning(m_self));
    }
}

/// Events with a time made the stream begin, and jobs come of such events only.
void JobsIterator::on_job(const model::Job& job)
{
    if (m_stream && m_run->now) {
        queue(m_stream->make_event(m_self, *m_run->now, job, m_run->names));
    }
}

void JobsIterator::finish()
{
    const run::Outcome outcome = m_run->pipeline.finish();
    if (m_run->has_begun) {
        queue(m_stream->make_end(m_self));
    }
    run::print_order_notes(std::cerr, m_run->pipeline.rings());
    run::print_name_notes(std::cerr, m_run->names);
    run::print_damage(std::cerr, outcome);
}

void JobsIterator::queue(trace::Bt2MessageRef message)
{
    if (!message) {
        m_relay.fail({ErrorKind::Output, "not enough memory for the message of a job"});
        return;
    }
    m_relay.push(std::move(message));
}

} // namespace lttng_gpu::plugin
