// SPDX-License-Identifier: MIT
//
// See source_text.hpp.
#include "source_text.hpp"

#include <cctype>
#include <vector>

namespace lttng_gpu::instrument {

std::size_t SourceText::skip_opaque(std::size_t offset) const
{
    const char first = at(offset);
    if (first == '/' && (at(offset + 1) == '/' || at(offset + 1) == '*')) {
        const bool is_line = at(offset + 1) == '/';
        const std::size_t end = m_text.find(is_line ? "\n" : "*/", offset + 2);
        return end == std::string::npos ? size() : end + (is_line ? 1 : 2);
    }
    if (first != '"' && first != '\'') {
        return offset;
    }
    for (std::size_t next = offset + 1; next < size(); ++next) {
        if (m_text[next] == '\\') {
            ++next;
        } else if (m_text[next] == first || m_text[next] == '\n') {
            return next + 1;
        }
    }
    return size();
}

std::size_t SourceText::skip_space(std::size_t offset) const
{
    for (;;) {
        while (offset < size() && std::isspace(static_cast<unsigned char>(m_text[offset])) != 0) {
            ++offset;
        }
        if (at(offset) == '\\' && at(offset + 1) == '\n') {
            offset += 2;
            continue;
        }
        if (at(offset) != '/') {
            return offset;
        }
        const std::size_t after = skip_opaque(offset);
        if (after == offset) {
            return offset;
        }
        offset = after;
    }
}

std::optional<std::size_t> SourceText::closing(std::size_t open) const
{
    std::size_t depth = 0;
    for (std::size_t offset = open; offset < size();) {
        const std::size_t after = skip_opaque(offset);
        if (after != offset) {
            offset = after;
            continue;
        }
        if (m_text[offset] == '(') {
            ++depth;
        } else if (m_text[offset] == ')' && --depth == 0) {
            return offset;
        }
        ++offset;
    }
    return {};
}

std::optional<ForHeader> SourceText::for_header(std::size_t begin) const
{
    const std::size_t open = skip_space(begin + 3);
    if (word(begin) != "for" || at(open) != '(') {
        return {};
    }
    const std::optional<std::size_t> close = closing(open);
    if (!close) {
        return {};
    }
    std::vector<std::size_t> semicolons;
    unsigned depth = 0;
    for (std::size_t offset = open; offset < *close;) {
        const std::size_t after = skip_opaque(offset);
        if (after != offset) {
            offset = after;
            continue;
        }
        const char here = m_text[offset];
        if (here == '#' || here == '{') {
            return {};
        }
        depth += here == '(' ? 1 : 0;
        depth -= here == ')' ? 1 : 0;
        if (here == ';' && depth == 1) { // deeper it is a macro's argument
            semicolons.push_back(offset);
        }
        ++offset;
    }
    return semicolons.size() == 2 ? std::optional{ForHeader{semicolons[0], semicolons[1], *close}}
                                  : std::nullopt;
}

std::string SourceText::word(std::size_t offset) const
{
    std::size_t end = offset;
    while (end < size() &&
           (std::isalnum(static_cast<unsigned char>(m_text[end])) != 0 || m_text[end] == '_')) {
        ++end;
    }
    return m_text.substr(offset, end - offset);
}

} // namespace lttng_gpu::instrument
