// SPDX-License-Identifier: MIT
//
// The fast way over the bodies of events that are byte aligned and consist of
// little-endian integers and texts: first over them, to find where the next event
// begins, and once more when somebody takes the event and wants its values.
#pragma once

#include "event_plan.hpp"
#include "text_end.hpp"

namespace lttng_gpu::trace::ctf {

/// A body may be read when so many bytes of content lie behind it: whatever is looked at
/// in it is loaded with as much.
constexpr std::ptrdiff_t body_margin = std::max<std::ptrdiff_t>(text_step, sizeof(std::uint64_t));

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

/// Reads what is wanted of a simple body into slots whose kinds are settled; body_margin
/// bytes of content must lie behind it.
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

inline std::uint64_t unsigned_at(const std::uint8_t* segment, const IntegerRead& read)
{
    return load_little<std::uint64_t>(segment + read.offset) & read.mask;
}

/// The same where all that is wanted are some integers at the beginning, at least one.
template <std::uint64_t (*integer)(const std::uint8_t*, const IntegerRead&)>
inline void read_dense(const IntegerRead* read, std::uint32_t count, const std::uint8_t* body,
                       FieldValue* values)
{
    do {
        values->set_bits(integer(body, *read));
        ++values;
        ++read;
    } while (--count > 0);
}

} // namespace lttng_gpu::trace::ctf
