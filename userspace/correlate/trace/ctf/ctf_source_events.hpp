// SPDX-License-Identifier: MIT
//
// The loop that hands out events, for any class of consumer. Each class of event has
// a place with all that never changes; only time, CPU and values are written to it.
#pragma once

#include "ctf_source.hpp"
#include "located_body.hpp"
#include "simple_body.hpp"

namespace lttng_gpu::trace::ctf {

template <typename Consumer> Expected<bool> CtfSource::read_some_into(Consumer& consumer)
{
    constexpr std::size_t some_items = 8192;
    constexpr unsigned some_windows = 8; // with nothing in them
    std::size_t items = 0;
    for (unsigned windows = 0; items < some_items && windows < some_windows; ++windows) {
        if (m_next_record == m_window->records.size() && !next_window()) {
            return conclude();
        }
        for (const Loss& loss : std::exchange(m_late_begins, {})) {
            consumer.on_loss(loss);
        }
        const Record* record = m_window->records.data() + m_next_record;
        const std::size_t count =
            std::min(m_window->records.size() - m_next_record, some_items - items);
        const Record* const end = record + count;
        while (record != end) {
            if (!record->form.is_stored() && record->plan->is_dense) {
                record = hand_out_dense(record, end, consumer);
            } else {
                fetch_body(record[RecordList::spare]);
                hand_out(*record++, consumer);
            }
        }
        m_next_record += count;
        items += count;
    }
    return true;
}

/// Another thread may have decoded it, and other streams lie between one body and the
/// next: brings it into the cache.
inline void CtfSource::fetch_body(const Record& record)
{
    constexpr std::size_t cache_line = 64;
    const auto body = reinterpret_cast<std::uintptr_t>(record.body); // or values, no matter
    __builtin_prefetch(reinterpret_cast<const void*>(body));
    __builtin_prefetch(reinterpret_cast<const void*>(body + cache_line));
}

/// The events from `record` on that are of its class, of which only integers are wanted. What
/// is the same for all of them is settled before.
template <typename Consumer>
inline const Record* CtfSource::hand_out_dense(const Record* record, const Record* end,
                                               Consumer& consumer)
{
    const EventPlan& plan = *record->plan;
    if (plan.is_any_signed || plan.place->has_contexts) {
        return hand_out_run(record, end, consumer, [&plan](const std::uint8_t* body) {
            EventPlace& place = *plan.place;
            read_dense<integer_at>(plan.integer_reads.data(), plan.slot_count, body, place.slots);
            if (place.has_contexts) {
                take_contexts(plan, place);
            }
        });
    }
    FieldValue* const slots = plan.place->slots;
    const IntegerRead* const reads = plan.integer_reads.data();
    if (plan.slot_count == 3) { // as often as any other number
        return hand_out_run(record, end, consumer, [=](const std::uint8_t* body) {
            slots[0].set_bits(unsigned_at(body, reads[0]));
            slots[1].set_bits(unsigned_at(body, reads[1]));
            slots[2].set_bits(unsigned_at(body, reads[2]));
        });
    }
    return hand_out_run(record, end, consumer,
                        [=, count = plan.slot_count](const std::uint8_t* body) {
                            read_dense<unsigned_at>(reads, count, body, slots);
                        });
}

/// The same with a way to read their values.
template <typename Consumer, typename Read>
inline const Record* CtfSource::hand_out_run(const Record* record, const Record* end,
                                             Consumer& consumer, Read read)
{
    const EventPlan* const plan = record->plan;
    EventPlace& place = *plan->place;
    do {
        fetch_body(record[RecordList::spare]);
        read(record->body);
        place.event.time = Timestamp{record->time};
        place.event.cpu = Cpu{record->cpu};
        consumer.on_event(place.event);
        ++record;
    } while (record != end && record->plan == plan && !record->form.is_stored());
    return record;
}

inline void CtfSource::take_contexts(const EventPlan& plan, EventPlace& place)
{
    const auto context = [&](std::uint32_t slot) {
        return slot == EventPlan::none ? FieldValue{} : place.slots[slot];
    };
    trace::ContextValues& taken = place.event.context;
    taken.pid = context(plan.pid_slot);
    taken.tid = context(plan.tid_slot);
    taken.procname = context(plan.procname_slot);
    if (plan.has_namespace) { // else they stay empty
        taken.pid_ns = context(plan.pid_ns_slot);
        taken.vpid = context(plan.vpid_slot);
        taken.vtid = context(plan.vtid_slot);
    }
}

template <typename Consumer>
inline void CtfSource::hand_out(const Record& record, Consumer& consumer)
{
    const EventPlan* const plan = record.plan;
    if (record.form.is_stored()) [[unlikely]] {
        if (plan == nullptr) {
            consumer.on_loss(m_window->losses[record.values.first]);
        } else {
            consumer.on_event(stored_event(record));
        }
        return;
    }
    EventPlace& place = *plan->place;
    if (record.form.has_lengths()) [[likely]] {
        read_located(*plan, record.body, record.form.lengths(), place.slots);
    } else {
        read_simple(*plan, record.body, place.slots);
    }
    if (place.has_contexts) {
        take_contexts(*plan, place);
    }
    place.event.time = Timestamp{record.time};
    place.event.cpu = Cpu{record.cpu};
    consumer.on_event(place.event);
}

/// Reads from whatever the source is, and from a CtfSource in the fast way.
template <typename Consumer> Expected<bool> read_some_from(EventSource& source, Consumer& consumer)
{
    auto* const fast = dynamic_cast<CtfSource*>(&source);
    return fast != nullptr ? fast->read_some_into(consumer) : source.read_some(consumer);
}

} // namespace lttng_gpu::trace::ctf
