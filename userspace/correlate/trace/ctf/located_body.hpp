// SPDX-License-Identifier: MIT
//
// Reads the values of a body whose texts are of known lengths (RecordForm): the place of
// each is a sum, and no load waits for another one.
#pragma once

#include "event_plan.hpp"
#include "text_end.hpp"

namespace lttng_gpu::trace::ctf {

/// How many bytes the texts before each place of a body have: lane n is the sum of the lengths
/// of the first n texts.
class TextSums {
public:
    static constexpr unsigned lane_bits = 12;

    explicit constexpr TextSums(std::uint32_t lengths)
        : m_sums{(lane(lengths, 0) | lane(lengths, 1) | lane(lengths, 2) | lane(lengths, 3)) * ones}
    {
    }
    constexpr std::uint64_t operator[](std::uint32_t lane_shift) const
    {
        return m_sums >> lane_shift & lane_mask;
    }

private:
    static constexpr std::uint64_t lane_mask = (1U << lane_bits) - 1;
    /// A product with it adds to each lane all the lanes below.
    static constexpr std::uint64_t ones = 1 | std::uint64_t{1} << lane_bits |
                                          std::uint64_t{1} << 2 * lane_bits |
                                          std::uint64_t{1} << 3 * lane_bits;
    static_assert(RecordForm::most_texts == 4 && 5 * lane_bits <= 64);
    static_assert(RecordForm::most_texts * RecordForm::longest_text <= lane_mask);

    static constexpr std::uint64_t lane(std::uint32_t lengths, unsigned text)
    {
        return std::uint64_t{lengths >> text * RecordForm::length_bits & RecordForm::longest_text}
               << (text + 1) * lane_bits;
    }

    std::uint64_t m_sums;
};

/// As read_simple(), with the lengths of the body's texts.
inline void read_located(const EventPlan& plan, const std::uint8_t* body, std::uint32_t lengths,
                         FieldValue* values)
{
    const TextSums sums{lengths};
    const LocatedReads& reads = plan.located;
    for (const LocatedInteger& read : reads.integers) {
        const auto eight = load_little<std::uint64_t>(body + read.offset + sums[read.lane]);
        values[read.slot].set_bits(((eight & read.mask) ^ read.sign) - read.sign);
    }
    for (const LocatedString& read : reads.strings) {
        const auto* const text =
            reinterpret_cast<const char*>(body + read.offset + sums[read.lane]);
        values[read.slot] =
            FieldValue{std::string_view{text, lengths >> read.length & RecordForm::longest_text}};
    }
    for (const LocatedText& read : reads.texts) {
        values[read.slot] = FieldValue{text_at(body + read.offset + sums[read.lane], read.length)};
    }
}

} // namespace lttng_gpu::trace::ctf
