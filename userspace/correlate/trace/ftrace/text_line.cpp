// SPDX-License-Identifier: MIT
//
// See text_line.hpp. The forms, by example:
//   trace        `  <...>-2875  (   2875) [002] d..2.   240.436123: sched_switch: prev_comm=...`
//   trace-cmd    `      umr:cs0-6498  [016]   735.008761: drm_sched_job:        entity=...`
//   perf script  `  bash 50034/50034 [002]  2541.601278:   1 sched:sched_switch: prev_comm=...`
//   latency      `  gem_conc-1059    1..s1 79203443us : drm_sched_job: entity=...`
//   without CPU  `  bash 50034/50034  2541.601278: sched:sched_switch: prev_comm=...`
// `trace-cmd report --ts-diff` has ` (+12)` behind the time.
#include "text_line.hpp"

#include "graph_line.hpp"
#include "line_columns.hpp"
#include "line_prefix.hpp"
#include "text_value.hpp"

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t none = std::string_view::npos;

constexpr std::string_view decimal = "0123456789";

/// What may stand between the time and the event: the end of a time in us, the period of perf, the
/// time since the line before.
bool is_behind_time(std::string_view word)
{
    if (word == ":" || word == "+:" || word == "!:") {
        return true;
    }
    if (word.starts_with("(+") && word.ends_with(')')) {
        word = word.substr(1, word.size() - 2);
    }
    word.remove_prefix(word.starts_with('+') ? 1 : 0);
    word.remove_prefix(word.starts_with('-') ? 1 : 0);
    return word.find_first_not_of("0123456789.") == none;
}

/// Behind the CPU: flags if any, the time, the event. False: this is no event line.
bool read_time_and_event(std::string_view rest, TextLine& line)
{
    Clock clock = read_clock(take_word(rest));
    if (!clock.is_time) {
        clock = read_clock(take_word(rest));
    }
    if (!clock.is_time) {
        return false;
    }
    line.kind = LineKind::Event;
    line.time = clock.nanoseconds;
    trim_front(rest);
    std::string_view word = take_word(rest);
    while (!rest.empty() && is_behind_time(word)) {
        word = take_word(rest);
    }
    trim_front(rest);
    if (!word.ends_with(':')) {
        const bool is_cut = !word.empty() && rest.empty(); // inside of the event's name
        // A call chain is printed like an event; PERF_RECORD_LOST and functions have no colon.
        if (word == "<stack" || word == "<user") {
            line.kind = LineKind::Note;
        } else if (word == "PERF_RECORD_LOST" && take_word(rest) == "lost") {
            line.kind = LineKind::Lost;
            trim_front(rest);
            line.lost = take_digits(rest);
        }
        return !is_cut;
    }
    word.remove_suffix(1);
    line.event = word.substr(word.rfind(':') + 1);
    line.text = rest;
    trim_back(line.text);
    return true;
}

/// Finds the column `[002]` behind which a time follows.
bool read_with_cpu_column(std::string_view text, TextLine& line)
{
    for (std::size_t open = text.find('['); open != none; open = text.find('[', open + 1)) {
        std::string_view rest = text.substr(open + 1);
        const auto cpu = take_digits(rest);
        const bool is_column =
            cpu && *cpu < most_cpus && open > 0 && text[open - 1] == ' ' && rest.starts_with("] ");
        if (is_column && read_time_and_event(rest.substr(1), line)) {
            line.cpu = static_cast<std::uint32_t>(*cpu);
            return read_thread(text.substr(0, open), line);
        }
    }
    return false;
}

/// The latency format: `comm-pid`, then the CPU and the flags in one word.
bool read_latency_format(std::string_view text, TextLine& line)
{
    for (std::size_t dash = text.find('-'); dash != none; dash = text.find('-', dash + 1)) {
        std::string_view rest = text.substr(dash + 1);
        if (!take_digits(rest) || !rest.starts_with(' ')) {
            continue;
        }
        const std::string_view left = text.substr(0, text.size() - rest.size());
        std::string_view word = take_word(rest);
        const auto cpu = take_digits(word);
        const bool has_flags =
            word.size() >= 4 && word.size() <= 8 && word.find_first_of(":[(/") == none;
        if (cpu && *cpu < most_cpus && has_flags && read_time_and_event(rest, line)) {
            line.cpu = static_cast<std::uint32_t>(*cpu);
            return read_thread(left, line);
        }
    }
    return false;
}

