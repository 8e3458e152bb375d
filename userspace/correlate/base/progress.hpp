// SPDX-License-Identifier: MIT
//
// A bar on the terminal while a trace is read, if that takes more than a second:
// how much is read, how fast, how long it will take. Written to standard error
// only when that is a terminal which can erase a line; erased before anything else
// is printed. Called by the thread that reads, between pieces of some thousand
// items, so that looking at the clock costs nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace lttng_gpu {

/// The text of the line: at most `columns` characters.
std::string progress_line(std::optional<double> ratio, std::uint64_t events,
                          std::chrono::duration<double> elapsed, std::size_t columns);

class Progress {
public:
    using Clock = std::chrono::steady_clock;

    /// Shows nothing on a negative file descriptor. Time runs from here.
    explicit Progress(int terminal, Clock::time_point begin = Clock::now())
        : m_terminal{terminal}, m_begin{begin}, m_next{begin + std::chrono::seconds{1}}
    {
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { erase(); }

    /// `ratio` of everything is read, from 0 to 1, if the end is known.
    void update(std::optional<double> ratio, std::uint64_t events,
                Clock::time_point now = Clock::now());
    void erase();

private:
    int m_terminal;
    Clock::time_point m_begin;
    Clock::time_point m_next; // when to draw
    bool m_is_shown = false;
};

/// Standard error if a bar can be shown there, else -1. Rows of a result that go
/// to the same terminal would be mixed with it.
int progress_terminal(bool writes_rows_to_standard_output);

} // namespace lttng_gpu
