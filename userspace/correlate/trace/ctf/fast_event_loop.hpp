// SPDX-License-Identifier: MIT
//
// The loop over nearly all events, where the time goes: an event header of LTTng's
// two forms and a body of fixed size cost a load, an addition and some comparisons
// when nobody wants the event.
#pragma once

#include "event_header.hpp"
#include "simple_body.hpp"
#include "stream_batch.hpp"

namespace lttng_gpu::trace::ctf {

/// What the fast loop has come to.
struct FastState {
    const std::uint8_t* at;
    std::uint64_t cycles;
    Record* record;
    std::uint64_t events_left;
};

/// What it may not go beyond, and what all its events have in common.
struct FastLimits {
    const Record* end_record;
    const std::uint8_t* end;
    std::uint64_t last_cycles; // at most INT64_MAX: times do not wrap
    std::int64_t offset;
    std::uint32_t cpu;
};

/// Behind the first text from `at + offset` on, and so many bytes more. Where the next event
/// begins is what the processor waits for in this loop: from the end of the text to there it
/// is one addition, all that is known before is added up meanwhile. No text is looked at
/// behind `last`, which is so far from the end of the content that what follows is inside for
/// certain; null when that does not suffice. How long the text is goes to `texts`.
[[gnu::always_inline]] inline const std::uint8_t*
behind_text(const std::uint8_t* at, std::size_t offset, std::size_t bytes_behind,
            const std::uint8_t* last, std::uint32_t index, std::uint32_t& texts)
{
    if (at + offset > last) [[unlikely]] {
        return nullptr;
    }
    if (const auto zeros = zeros_at(at + offset); zeros != 0) [[likely]] {
        const std::uint8_t* known = at + (offset + bytes_behind + 1);
        asm("" : "+r"(known)); // or gcc adds `at` last
        const std::size_t length = first_zero(zeros);
        texts |= RecordForm::short_text(index, length);
        return known + length;
    }
    const std::uint8_t* const behind = behind_string(at + offset + text_step, last);
    if (behind == nullptr) {
        return nullptr;
    }
    RecordForm::add_text(texts, index, static_cast<std::size_t>(behind - (at + offset)) - 1);
    return behind + bytes_behind;
}

/// Behind an event with at least one text whose first is at `at + offset`.
[[gnu::always_inline]] inline const std::uint8_t*
behind_texts(const FastEvent& event, const std::uint8_t* at, std::size_t offset,
             const std::uint8_t* last, std::uint32_t& texts)
{
    at = behind_text(at, offset, event.bytes_behind[0], last, 0, texts);
    for (std::uint32_t text = 1; text < event.strings && at != nullptr; ++text) {
        at = behind_text(at, 0, event.bytes_behind[text], last, text, texts);
    }
    return at;
}

/// The processor fetches ahead by itself, but not into the next page.
[[gnu::always_inline]] inline void fetch_ahead(const std::uint8_t* at)
{
    constexpr std::uintptr_t distance = 1024;
    __builtin_prefetch(
        reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + distance));
}

/// Goes over events as long as nothing is special about them: a short header, a class
/// of FastEvent, a plain time, and far from the end of the content. All the rest is
/// left to the caller, who looks at one event more closely and comes back. The lengths of
/// texts are for who reads what lies behind them.
template <HeaderForm form, bool keeps_lengths>
[[gnu::noinline]] FastState run_fast(const StreamPlan& stream, FastState state,
                                     const FastLimits& limits)
{
    using Header = EventHeader<form>;
    constexpr std::uint64_t header_bytes = Header::short_bytes;
    constexpr std::uint32_t time_mask = UINT32_MAX >> (32 - Header::time_bits);
    // Behind where a text is looked at: the step itself, what follows the text, the margin.
    const std::uint64_t text_reserve = text_step + stream.max_bytes_behind + body_margin;
    const std::uint64_t reserve = header_bytes + stream.max_fast_bytes + text_reserve;
    if (static_cast<std::uint64_t>(limits.end - state.at) <= reserve ||
        state.cycles > limits.last_cycles) {
        return state;
    }
    const std::uint8_t* const last = limits.end - reserve;
    const std::uint8_t* const last_text = limits.end - text_reserve;
    const FastEvent* const table = stream.fast_events.data();
    const std::size_t table_size = stream.fast_events.size();
    const auto [end_record, end, last_cycles, offset, cpu] = limits;
    auto [at, cycles, record, events_left] = state;
    // An event is often of the class of the one before; when the processor guesses so,
    // it need not wait for the id to know where the next one begins.
    const FastEvent* event = nullptr;
    std::uint32_t known_id = UINT32_MAX;
    while (at < last && events_left > 0) {
        fetch_ahead(at);
        const auto [id, time] = Header::read_short(at);
        if (id != known_id) {
            if (id >= table_size || table[id].plan == nullptr) {
                break;
            }
            event = table + id;
            known_id = id;
        }
        // As StreamClock::advance(): the difference, modulo what the header can say.
        const std::uint64_t event_cycles =
            cycles + ((time - static_cast<std::uint32_t>(cycles)) & time_mask);
        if (event_cycles > last_cycles) {
            break;
        }
        const std::size_t bytes = header_bytes + event->bytes;
        std::uint32_t texts = 0;
        const std::uint8_t* const next =
            event->strings == 0 ? at + bytes : behind_texts(*event, at, bytes, last_text, texts);
        if (next == nullptr) [[unlikely]] {
            break;
        }
        if (event->is_wanted) {
            if (record == end_record) {
                break;
            }
            record->time = static_cast<std::int64_t>(event_cycles) + offset;
            record->plan = event->plan;
            record->body = at + header_bytes;
            record->cpu = cpu;
            record->form = keeps_lengths ? RecordForm{texts} : RecordForm{};
            ++record;
        }
        at = next;
        cycles = event_cycles;
        --events_left;
    }
    return {at, cycles, record, events_left};
}

} // namespace lttng_gpu::trace::ctf