/// perf script without the column of the CPU.
bool read_without_cpu(std::string_view text, TextLine& line)
{
    constexpr int most_words = 16; // before the time, in a thread's name of 15 bytes
    std::string_view rest = text;
    for (int words = 0; words < most_words && !rest.empty(); ++words) {
        trim_front(rest);
        const std::string_view from_here = rest;
        const std::string_view word = take_word(rest);
        if (!word.ends_with(':') || !read_clock(word).nanoseconds) {
            continue;
        }
        line.has_cpu = false;
        return read_time_and_event(from_here, line) && line.kind == LineKind::Event &&
               !line.event.empty() &&
               read_thread(text.substr(0, text.size() - from_here.size()), line);
    }
    return false;
}

/// perf script without times: `bash 50034 [002] sched:sched_switch: prev_comm=...`.
bool read_without_time(std::string_view text, TextLine& line)
{
    const std::size_t close = text.find("] ");
    const std::size_t open = text.rfind('[', close);
    if (close == none || open == none || !read_thread(text.substr(0, open), line)) {
        return false;
    }
    std::string_view inside = text.substr(open + 1, close - open - 1);
    std::string_view rest = text.substr(close + 1);
    const std::string_view word = take_word(rest);
    const std::size_t colon = word.find(':');
    if (!take_digits(inside) || !inside.empty() || colon == 0 || colon + 1 >= word.size() ||
        !word.ends_with(':')) {
        return false;
    }
    line.kind = LineKind::Event;
    line.has_stamp = false;
    return true;
}

/// `CPU:1 [LOST 123 EVENTS]` of the kernel, `CPU:1 [123 EVENTS DROPPED]` of trace-cmd;
/// without the number when they do not know it.
bool read_lost(std::string_view text, TextLine& line)
{
    if (!text.starts_with("CPU:")) {
        return false;
    }
    text.remove_prefix(4);
    const auto cpu = take_digits(text);
    if (!cpu || *cpu >= most_cpus || !text.starts_with(" [") || !text.ends_with(']') ||
        text.find("EVENTS") == none) {
        return false;
    }
    text.remove_prefix(std::min(text.find_first_of(decimal), text.size()));
    line.kind = LineKind::Lost;
    line.cpu = static_cast<std::uint32_t>(*cpu);
    line.lost = take_digits(text);
    return true;
}

/// The number behind `mark`; 0 when there is none.
std::uint32_t cpus_in(std::string_view text, std::string_view mark)
{
    const std::size_t at = text.find(mark);
    if (at == none) {
        return 0;
    }
    text.remove_prefix(at + mark.size());
    const auto cpus = take_digits(text);
    return cpus && *cpus <= most_cpus ? static_cast<std::uint32_t>(*cpus) : 0;
}

/// Lines that begin with '#'.
void read_comment(std::string_view text, TextLine& line)
{
    line.kind = LineKind::Note;
    constexpr std::string_view entries = "entries-in-buffer/entries-written:";
    constexpr std::string_view started = "##### CPU ";
    if (const std::size_t at = text.find(entries); at != none) {
        text.remove_prefix(at + entries.size());
        trim_front(text);
        const auto held = take_digits(text);
        text.remove_prefix(text.starts_with('/') ? 1 : 0);
        const auto written = take_digits(text);
        line.kind = LineKind::Entries;
        line.is_overwritten = held && written && *written > *held;
        line.held = held && written ? held : std::nullopt;
        line.cpus = cpus_in(text, "#P:");
    } else if (text.starts_with(started)) {
        text.remove_prefix(started.size());
        const auto cpu = take_digits(text);
        if (cpu && *cpu < most_cpus && text.starts_with(" buffer started")) {
            line.kind = LineKind::BufferStarted;
            line.cpu = static_cast<std::uint32_t>(*cpu);
        }
    }
}

/// `ffffffffa2f6627a [unknown] ([unknown])` of a call chain.
bool is_call(std::string_view text)
{
    const std::string_view address = text.substr(0, text.find(' '));
    return address.size() >= 4 && address.find_first_not_of("0123456789abcdef") == none &&
           text.ends_with(')');
}

