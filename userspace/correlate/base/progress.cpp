// SPDX-License-Identifier: MIT
//
// See progress.hpp.
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace lttng_gpu {
namespace {

constexpr std::chrono::milliseconds redraw{100};
constexpr std::string_view erase_line = "\r\033[K"; // ECMA-48, EL: to the end of the line

/// What cannot be written to a terminal is not worth a word.
void write_all(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written <= 0) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::size_t columns_of(int terminal)
{
    winsize size{};
    return ::ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string rate_text(double per_second)
{
    return per_second >= 1e6 ? fmt::format("{:.1f} M events/s", per_second / 1e6)
                             : fmt::format("{:.0f} k events/s", per_second / 1e3);
}

std::string time_text(double seconds)
{
    const auto whole = static_cast<std::uint64_t>(std::round(seconds));
    return whole < 60 ? fmt::format("{} s left", std::max<std::uint64_t>(whole, 1))
                      : fmt::format("{}:{:02} min left", whole / 60, whole % 60);
}

} // namespace

std::string progress_line(std::optional<double> ratio, std::uint64_t events,
                          std::chrono::duration<double> elapsed, std::size_t columns)
{
    const double seconds = std::max(elapsed.count(), 1e-3);
    const std::string rate = rate_text(static_cast<double>(events) / seconds);
    std::string line;
    if (!ratio) {
        line = fmt::format("reading: {} events, {}", events, rate);
    } else {
        const double done = std::clamp(*ratio, 0.0, 1.0);
        const std::string numbers = fmt::format(
            " {:3.0f} %  {}{}", std::floor(done * 100), rate,
            done > 0.01 ? "  " + time_text(seconds / done * (1 - done)) : std::string{});
        constexpr std::size_t widest_bar = 40;
        const std::size_t room = columns > numbers.size() + 12 ? columns - numbers.size() - 12 : 0;
        const std::size_t width = std::min(room, widest_bar);
        const auto full = static_cast<std::size_t>(done * static_cast<double>(width));
        line = fmt::format("reading [{}{}]{}", std::string(full, '#'),
                           std::string(width - full, ' '), numbers);
    }
    return line.substr(0, columns);
}

void Progress::update(std::optional<double> ratio, std::uint64_t events, Clock::time_point now)
{
    if (m_terminal < 0 || now < m_next) {
        return;
    }
    m_next = now + redraw;
    m_is_shown = true;
    // The last column stays free: some terminals go to the next line after it.
    const std::string line =
        progress_line(ratio, events, now - m_begin, columns_of(m_terminal) - 1);
    write_all(m_terminal, std::string{erase_line} + line);
}

void Progress::erase()
{
    if (m_is_shown) {
        write_all(m_terminal, erase_line);
        m_is_shown = false;
    }
}

int progress_terminal(bool writes_rows_to_standard_output)
{
    if (::isatty(STDERR_FILENO) == 0) {
        return -1;
    }
    const char* type = std::getenv("TERM");
    const bool can_erase = type != nullptr && *type != '\0' && std::strcmp(type, "dumb") != 0;
    const bool is_mixed = writes_rows_to_standard_output && ::isatty(STDOUT_FILENO) != 0;
    return can_erase && !is_mixed ? STDERR_FILENO : -1;
}

} // namespace lttng_gpu
