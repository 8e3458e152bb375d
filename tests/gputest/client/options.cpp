// SPDX-License-Identifier: MIT
// Reads the command line of gputest-load; see options.hpp for the contract. Numbers are checked
// against bounds that keep a typing error from asking for the impossible, not against what the
// driver allows: that is the driver's to say.
#include "options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <getopt.h>

#include "gputest_uapi.h"

namespace lttng_gpu::gputest {
namespace {

unsigned parse_number(std::string_view name, std::string_view text, unsigned min, unsigned max)
{
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < min || value > max)
        throw UsageError("--" + std::string(name) + ": '" + std::string(text) +
                         "' is not a number from " + std::to_string(min) + " to " +
                         std::to_string(max));
    return value;
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(separator, begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

void parse_exec_us(std::string_view text, Options& options)
{
    const auto parts = split(text, ':');
    const unsigned max_us = GPUTEST_MAX_EXEC_NS / 1000;
    options.exec_us_min = parse_number("exec-us", parts.front(), 0, max_us);
    options.exec_us_max = parse_number("exec-us", parts.back(), options.exec_us_min, max_us);
    if (parts.size() > 2)
        throw UsageError("--exec-us: '" + std::string(text) + "' is not MIN:MAX");
}

void parse_devices(std::string_view text, Options& options)
{
    for (const auto& part : split(text, ','))
        options.devices.push_back(parse_number("devices", part, 0, 1000));
    std::ranges::sort(options.devices);
    const auto repeated = std::ranges::unique(options.devices);
    options.devices.erase(repeated.begin(), repeated.end());
}

constexpr option long_options[] = {
    {"devices", required_argument, nullptr, 'd'},
    {"rings", required_argument, nullptr, 'r'},
    {"processes", required_argument, nullptr, 'p'},
    {"threads", required_argument, nullptr, 't'},
    {"jobs", required_argument, nullptr, 'j'},
    {"exec-us", required_argument, nullptr, 'e'},
    {"dependency-percent", required_argument, nullptr, 'D'},
    {"fail-percent", required_argument, nullptr, 'F'},
    {"burst", required_argument, nullptr, 'b'},
    {"seed", required_argument, nullptr, 's'},
    {"abandon", no_argument, nullptr, 'a'},
    {"help", no_argument, nullptr, 'h'},
    {nullptr, 0, nullptr, 0},
};

void set_option(int letter, const char* argument, Options& options)
{
    const std::string_view text = argument ? argument : "";
    switch (letter) {
    case 'd':
        return parse_devices(text, options);
    case 'r':
        options.rings = split(text, ',');
        return;
    case 'p':
        options.processes = parse_number("processes", text, 1, 1000);
        return;
    case 't':
        options.threads = parse_number("threads", text, 1, 1000);
        return;
    case 'j':
        options.jobs = parse_number("jobs", text, 1, 100'000'000);
        return;
    case 'e':
        return parse_exec_us(text, options);
    case 'D':
        options.dependency_percent = parse_number("dependency-percent", text, 0, 100);
        return;
    case 'F':
        options.fail_percent = parse_number("fail-percent", text, 0, 100);
        return;
    case 'b':
        options.burst = parse_number("burst", text, 1, 100'000'000);
        return;
    case 's':
        options.seed = parse_number("seed", text, 0, UINT32_MAX);
        return;
    case 'a':
        options.is_abandoning = true;
        return;
    default:
        throw UsageError("try --help");
    }
}

} // namespace

std::optional<Options> parse_options(int argc, char** argv)
{
    Options options;
    int letter = 0;
    while ((letter = ::getopt_long(argc, argv, "", long_options, nullptr)) != -1) {
        if (letter == 'h')
            return std::nullopt;
        set_option(letter, optarg, options);
    }
    if (optind != argc)
        throw UsageError("'" + std::string(argv[optind]) + "' is not an option; try --help");
    return options;
}

} // namespace lttng_gpu::gputest
