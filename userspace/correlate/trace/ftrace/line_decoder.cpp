// SPDX-License-Identifier: MIT
//
// See line_decoder.hpp.
#include "line_decoder.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t none = std::string_view::npos;

constexpr auto entities = std::to_array<std::pair<std::string_view, char>>({
    {"&lt;", '<'},
    {"&gt;", '>'},
    {"&amp;", '&'},
    {"&quot;", '"'},
    {"&#34;", '"'},
    {"&#39;", '\''},
    {"&#x27;", '\''},
    {"&nbsp;", ' '},
});

bool begins_page(std::string_view line)
{
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    std::string begin{line.substr(0, 9)};
    std::ranges::transform(begin, begin.begin(),
                           [](unsigned char letter) { return std::tolower(letter); });
    return begin == "<!doctype" || begin.starts_with("<html");
}

/// Whether markup begins here: "<pre>", "</b>", "<!--", but not "<idle>" without a page.
bool is_tag(std::string_view text)
{
    return text.size() > 1 && (std::isalpha(static_cast<unsigned char>(text[1])) != 0 ||
                               text[1] == '/' || text[1] == '!');
}

} // namespace

std::string_view LineDecoder::decode(std::string_view line)
{
    if (!m_is_begun) {
        constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
        line.remove_prefix(line.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
        m_is_begun = line.find_first_not_of(" \t\r") != none;
        m_is_page = begins_page(line);
    }
    if (m_is_page) {
        return decode_page(line);
    }
    return is_escaped(line) ? without_markup(line) : line;
}

/// What only an escaped line of a trace has decides for all lines from there on.
bool LineDecoder::is_escaped(std::string_view line)
{
    if (line.find('&') == none) {
        return false;
    }
    m_is_escaped = m_is_escaped || line.find("&lt;idle&gt;") != none ||
                   line.find("&lt;...&gt;") != none || line.find("==&gt;") != none;
    return m_is_escaped;
}

std::string_view LineDecoder::decode_page(std::string_view line)
{
    if (!m_is_in_script) {
        // systrace of later and of earlier Android
        const bool is_script = line.find("<script") != none && line.find("trace-data") != none;
        m_is_in_script = is_script || line.find("linuxPerfData = \"") != none;
        return m_is_in_script ? std::string_view{} : without_markup(line);
    }
    if (line.find("</script>") != none || line == "\";") {
        m_is_in_script = m_is_in_trace = false;
        return {};
    }
    constexpr std::string_view continued = "\\n\\";
    line.remove_suffix(line.ends_with(continued) ? continued.size() : 0);
    m_is_in_trace = m_is_in_trace || line.starts_with("# tracer: ");
    return line;
}

/// Without the tags of a page, and with the characters that entities stand for.
std::string_view LineDecoder::without_markup(std::string_view line)
{
    m_text.clear();
    while (!line.empty()) {
        const std::size_t end = std::min(line.find_first_of("<&"), line.size());
        m_text.append(line.substr(0, end));
        line.remove_prefix(end);
        if (line.empty()) {
            break;
        }
        const auto entity = std::ranges::find_if(
            entities, [&](const auto& known) { return line.starts_with(known.first); });
        const std::size_t close = line.find('>');
        if (entity != entities.end()) {
            m_text += entity->second;
            line.remove_prefix(entity->first.size());
        } else if (m_is_page && is_tag(line) && close != none) {
            line.remove_prefix(close + 1);
        } else {
            m_text += line.front();
            line.remove_prefix(1);
        }
    }
    return m_text;
}

} // namespace lttng_gpu::trace::ftrace
