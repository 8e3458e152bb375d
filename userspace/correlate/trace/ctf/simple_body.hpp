// SPDX-License-Identifier: MIT
//
// The fast way over the bodies of events that are byte aligned and consist of
// little-endian integers and texts: first over them, to find where the next event
// begins, and once more when somebody takes the event and wants its values.
#pragma once

#include "trace_plan.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lttng_gpu::trace::ctf {

template <typename Number> Number load_little(const std::uint8_t* bytes)
{
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    if constexpr (std::endian::native == std::endian::big) {
        auto* begin = reinterpret_cast<unsigned char*>(&number);
        std::reverse(begin, begin + sizeof number);
    }
    return number;
}

/// The highest bit of the first byte that is zero is the lowest one set; none when none is.
inline std::uint64_t zeros_of(std::uint64_t eight)
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    return (eight - ones) & ~eight & tops;
}

/// The first zero byte, or null. Texts in events are short: a call of memchr() costs more.
inline const std::uint8_t* find_zero(const std::uint8_t* at, const std::uint8_t* end)
{
    while (end - at >= static_cast<std::ptrdiff_t>(sizeof(std::uint64_t))) {
        if (const auto zeros = zeros_of(load_little<std::uint64_t>(at)); zeros != 0) {
            return at + std::countr_zero(zeros) / 8;
        }
        at += sizeof(std::uint64_t);
    }
    while (at != end && *at != 0) {
        ++at;
    }
    return at == end ? nullptr : at;
}

/// Behind a text whose end is found by loads of eight bytes, the last of them at
/// `last`; null when that does not suffice.
inline const std::uint8_t* behind_string(const std::uint8_t* at, const std::uint8_t* last)
{
    std::uint64_t zeros = 0;
    do {
        if (at > last) [[unlikely]] {
            return nullptr;
        }
        zeros = zeros_of(load_little<std::uint64_t>(at));
        at += sizeof zeros;
    } while (zeros == 0);
    return at + std::countr_zero(zeros) / 8 - 7;
}

/// The same where such a load has found the end before.
inline const std::uint8_t* behind_string(const std::uint8_t* at)
{
    std::uint64_t zeros = 0;
    do {
        zeros = zeros_of(load_little<std::uint64_t>(at));
        at += sizeof zeros;
    } while (zeros == 0);
    return at + std::countr_zero(zeros) / 8 - 7;
}

/// Behind a simple body; null when it does not end inside the content.
inline const std::uint8_t* skip_simple(const EventPlan& plan, const std::uint8_t* at,
                                       const std::uint8_t* end)
{
    const Segment* segment = plan.segments.data();
    const Segment* const last = segment + plan.segments.size();
    do {
        if (static_cast<std::uint64_t>(end - at) < segment->bytes) [[unlikely]] {
            return nullptr;
        }
        at += segment->bytes;
        if (segment->has_string) {
            at = find_zero(at, end);
            if (at == nullptr) [[unlikely]] {
                return nullptr;
            }
            ++at;
        }
    } while (++segment != last);
    return at;
}

/// Eight bytes are there to be loaded wherever one of the field is.
inline std::uint64_t integer_at(const std::uint8_t* segment, const IntegerRead& read)
{
    const auto eight = load_little<std::uint64_t>(segment + read.offset);
    return ((eight & read.mask) ^ read.sign) - read.sign;
}

/// The text before the first zero of `length` bytes; as above, loads of eight bytes.
inline std::string_view text_at(const std::uint8_t* begin, std::uint32_t length)
{
    std::uint32_t at = 0;
    std::uint64_t zeros = 0;
    while (at < length && zeros == 0) {
        zeros = zeros_of(load_little<std::uint64_t>(begin + at));
        at += zeros == 0 ? 8U : static_cast<std::uint32_t>(std::countr_zero(zeros)) / 8;
    }
    return {reinterpret_cast<const char*>(begin), std::min(at, length)};
}

/// Reads what is wanted of a simple body into slots whose kinds are settled; see
/// Record::body for what must lie behind it.
inline void read_simple(const EventPlan& plan, const std::uint8_t* at, FieldValue* values)
{
    const IntegerRead* integer = plan.integer_reads.data();
    const TextRead* text = plan.text_reads.data();
    const Segment* segment = plan.segments.data();
    for (std::uint32_t left = plan.wanted_segments; left > 0; --left, ++segment) {
        for (const IntegerRead* last = integer + segment->integer_count; integer != last;
             ++integer) {
            values[integer->slot].set_bits(integer_at(at, *integer));
        }
        for (const TextRead* last = text + segment->text_count; text != last; ++text) {
            values[text->slot] = FieldValue{text_at(at + text->offset, text->length)};
        }
        at += segment->bytes;
        if (segment->has_string && (left > 1 || segment->is_string_wanted)) {
            const std::uint8_t* const behind = behind_string(at);
            if (segment->is_string_wanted) {
                values[segment->string_slot] = FieldValue{std::string_view{
                    reinterpret_cast<const char*>(at), static_cast<std::size_t>(behind - at) - 1}};
            }
            at = behind;
        }
    }
}

/// The same where all that is wanted are some integers at the beginning.
inline void read_dense(const EventPlan& plan, const std::uint8_t* body, FieldValue* values)
{
    const IntegerRead* read = plan.integer_reads.data();
    std::uint32_t left = plan.slot_count;
    if (left == 3) { // as often as any other number, and unrolled
        values[0].set_bits(integer_at(body, read[0]));
        values[1].set_bits(integer_at(body, read[1]));
        values[2].set_bits(integer_at(body, read[2]));
        return;
    }
    do {
        values->set_bits(integer_at(body, *read));
        ++values;
        ++read;
    } while (--left > 0);
}

} // namespace lttng_gpu::trace::ctf
