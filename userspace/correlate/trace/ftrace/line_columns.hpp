// SPDX-License-Identifier: MIT
//
// The columns that lines of all text forms have: words, the time, the thread.
#pragma once

#include "text_line.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ftrace {

inline void trim_front(std::string_view& text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

inline void trim_back(std::string_view& text)
{
    text = text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Takes what stands before the next space.
inline std::string_view take_word(std::string_view& text)
{
    trim_front(text);
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

struct Clock {
    bool is_time = false; // the word stands where the time has to stand
    std::optional<std::int64_t> nanoseconds;
};

/// `735.008761:` or `79203443us`, or the plain count of a clock that is no clock.
Clock read_clock(std::string_view word);

/// Before the CPU: the thread's name and id, the process's id if it was recorded. False: there is
/// none.
bool read_thread(std::string_view left, TextLine& line);

} // namespace lttng_gpu::trace::ftrace
