// SPDX-License-Identifier: MIT
//
// The text of a program by offsets, and the little that must be known of its surface: where
// comments end, and which parenthesis closes another. What it means, the parser says.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace lttng_gpu::instrument {

/// Where the three parts of `for (...; ...; ...)` end.
struct ForHeader {
    std::size_t first_semicolon = 0;
    std::size_t second_semicolon = 0;
    std::size_t close = 0; ///< the closing parenthesis
};

class SourceText {
public:
    explicit SourceText(std::string text) : m_text{std::move(text)} {}

    const std::string& text() const { return m_text; }
    std::size_t size() const { return m_text.size(); }
    char at(std::size_t offset) const { return offset < m_text.size() ? m_text[offset] : '\0'; }

    /// The first offset from there on that is neither white space nor in a comment.
    std::size_t skip_space(std::size_t offset) const;
    /// Of the parenthesis that closes the one at `open`; nothing if there is none.
    std::optional<std::size_t> closing(std::size_t open) const;
    /// Of the `for` that begins there; nothing if macros or the preprocessor make it look
    /// different.
    std::optional<ForHeader> for_header(std::size_t begin) const;
    /// Whether only white space and comments lie in [begin, end).
    bool is_blank(std::size_t begin, std::size_t end) const { return skip_space(begin) >= end; }
    /// The text of the word that begins there.
    std::string word(std::size_t offset) const;

private:
    /// After the literal or comment that begins there; the same offset if none does.
    std::size_t skip_opaque(std::size_t offset) const;

    std::string m_text;
};

} // namespace lttng_gpu::instrument
