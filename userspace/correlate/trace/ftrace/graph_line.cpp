// SPDX-License-Identifier: MIT
//
// See graph_line.hpp. Time and thread are there when the options funcgraph-abstime and
// funcgraph-proc are set (print_graph_prologue() in kernel/trace/trace_functions_graph.c):
//   ` 735.008763 |   3)   Xorg-2504   |               |    /* drm_sched_job: entity=... */`
//   ` 3)               |    /* drm_sched_job: entity=... */`
//   ` 3)   1.432 us    |    drm_sched_wakeup [gpu_sched]();`
#include "graph_line.hpp"

#include "line_columns.hpp"
#include "text_value.hpp"

#include <string>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t none = std::string_view::npos;

/// `735.008763 |`, removed from `text`.
Clock take_time(std::string_view& text)
{
    std::string_view rest = text;
    const std::string word = std::string{take_word(rest)} + ':';
    trim_front(rest);
    const Clock clock = read_clock(word);
    if (!clock.is_time || !rest.starts_with('|')) {
        return {};
    }
    rest.remove_prefix(1);
    text = rest;
    return clock;
}

/// `3)`, removed from `text`.
bool take_cpu(std::string_view& text, TextLine& line)
{
    std::string_view rest = text;
    trim_front(rest);
    const auto cpu = take_digits(rest);
    if (!cpu || *cpu >= most_cpus || !rest.starts_with(')')) {
        return false;
    }
    rest.remove_prefix(1);
    text = rest;
    line.cpu = static_cast<std::uint32_t>(*cpu);
    return true;
}

/// A function's call or return; between two threads of a CPU `Xorg-2504 => kworker-88`.
bool is_function(std::string_view text)
{
    trim_back(text);
    return text.ends_with(';') || text.ends_with('{') || text.ends_with('}') ||
           text.find(" => ") != none;
}

/// What stands in the comment.
void read_event(std::string_view text, TextLine& line)
{
    trim_front(text);
    trim_back(text);
    std::string_view name = take_word(text);
    if (!name.ends_with(':')) {
        return;
    }
    name.remove_suffix(1);
    line.event = name.substr(name.rfind(':') + 1);
    trim_front(text);
    line.text = text;
}

} // namespace

bool read_graph_line(std::string_view text, TextLine& line)
{
    const Clock clock = take_time(text);
    const bool has_cpu = take_cpu(text, line);
    const std::size_t bar = text.find('|');
    const std::size_t open = text.find("/* ", bar == none ? 0 : bar);
    if (is_function(text.substr(0, open)) && (has_cpu || bar != none)) {
        line.kind = LineKind::Note;
        return true;
    }
    if (!has_cpu || bar == none || open == none || !text.ends_with(" */")) {
        return false;
    }
    line.kind = LineKind::Event;
    line.time = clock.nanoseconds;
    line.has_stamp = clock.is_time;
    read_thread(text.substr(0, bar), line);
    read_event(text.substr(open + 3, text.size() - open - 6), line);
    return true;
}

} // namespace lttng_gpu::trace::ftrace
