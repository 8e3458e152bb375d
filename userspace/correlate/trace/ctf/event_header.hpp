// SPDX-License-Identifier: MIT
//
// Reads LTTng's two event headers, which begin at a byte.
#pragma once

#include "event_header_form.hpp"
#include "structure_decoder.hpp"
#include "text_end.hpp"

namespace lttng_gpu::trace::ctf {

/// Of a short header.
struct IdAndTime {
    std::uint32_t id;
    std::uint32_t time; // the low bits of the clock
};

template <HeaderForm form> struct EventHeader {
    static constexpr bool is_compact = form == HeaderForm::Compact;
    static constexpr std::uint64_t short_bytes = is_compact ? compact_bytes : large_bytes;
    static constexpr std::uint64_t long_bytes =
        is_compact ? compact_extended_bytes : large_extended_bytes;
    static constexpr std::uint32_t long_id = mark_of_long_header(form);
    static constexpr unsigned time_bits = is_compact ? 32 - compact_id_bits : 32;

    /// All bytes of a short header are there.
    [[gnu::always_inline]] static inline IdAndTime read_short(const std::uint8_t* at)
    {
        if constexpr (is_compact) {
            const auto word = load_little<std::uint32_t>(at);
            return {word & ((1U << compact_id_bits) - 1), word >> compact_id_bits};
        } else {
            return {load_little<std::uint16_t>(at), load_little<std::uint32_t>(at + 2)};
        }
    }

    /// Behind the header; null when it does not end inside the content. `id` and `clock` are
    /// those of the event.
    static const std::uint8_t* read(const std::uint8_t* at, const std::uint8_t* end,
                                    std::uint32_t& id, StreamClock& clock)
    {
        const auto left = static_cast<std::uint64_t>(end - at);
        if (left < short_bytes) {
            return nullptr;
        }
        const IdAndTime header = read_short(at);
        id = header.id;
        if (id != long_id) {
            clock.advance(header.time, time_bits);
            return at + short_bytes;
        }
        if (left < long_bytes) {
            return nullptr;
        }
        id = load_little<std::uint32_t>(at + long_bytes - 12);
        clock.cycles = load_little<std::uint64_t>(at + long_bytes - 8);
        return at + long_bytes;
    }
};

} // namespace lttng_gpu::trace::ctf
