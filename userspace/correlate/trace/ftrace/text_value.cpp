// SPDX-License-Identifier: MIT
//
// See text_value.hpp.
#include "text_value.hpp"

#include <charconv>

namespace lttng_gpu::trace::ftrace {
namespace {

template <typename Number>
std::optional<Number> take(std::string_view& text, std::size_t skipped, int base)
{
    Number value{};
    const char* begin = text.data() + skipped;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, value, base);
    if (error != std::errc{} || stop == begin) {
        return {};
    }
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return value;
}

bool is_key_border(char character)
{
    return character == ' ' || character == ',' || character == '(' || character == '{';
}

/// Behind the text in quotes that begins at `at`. Probe events print any text there
/// (print_type_string() in kernel/trace/trace_probe.c): a quote ends it only before a border, and
/// not behind a backslash.
std::size_t end_of_quotes(std::string_view text, std::size_t at)
{
    for (std::size_t quote = text.find('"', at + 1); quote != std::string_view::npos;
         quote = text.find('"', quote + 1)) {
        const std::size_t behind = quote + 1;
        const bool is_border = behind == text.size() || std::string_view{" ,)}"}.find(
                                                            text[behind]) != std::string_view::npos;
        if (is_border && text[quote - 1] != '\\') {
            return behind;
        }
    }
    return text.size();
}

/// The only place where `key` is followed by '=' or ':'; behind it. Not inside of quotes.
std::optional<std::size_t> find_key(std::string_view text, std::string_view key)
{
    std::optional<std::size_t> found;
    std::size_t quotes = text.find("=\"");
    for (std::size_t at = text.find(key); at != std::string_view::npos;
         at = text.find(key, at + 1)) {
        while (quotes < at) {
            const std::size_t end = end_of_quotes(text, quotes + 1);
            quotes = text.find("=\"", end);
            at = end > at ? text.find(key, end) : at;
        }
        if (at == std::string_view::npos) {
            break;
        }
        const std::size_t behind = at + key.size();
        const bool is_key = (at == 0 || is_key_border(text[at - 1])) && behind < text.size() &&
                            (text[behind] == '=' || text[behind] == ':');
        if (is_key && found) {
            return {};
        }
        if (is_key) {
            found = behind + 1;
        }
    }
    return found;
}

/// A pointer that the kernel hashed has 16 digits and the upper half clear (lib/vsprintf.c,
/// ptr_to_id()); read as decimal it would be another number.
bool is_hashed_pointer(std::string_view text)
{
    return text.size() == 16 && (text.starts_with("00000000") || text.starts_with("ffff"));
}

} // namespace

std::optional<FieldValue> take_number(std::string_view& text)
{
    if (text.starts_with('-')) {
        const auto value = take<std::int64_t>(text, 0, 10);
        return value ? std::optional{FieldValue{*value}} : std::nullopt;
    }
    if (text.starts_with("0x")) {
        return take_hex(text);
    }
    const auto value = take_digits(text);
    return value ? std::optional{FieldValue{*value}} : std::nullopt;
}

std::optional<FieldValue> take_hex(std::string_view& text)
{
    if (text.starts_with('(')) {
        const std::size_t end = text.find(')');
        if (end == std::string_view::npos) {
            return {};
        }
        text.remove_prefix(end + 1);
        return FieldValue{};
    }
    const auto value = take<std::uint64_t>(text, text.starts_with("0x") ? 2 : 0, 16);
    return value ? std::optional{FieldValue{*value}} : std::nullopt;
}

/// By hand, because most of the time of reading a text trace goes into this.
std::optional<std::uint64_t> take_digits(std::string_view& text)
{
    constexpr std::size_t always_fit = 19;
    std::uint64_t value = 0;
    std::size_t count = 0;
    for (; count < text.size(); ++count) {
        const auto digit = static_cast<unsigned>(static_cast<unsigned char>(text[count])) - '0';
        if (digit > 9) {
            break;
        }
        if (count < always_fit) {
            value = value * 10 + digit;
        } else if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
                   __builtin_add_overflow(value, std::uint64_t{digit}, &value)) {
            return {};
        }
    }
    if (count == 0) {
        return {};
    }
    text.remove_prefix(count);
    return value;
}

FieldValue text_value(std::string_view text)
{
    // kernel/trace/trace.c, trace_check_vprintf() (v5.12, 9a6944fee68e): "(0xADDRESS:TEXT)" or
    // "(0xADDRESS)" stands before the warning.
    constexpr std::string_view unsafe = "[UNSAFE-MEMORY]";
    if (!text.ends_with(unsafe)) {
        return FieldValue{text};
    }
    text.remove_suffix(unsafe.size());
    const std::size_t colon = text.find(':');
    if (!text.starts_with("(0x") || !text.ends_with(')') || colon == std::string_view::npos) {
        return {};
    }
    return FieldValue{text.substr(colon + 1, text.size() - colon - 2)};
}

FieldValue find_keyed_value(std::string_view text, std::string_view key)
{
    const auto at = find_key(text, key);
    if (!at) {
        return {};
    }
    std::string_view value = text.substr(*at);
    while (value.starts_with(' ')) {
        value.remove_prefix(1);
    }
    if (value.starts_with("(_") || value.starts_with("(null)") || value.starts_with("(fault)")) {
        return {};
    }
    if (value.starts_with('"')) {
        value = value.substr(1, end_of_quotes(value, 0) - 1);
        value.remove_suffix(value.ends_with('"') ? 1 : 0);
        return text_value(value);
    }
    value = value.substr(0, value.find_first_of(" ,)}"));
    std::string_view rest = value;
    const auto number = is_hashed_pointer(value) ? take_hex(rest) : take_number(rest);
    if (number && rest.empty()) {
        return *number;
    }
    return value.empty() ? FieldValue{} : text_value(value);
}

} // namespace lttng_gpu::trace::ftrace
