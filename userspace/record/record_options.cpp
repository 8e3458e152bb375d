// SPDX-License-Identifier: MIT
//
// See record_options.hpp.
#include "record_options.hpp"

#include "../correlate/base/apis.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <sstream>

namespace lttng_gpu::record {
namespace {

Failure bad(std::string message)
{
    return Failure{{ErrorKind::BadArguments, std::move(message)}};
}

struct Unit {
    std::string_view name;
    std::int64_t nanoseconds;
};

// The longest first: "ms" ends in "s".
constexpr std::array<Unit, 5> units{
    {{"ns", 1}, {"us", 1'000}, {"µs", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};

} // namespace

std::optional<std::uint64_t> parse_size(std::string_view text)
{
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || number == 0) {
        return {};
    }
    const std::string_view unit{rest, static_cast<std::size_t>(end - rest)};
    const unsigned shift = unit.empty()                 ? 0
                           : unit == "K" || unit == "k" ? 10
                           : unit == "M"                ? 20
                           : unit == "G"                ? 30
                                                        : 64;
    if (shift == 64 || number > std::numeric_limits<std::uint64_t>::max() >> shift) {
        return {};
    }
    return number << shift;
}

std::optional<Duration> parse_duration(std::string_view text)
{
    for (const Unit& unit : units) {
        if (!text.ends_with(unit.name)) {
            continue;
        }
        const std::string_view digits = text.substr(0, text.size() - unit.name.size());
        double number = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), number);
        constexpr double most_seconds = 3600;
        const double nanoseconds = number * static_cast<double>(unit.nanoseconds);
        if (error != std::errc{} || end != digits.data() + digits.size() || !(nanoseconds >= 1) ||
            nanoseconds > most_seconds * 1e9) {
            return {};
        }
        return Duration{static_cast<std::int64_t>(nanoseconds)};
    }
    return {};
}

Expected<EventChoice> parse_events(const std::string& text)
{
    EventChoice choice{false, false, {}, {}, {}};
    bool has_side = false;
    std::istringstream words{text};
    for (std::string word; std::getline(words, word, ',');) {
        const auto colon = word.find(':');
        const std::string side = word.substr(0, colon);
        if (colon != std::string::npos && colon + 1 < word.size() && side == "kernel") {
            choice.more_kernel.push_back(word.substr(colon + 1));
        } else if (colon != std::string::npos && colon + 1 < word.size() && side == "user") {
            choice.more_user.push_back(word.substr(colon + 1));
        } else if (colon != std::string::npos && colon + 1 < word.size() && side == "syscall") {
            choice.syscalls.push_back(word.substr(colon + 1));
        } else if (word == "all" || word == "kernel" || word == "user") {
            has_side = true;
            choice.has_kernel |= word != "user";
            choice.has_user |= word != "kernel";
        } else {
            return bad("--events: `" + word +
                       "`: invalid events (use all, kernel, user, kernel:PATTERN, user:PATTERN, "
                       "syscall:NAME)");
        }
    }
    if (!has_side) {
        choice.has_kernel = choice.has_user = true;
    }
    const bool needs_kernel = !choice.more_kernel.empty() || !choice.syscalls.empty();
    if ((!choice.has_kernel && needs_kernel) || (!choice.has_user && !choice.more_user.empty())) {
        return bad(
            "--events: a PATTERN or NAME is for kernel or user space, which is not recorded");
    }
    return choice;
}

Expected<std::vector<std::string>> parse_apis(const std::string& text)
{
    std::string known;
    for (const Api& api : apis) {
        known += (known.empty() ? "" : ", ") + std::string{api.name};
    }
    std::vector<std::string> chosen;
    std::istringstream words{text};
    for (std::string word; std::getline(words, word, ',');) {
        if (find_api(word) == nullptr) {
            return bad(fmt::format("--api: `{}`: no such API (use {})", word, known));
        }
        if (std::ranges::find(chosen, word) == chosen.end()) {
            chosen.push_back(word);
        }
    }
    if (chosen.empty()) {
        return bad(fmt::format("--api needs names of APIs (use {})", known));
    }
    return chosen;
}

bool is_chosen(const RecordOptions& options, std::string_view api)
{
    return options.apis.empty() || std::ranges::find(options.apis, api) != options.apis.end();
}

Expected<void> check(const RecordOptions& options)
{
    if (options.is_recovery) {
        return {};
    }
    if (options.command.empty()) {
        return bad("record needs a command: lttng-gpu record [options] -- COMMAND... (see --help)");
    }
    if (options.is_without_loss && options.is_flight_recorder) {
        return bad(
            "--no-loss and --snapshot exclude each other: a flight recorder overwrites events");
    }
    if (options.counter_interval && options.is_flight_recorder) {
        return bad(
            "--counters and --snapshot exclude each other: a snapshot has LTTng's buffers only");
    }
    if (options.has_snapshot_at_exit && !options.is_flight_recorder) {
        return bad("--snapshot-at-exit needs --snapshot");
    }
    if (!options.apis.empty() && !options.events.has_user) {
        return bad("--api is for user space, which --events leaves out");
    }
    if (!options.device.kernels.empty() && !options.events.has_user) {
        return bad("--device-trace is for user space, which --events leaves out");
    }
    if (options.is_without_loss && !options.events.has_user) {
        return bad("--no-loss is for user space: the kernel never waits for a full buffer");
    }
    return {};
}

std::string duration_text(Duration duration)
{
    const auto count = static_cast<double>(duration.value());
    if (duration.value() >= 1'000'000'000) {
        return fmt::format("{:.3g} s", count / 1e9);
    }
    return duration.value() >= 1'000'000 ? fmt::format("{:.3g} ms", count / 1e6)
                                         : fmt::format("{:.3g} µs", count / 1e3);
}

} // namespace lttng_gpu::record
