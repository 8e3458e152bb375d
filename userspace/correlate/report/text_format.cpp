// SPDX-License-Identifier: MIT
//
// See text_format.hpp.
#include "text_format.hpp"

#include "screen.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lttng_gpu::report {

void append_csv_cell(std::string& line, std::string_view text)
{
    constexpr std::string_view formula_starts = "=+-@\t\r";
    const bool is_formula =
        !text.empty() && formula_starts.find(text.front()) != std::string_view::npos;
    const std::string_view mark = is_formula ? "'" : "";
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        line += mark;
        line += text;
        return;
    }
    line += '"';
    line += mark;
    for (const char character : text) {
        if (character == '"') {
            line += '"';
        }
        line += character;
    }
    line += '"';
}

std::string csv_cell(std::string_view text)
{
    std::string cell;
    append_csv_cell(cell, text);
    return cell;
}

/// Eight characters at once: a difference that borrows, or a high bit, tells one that is not plain.
bool is_plain_json(std::string_view text)
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t highs = 0x8080808080808080;
    const auto has = [](std::uint64_t eight, char character) {
        const std::uint64_t zero_where = eight ^ (ones * static_cast<unsigned char>(character));
        return (zero_where - ones) & ~zero_where;
    };
    const auto marks = [&](std::uint64_t eight) {
        return (eight | (eight - ones * ' ') | (eight + ones) | has(eight, '"') |
                has(eight, '\\')) &
               highs;
    };
    std::uint64_t found = 0;
    for (; text.size() >= sizeof found; text.remove_prefix(sizeof found)) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, text.data(), sizeof eight);
        found |= marks(eight);
    }
    std::uint64_t rest = ones * ' ';
    std::memcpy(&rest, text.data(), text.size());
    return (found | marks(rest)) == 0;
}

void append_json_text(std::string& line, std::string_view text)
{
    if (is_plain_json(text)) {
        line += '"';
        line += text;
        line += '"';
        return;
    }
    using Json = nlohmann::json;
    line += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string human_duration(Duration duration)
{
    struct Unit {
        double nanoseconds;
        const char* name;
    };
    constexpr std::array<Unit, 3> units{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}}};
    const auto value = static_cast<double>(duration.value());
    for (const Unit& unit : units) {
        const double scaled = value / unit.nanoseconds;
        if (std::abs(scaled) >= 1.0) {
            const int decimals = std::abs(scaled) >= 99.95 ? 0 : std::abs(scaled) >= 9.995 ? 1 : 2;
            return fmt::format("{:.{}f} {}", scaled, decimals, unit.name);
        }
    }
    return fmt::format("{} ns", duration.value());
}

std::string human_percent(double ratio)
{
    constexpr double smallest_shown = 0.0005; // something is not nothing
    return ratio > 0 && ratio < smallest_shown ? std::string{"<0.1 %"}
                                               : fmt::format("{:.1f} %", ratio * 100.0);
}

std::string thread_name(std::string_view comm, Known<Tid> tid)
{
    const std::string_view name = comm.empty() ? "?" : comm;
    return tid ? fmt::format("{}-{}", name, tid->value()) : std::string{name};
}

std::string shortened(std::string_view text, std::size_t width)
{
    std::string cut = cut_end(text, width);
    return cut.size() == text.size() ? cut : cut.substr(0, cut.rfind("…")) + "~";
}

} // namespace lttng_gpu::report
