// SPDX-License-Identifier: MIT
//
// See text_line.hpp. The forms, by example:
//   trace        `  <...>-2875  (   2875) [002] d..2.   240.436123: sched_switch: prev_comm=...`
//   trace-cmd    `      umr:cs0-6498  [016]   735.008761: drm_sched_job:        entity=...`
//   perf script  `  bash 50034/50034 [002]  2541.601278:   1 sched:sched_switch: prev_comm=...`
//   latency      `  gem_conc-1059    1..s1 79203443us : drm_sched_job: entity=...`
#include "text_line.hpp"

#include "text_value.hpp"

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

void trim_front(std::string_view& text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

void trim_back(std::string_view& text)
{
    text = text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Takes what stands before the next space.
std::string_view take_word(std::string_view& text)
{
    trim_front(text);
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

/// The digits at the end, removed from `text`.
std::optional<std::int64_t> take_digits_back(std::string_view& text)
{
    const std::size_t begin = text.find_last_not_of("0123456789") + 1;
    std::string_view digits = text.substr(begin);
    const auto value = take_digits(digits);
    if (!value || *value > INT32_MAX) {
        return {};
    }
    text = text.substr(0, begin);
    return static_cast<std::int64_t>(*value);
}

struct Clock {
    bool is_time = false; // the word stands where the time has to stand
    std::optional<std::int64_t> nanoseconds;
};

constexpr std::int64_t billion = 1'000'000'000;

/// Seconds and as many digits behind the point as there are, up to nine.
std::optional<std::int64_t> to_nanoseconds(std::uint64_t seconds, std::string_view fraction)
{
    if (seconds >= static_cast<std::uint64_t>(INT64_MAX / billion) || fraction.size() > 9) {
        return {};
    }
    std::int64_t part = 0;
    for (std::size_t digit = 0; digit < 9; ++digit) {
        const char character = digit < fraction.size() ? fraction[digit] : '0';
        if (!is_digit(character)) {
            return {};
        }
        part = part * 10 + (character - '0');
    }
    return static_cast<std::int64_t>(seconds) * billion + part;
}

/// `735.008761:` or `79203443us`, or the plain count of a clock that is no clock.
Clock read_clock(std::string_view word)
{
    const auto count = take_digits(word);
    if (!count) {
        return {};
    }
    if (word.starts_with("us")) {
        const bool fits = *count < static_cast<std::uint64_t>(INT64_MAX / 1000);
        return {fits, static_cast<std::int64_t>(*count) * (fits ? 1000 : 0)};
    }
    if (!word.ends_with(':')) {
        return {};
    }
    word.remove_suffix(1);
    if (word.empty()) {
        return {true, {}};
    }
    if (!word.starts_with('.') || word.size() < 2) {
        return {};
    }
    const auto time = to_nanoseconds(*count, word.substr(1));
    return {time.has_value(), time};
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
    if (word == ":" || word == "+:" || word == "!:" ||
        word.find_first_not_of("0123456789") == none) {
        word = take_word(rest); // the end of a time in us, or perf's period
    }
    trim_front(rest);
    if (!word.ends_with(':')) {
        // A call chain is printed like an event; PERF_RECORD_LOST and functions have no colon.
        if (word == "<stack" || word == "<user") {
            line.kind = LineKind::Note;
        } else if (word == "PERF_RECORD_LOST" && take_word(rest) == "lost") {
            line.kind = LineKind::Lost;
            trim_front(rest);
            line.lost = take_digits(rest);
        }
        return true;
    }
    word.remove_suffix(1);
    line.event = word.substr(word.rfind(':') + 1);
    line.text = rest;
    trim_back(line.text);
    return true;
}

/// Before the CPU: the thread's name and id, the process's id if it was recorded.
bool read_thread(std::string_view left, TextLine& line)
{
    trim_back(left);
    if (left.ends_with(')')) {
        const std::size_t open = left.rfind('(');
        if (open == none) {
            return false;
        }
        std::string_view inside = left.substr(open + 1, left.size() - open - 2);
        if (const auto pid = take_digits_back(inside)) {
            line.pid = FieldValue{*pid};
        }
        left = left.substr(0, open);
        trim_back(left);
    }
    const auto tid = take_digits_back(left);
    if (!tid || left.empty()) {
        return false;
    }
    line.tid = FieldValue{*tid};
    const char border = left.back();
    left.remove_suffix(1);
    if (border == '/') {
        const auto pid = take_digits_back(left);
        if (!pid) {
            return false;
        }
        line.pid = FieldValue{*pid};
    } else if (border == '-' && !left.ends_with(' ')) {
        // The name has 16 columns; what is before them names the buffer.
        left.remove_prefix(left.size() > 16 ? left.size() - 16 : 0);
    } else if (border == '-') {
        line.tid = {}; // perf writes -1 for a thread that it does not know
    } else if (border != ' ') {
        return false;
    }
    trim_front(left);
    trim_back(left);
    if (left != "<...>" && left != "<idle>" && left != ":-1" && left != ":") {
        line.comm = left;
    }
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
            word.size() >= 4 && word.size() <= 6 && word.find_first_of(":[(/") == none;
        if (cpu && *cpu < most_cpus && has_flags && read_time_and_event(rest, line)) {
            line.cpu = static_cast<std::uint32_t>(*cpu);
            return read_thread(left, line);
        }
    }
    return false;
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
    text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
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

/// What trace-cmd and stack traces put between events.
bool is_note(std::string_view line, std::string_view text)
{
    return text.empty() || line.starts_with('\t') || text.starts_with("=>") ||
           text.starts_with("cpus=") || text.starts_with("version = ") ||
           (text.starts_with("CPU ") && text.ends_with(" is empty"));
}

} // namespace

TextLine parse_line(std::string_view raw)
{
    TextLine line;
    if (raw.ends_with('\r')) {
        raw.remove_suffix(1);
    }
    std::string_view text = raw;
    trim_front(text);
    trim_back(text);
    if (is_note(raw, text)) {
        line.kind = LineKind::Note;
        line.cpus = text.starts_with("cpus=") ? cpus_in(text, "cpus=") : 0;
    } else if (text.starts_with('#')) {
        read_comment(text, line);
    } else if (!read_lost(text, line) && !read_with_cpu_column(raw, line)) {
        line = {};
        if (!read_latency_format(text, line)) {
            line = {};
        }
    }
    return line;
}

} // namespace lttng_gpu::trace::ftrace