/// What tools put between events.
bool is_note(std::string_view text)
{
    return text.empty() || text.starts_with("=>") || text.starts_with("cpus=") ||
           text.starts_with("version = ") || text.starts_with("-- ") || text == "TRACE:" ||
           text.starts_with("capturing trace") || text.starts_with("Dumping ftrace buffer") ||
           text.find_first_not_of('-') == none ||
           (text.starts_with("CPU ") && text.ends_with(" is empty"));
}

/// `a.dat: cpus=2`, the head of one of several files that trace-cmd prints as one text.
bool read_file_head(std::string_view text, TextLine& line)
{
    const std::size_t at = text.find(": cpus=");
    if (at == none || text.find(' ') != at + 1) {
        return false;
    }
    line.kind = LineKind::Note;
    line.file = text.substr(0, at);
    line.cpus = cpus_in(text, "cpus=");
    return true;
}

bool read_event(std::string_view raw, std::string_view text, TextLine& line)
{
    const auto reads = [&line](bool is_read) {
        line = is_read ? line : TextLine{};
        return is_read;
    };
    return reads(read_with_cpu_column(raw, line)) || reads(read_latency_format(text, line)) ||
           reads(read_graph_line(text, line)) || reads(read_without_cpu(text, line)) ||
           reads(read_without_time(text, line));
}

/// Something in it is a CPU's column or a time.
bool looks_like_event(std::string_view text)
{
    while (!text.empty()) {
        std::string_view word = take_word(text);
        if (read_clock(word).is_time) {
            return true;
        }
        word.remove_prefix(word.starts_with('[') ? 1 : 0);
        if (word.size() == 4 && word.ends_with(']') && take_digits(word) && word == "]") {
            return true;
        }
    }
    return false;
}

TextLine parse_bare(std::string_view raw)
{
    TextLine line;
    std::string_view text = raw;
    trim_front(text);
    trim_back(text);
    const bool is_indented = text.starts_with('\t');
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (is_note(text) || (is_indented && is_call(text))) {
        line.kind = LineKind::Note;
        line.cpus = text.starts_with("cpus=") ? cpus_in(text, "cpus=") : 0;
    } else if (text.starts_with('#')) {
        read_comment(text, line);
    } else if (!read_lost(text, line) && !read_event(raw, text, line) &&
               !read_file_head(text, line) && (is_indented || is_call(text))) {
        line.kind = LineKind::Note;
    }
    return line;
}

} // namespace

TextLine parse_line(std::string_view raw)
{
    if (raw.ends_with('\r')) {
        raw.remove_suffix(1);
    }
    const std::string_view bare = without_prefix(raw);
    TextLine line = parse_bare(bare);
    if (line.kind == LineKind::Unread && bare.size() != raw.size()) {
        line = parse_bare(raw); // a thread's name may look like a prefix
        if (line.kind == LineKind::Unread && !looks_like_event(bare)) {
            line.kind = LineKind::Note; // the log or the mail around the trace
        }
    }
    return line;
}

std::string_view no_times_text(bool has_stamps)
{
    if (has_stamps) {
        return "its clock counts no seconds (trace_clock counter, uptime or x86-tsc, or trace-cmd "
               "report --raw-ts), and nothing says how long a tick is; record with `echo mono > "
               "trace_clock` (trace-cmd record -C mono)";
    }
    return "its events have no times; of the tracer function_graph print them with `echo "
           "funcgraph-abstime > trace_options`, or better `echo nop > current_tracer`; of perf "
           "with "
           "perf script -F +time";
}

bool holds_another_line(std::string_view text)
{
    for (std::size_t open = text.find('['); open != none; open = text.find('[', open + 1)) {
        std::string_view rest = text.substr(open + 1);
        if (open == 0 || text[open - 1] != ' ' || !take_digits(rest) || !rest.starts_with("] ")) {
            continue;
        }
        rest.remove_prefix(1);
        const std::string_view first = take_word(rest);
        const std::string_view second = take_word(rest);
        if ((first.ends_with(':') && read_clock(first).nanoseconds) ||
            (second.ends_with(':') && read_clock(second).nanoseconds)) {
            return true;
        }
    }
    return false;
}

} // namespace lttng_gpu::trace::ftrace
