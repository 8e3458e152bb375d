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

/// Eight bytes, or zeros for those that lie behind the content.
inline std::uint64_t load_eight(const std::uint8_t* at, const std::uint8_t* end)
{
    if (end - at >= static_cast<std::ptrdiff_t>(sizeof(std::uint64_t))) [[likely]] {
        return load_little<std::uint64_t>(at);
    }
    std::uint64_t value = 0;
    for (unsigned byte = 0; at + byte < end; ++byte) {
        value |= std::uint64_t{at[byte]} << (8 * byte);
    }
    return value;
}

/// The first zero byte, or null. Texts in events are short: a call of memchr() costs more.
inline const std::uint8_t* find_zero(const std::uint8_t* at, const std::uint8_t* end)
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    while (end - at >= static_cast<std::ptrdiff_t>(sizeof ones)) {
        const auto eight = load_little<std::uint64_t>(at);
        if (const std::uint64_t zeros = (eight - ones) & ~eight & tops; zeros != 0) {
            return at + std::countr_zero(zeros) / 8;
        }
        at += sizeof ones;
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
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    std::uint64_t zeros = 0;
    do {
        if (at > last) [[unlikely]] {
            return nullptr;
        }
        const auto eight = load_little<std::uint64_t>(at);
        zeros = (eight - ones) & ~eight & tops;
        at += sizeof ones;
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

inline FieldValue integer_of(std::uint64_t eight, const IntegerRead& read)
{
    return FieldValue::of_bits(((eight & read.mask) ^ read.sign) - read.sign, read.tag);
}

/// The values of a dense body (see EventPlan::dense_bytes), whose kinds stand in the
/// slots already; false when a load would go beyond the content.
inline bool read_dense(const EventPlan& plan, const std::uint8_t* body, const std::uint8_t* end,
                       FieldValue* values)
{
    if (static_cast<std::uint64_t>(end - body) < plan.dense_bytes) [[unlikely]] {
        return false;
    }
    const IntegerRead* read = plan.integer_reads.data();
    const auto value_of = [body](const IntegerRead& integer) {
        const auto eight = load_little<std::uint64_t>(body + integer.offset);
        return ((eight & integer.mask) ^ integer.sign) - integer.sign;
    };
    std::uint32_t left = plan.slot_count;
    if (left == 3) { // as often as any other number, and unrolled
        values[0].set_bits(value_of(read[0]));
        values[1].set_bits(value_of(read[1]));
        values[2].set_bits(value_of(read[2]));
        return true;
    }
    do {
        values->set_bits(value_of(*read));
        ++values;
        ++read;
    } while (--left > 0);
    return true;
}

inline void prepare_dense(const EventPlan& plan, FieldValue* values)
{
    for (std::uint32_t slot = 0; slot < plan.slot_count; ++slot) {
        values[slot] = FieldValue::of_bits(0, plan.integer_reads[slot].tag);
    }
}

/// Reads what is wanted of a body that skip_simple() has been over.
inline void read_simple(const EventPlan& plan, const std::uint8_t* at, const std::uint8_t* end,
                        FieldValue* values)
{
    const IntegerRead* integer = plan.integer_reads.data();
    const TextRead* text = plan.text_reads.data();
    const Segment* segment = plan.segments.data();
    for (std::uint32_t left = plan.wanted_segments; left > 0; --left, ++segment) {
        for (const IntegerRead* last = integer + segment->integer_count; integer != last;
             ++integer) {
            values[integer->slot] = integer_of(load_eight(at + integer->offset, end), *integer);
        }
        for (const TextRead* last = text + segment->text_count; text != last; ++text) {
            const char* begin = reinterpret_cast<const char*>(at + text->offset);
            values[text->slot] = FieldValue{std::string_view{begin, strnlen(begin, text->length)}};
        }
        at += segment->bytes;
        if (segment->has_string && (left > 1 || segment->is_string_wanted)) {
            const std::uint8_t* zero = find_zero(at, end);
            if (segment->is_string_wanted) {
                values[segment->string_slot] = FieldValue{std::string_view{
                    reinterpret_cast<const char*>(at), static_cast<std::size_t>(zero - at)}};
            }
            at = zero + 1;
        }
    }
}

} // namespace lttng_gpu::trace::ctf
