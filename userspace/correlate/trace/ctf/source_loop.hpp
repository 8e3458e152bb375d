// SPDX-License-Identifier: MIT
//
// The loop that hands out events, for any class of consumer. Streams come out of a
// heap; as long as one of them is the earliest its records are handed out in a row.
#pragma once

#include "simple_body.hpp"
#include "source.hpp"

namespace lttng_gpu::trace::ctf {

template <typename Consumer> Expected<bool> CtfSource::read_some_into(Consumer& consumer)
{
    constexpr std::size_t some_items = 8192;
    if (!x_is_started) {
        x_is_started = true;
        start();
        for (const Loss& loss : x_late_begins) {
            consumer.on_loss(loss);
        }
    }
    std::size_t items = 0;
    while (!x_heap.empty() && items < some_items) {
        Channel& channel = *x_heap.front().channel;
        items += emit(channel, find_second(), consumer);
        if (channel.next_record < channel.current->records.size() || next_batch(channel)) {
            x_heap.front().time = channel.current->records[channel.next_record].time;
        } else {
            x_heap.front() = x_heap.back();
            x_heap.pop_back();
        }
        sift_down();
    }
    return x_heap.empty() ? conclude() : Expected<bool>{true};
}

/// Hands out the channel's records up to where the second stream comes.
template <typename Consumer>
std::size_t CtfSource::emit(Channel& channel, const Head& second, Consumer& consumer)
{
    const Batch& batch = *channel.current;
    std::int64_t limit = INT64_MAX;
    if (second.channel != nullptr) {
        const bool wins_ties = channel.index < second.index;
        limit = second.time - (wins_ties || second.time == INT64_MIN ? 0 : 1);
    }
    const Record* record = batch.records.data() + channel.next_record;
    const Record* const first = record;
    const Record* const end = batch.records.data() + batch.records.size();
    // Kept from event to event: much of it is the same, and making it costs more.
    x_event.trace = channel.decoder.trace();
    x_event.cpu = Cpu{batch.cpu};
    // The first one is before the second stream; were it not, nothing would ever move.
    do {
        if (record->plan == nullptr) [[unlikely]] {
            consumer.on_loss(batch.losses[record->values.first]);
            continue;
        }
        if (record->plan != x_dense_plan ||
            !read_dense(*record->plan, record->body, record->end, x_slots.data())) {
            read_values(*record, batch);
        }
        x_event.time = Timestamp{record->time};
        consumer.on_event(x_event);
    } while (++record != end && record->time <= limit);
    channel.next_record = static_cast<std::size_t>(record - batch.records.data());
    return static_cast<std::size_t>(record - first);
}

} // namespace lttng_gpu::trace::ctf
