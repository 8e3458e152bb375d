// SPDX-License-Identifier: MIT
//
// A text of at most sixteen bytes in three words, to compare and hash the names
// of rings, drivers and threads, which come with every event, without a loop and
// without a call. It holds the bytes themselves: equal words mean equal texts.
#pragma once

#include "ids.hpp"

#include <cstring>
#include <string_view>

namespace lttng_gpu::model {

class ShortText {
public:
    static constexpr std::size_t longest = 16;

    /// Equal to no text.
    ShortText() = default;
    /// The text is not longer than `longest`. Its last word may overlap its first.
    explicit ShortText(std::string_view text) : m_size{text.size()}
    {
        const char* const end = text.data() + text.size();
        if (text.size() >= 8) {
            m_first = load<std::uint64_t>(text.data());
            m_last = load<std::uint64_t>(end - 8);
        } else if (text.size() >= 4) {
            m_first = load<std::uint32_t>(text.data());
            m_last = load<std::uint32_t>(end - 4);
        } else if (!text.empty()) {
            m_first = static_cast<unsigned char>(text.front());
            m_last = static_cast<unsigned char>(text.back());
            m_last |= std::uint64_t{static_cast<unsigned char>(text[text.size() / 2])} << 8U;
        }
    }

    /// To be mixed into a hash; of eight bytes both words are the same.
    std::uint64_t digest() const { return 3 * m_first + m_last; }

    friend bool operator==(const ShortText& left, const ShortText& right)
    {
        return ((left.m_first ^ right.m_first) | (left.m_last ^ right.m_last) |
                (left.m_size ^ right.m_size)) == 0;
    }

private:
    template <typename Word> static Word load(const char* bytes)
    {
        Word word = 0;
        std::memcpy(&word, bytes, sizeof word);
        return word;
    }

    std::uint64_t m_first = 0;
    std::uint64_t m_last = 0;
    std::uint64_t m_size = longest + 1;
};

} // namespace lttng_gpu::model
