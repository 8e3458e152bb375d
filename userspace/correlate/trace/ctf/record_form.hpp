// SPDX-License-Identifier: MIT
//
// One word of a record: where its values are, and how long the texts of its body are.
// Who finds the end of an event passes over its texts; who reads the values need not look
// for their ends again, and need not wait for one text to know where the next one begins.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lttng_gpu::trace::ctf {

class RecordForm {
public:
    /// So many texts have a place, each of at most so many bytes without its zero.
    static constexpr std::size_t most_texts = 4;
    static constexpr unsigned length_bits = 7;
    static constexpr std::uint32_t longest_text = (1U << length_bits) - 1;

    /// A body whose texts' ends must be looked for.
    constexpr RecordForm() = default;
    /// Values that were read when the event was decoded, or a loss.
    static constexpr RecordForm stored() { return RecordForm{is_stored_bit | is_unknown_bit}; }
    /// A body, and what add_text() has made of its texts, beginning with 0.
    constexpr explicit RecordForm(std::uint32_t texts) : m_bits{texts} {}

    static constexpr void add_text(std::uint32_t& texts, std::size_t index, std::size_t length)
    {
        texts |= length > longest_text ? is_unknown_bit : short_text(index, length);
    }
    /// The same for a text that is short for certain.
    static constexpr std::uint32_t short_text(std::size_t index, std::size_t length)
    {
        return static_cast<std::uint32_t>(length) << (index * length_bits);
    }

    constexpr bool is_stored() const { return (m_bits & is_stored_bit) != 0; }
    constexpr bool has_lengths() const { return (m_bits & is_unknown_bit) == 0; }
    /// Of all texts, when it has them: text n has the bits from n * length_bits on.
    constexpr std::uint32_t lengths() const { return m_bits; }

private:
    static constexpr std::uint32_t is_unknown_bit = 1U << 30U;
    static constexpr std::uint32_t is_stored_bit = 1U << 31U;
    static_assert(most_texts * length_bits <= 30);

    std::uint32_t m_bits = is_unknown_bit;
};

} // namespace lttng_gpu::trace::ctf
