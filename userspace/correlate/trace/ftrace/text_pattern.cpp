// SPDX-License-Identifier: MIT
//
// See text_pattern.hpp. A text ends where the rest of the pattern fits, so names may
// hold spaces and '='; the number of attempts is bounded, whatever the text.
#include "text_pattern.hpp"

#include "text_value.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr unsigned most_tries = 64;

void set(std::span<FieldValue> values, const std::vector<std::size_t>& fields, FieldValue value)
{
    for (const std::size_t field : fields) {
        values[field] = value;
    }
}

void add_fields(std::vector<std::size_t>& indices, std::string_view names,
                const std::vector<std::string>& fields)
{
    while (!names.empty()) {
        const std::size_t bar = std::min(names.find('|'), names.size());
        const std::string_view name = names.substr(0, bar);
        for (std::size_t index = 0; index < fields.size(); ++index) {
            if (fields[index] == name) {
                indices.push_back(index);
            }
        }
        names.remove_prefix(std::min(bar + 1, names.size()));
    }
}

} // namespace

TextPattern::TextPattern(std::string_view pattern, const std::vector<std::string>& fields)
{
    std::vector<std::size_t> open;
    while (!pattern.empty()) {
        if (pattern.starts_with("{?")) {
            open.push_back(m_pieces.size());
            m_pieces.push_back({Kind::Begin, {}, 0, 0, {}});
            pattern.remove_prefix(2);
        } else if (pattern.starts_with("?}")) {
            m_pieces.push_back({Kind::End, {}, 0, 0, {}});
            m_pieces[open.back()].behind = m_pieces.size();
            open.pop_back();
            pattern.remove_prefix(2);
        } else if (pattern.starts_with('{')) {
            const std::size_t end = pattern.find('}');
            const Piece& place = add_place(pattern.substr(1, end - 1), fields);
            if (open.empty() && place.kind != Kind::Constant) {
                m_required.insert(m_required.end(), place.fields.begin(), place.fields.end());
            }
            pattern.remove_prefix(end + 1);
        } else {
            const std::size_t end =
                std::min({pattern.find('{'), pattern.find("?}"), pattern.size()});
            m_pieces.push_back({Kind::Literal, pattern.substr(0, end), 0, 0, {}});
            pattern.remove_prefix(end);
        }
    }
}

TextPattern::Piece& TextPattern::add_place(std::string_view place,
                                           const std::vector<std::string>& fields)
{
    Piece piece;
    piece.kind = Kind::Number;
    if (place == "*") {
        piece.kind = Kind::Rest;
    } else if (place.ends_with(":x")) {
        piece.kind = Kind::Hex;
        place.remove_suffix(2);
    } else if (place.ends_with(":s")) {
        piece.kind = Kind::Text;
        place.remove_suffix(2);
    } else if (const std::size_t equal = place.find('='); equal != std::string_view::npos) {
        piece.kind = Kind::Constant;
        std::string_view digits = place.substr(equal + 1);
        piece.constant = take_digits(digits).value_or(0);
        place = place.substr(0, equal);
    }
    add_fields(piece.fields, place, fields);
    return m_pieces.emplace_back(std::move(piece));
}

bool TextPattern::match(std::string_view text, std::span<FieldValue> values) const
{
    std::fill(values.begin(), values.end(), FieldValue{});
    Walk walk{text, values, most_tries};
    return match_from(0, 0, walk);
}

/// Whether the optional part that begins at `piece` is missing in the text.
bool TextPattern::skips(std::size_t piece, std::size_t at, const Walk& walk) const
{
    return !walk.text.substr(at).starts_with(m_pieces[piece + 1].literal);
}

/// Recursion is as deep as the pattern has texts.
bool TextPattern::match_from(std::size_t piece, std::size_t at, Walk& walk) const
{
    while (piece < m_pieces.size()) {
        const Piece& current = m_pieces[piece];
        std::string_view rest = walk.text.substr(at);
        std::size_t next = piece + 1;
        std::optional<FieldValue> value;
        switch (current.kind) {
        case Kind::Literal:
            if (!rest.starts_with(current.literal)) {
                return false;
            }
            rest.remove_prefix(current.literal.size());
            break;
        case Kind::Number:
        case Kind::Hex:
            value = current.kind == Kind::Hex ? take_hex(rest) : take_number(rest);
            if (!value) {
                return false;
            }
            set(walk.values, current.fields, *value);
            break;
        case Kind::Text:
            return match_text(piece, at, walk);
        case Kind::Constant:
            set(walk.values, current.fields, FieldValue{current.constant});
            break;
        case Kind::Begin:
            next = skips(piece, at, walk) ? current.behind : next;
            break;
        case Kind::End:
            break;
        case Kind::Rest:
            return true;
        }
        at = walk.text.size() - rest.size();
        piece = next;
    }
    return at == walk.text.size() || walk.text[at] == ',' || walk.text[at] == ' ';
}

/// What an attempt that failed has left.
void TextPattern::clear_after(std::size_t piece, Walk& walk) const
{
    for (++piece; piece < m_pieces.size(); ++piece) {
        set(walk.values, m_pieces[piece].fields, FieldValue{});
    }
}

bool TextPattern::match_text(std::size_t piece, std::size_t at, Walk& walk) const
{
    const bool is_last = piece + 1 == m_pieces.size();
    if (is_last) {
        set(walk.values, m_pieces[piece].fields, text_value(walk.text.substr(at)));
        return true;
    }
    const std::string_view border = m_pieces[piece + 1].literal;
    for (std::size_t end = walk.text.find(border, at); end != std::string_view::npos;
         end = walk.text.find(border, end + 1)) {
        if (walk.tries_left == 0) {
            return false;
        }
        --walk.tries_left;
        if (match_from(piece + 1, end, walk)) {
            set(walk.values, m_pieces[piece].fields, text_value(walk.text.substr(at, end - at)));
            return true;
        }
        clear_after(piece, walk);
    }
    return false;
}

} // namespace lttng_gpu::trace::ftrace
