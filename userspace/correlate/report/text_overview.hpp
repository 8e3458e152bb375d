// SPDX-License-Identifier: MIT
//
// The first screen of the text report, made of one section in each file: what was recorded, a
// line for each ring, calls, the latest jobs, kernels that were recorded inside, why jobs are late,
// findings. Each section is empty where it has nothing to say, and says with which option there is
// more.
#pragma once

#include "report.hpp"
#include "screen.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::report {

/// How the report for people is printed.
struct TextOptions {
    Screen screen;
    bool has_details = false;       // also everything about each ring
    std::vector<std::string> rings; // only these, with details: names or patterns of them
    std::optional<std::size_t> top; // rows of each table
};

/// Rows of each table, so that all together are one screen of 40 lines.
struct Rows {
    std::size_t rings = 9;
    std::size_t calls = 5;
    std::size_t jobs = 5;
    std::size_t reasons = 4;
    std::size_t findings = 5;
    std::size_t kernels = 4;
};

struct Overview {
    const Report& report;
    const Screen& screen;
    Rows rows;
};

/// What was recorded, and what is missing.
std::string recorded_section(const Report& report, const Screen& screen);
std::string rings_section(const Overview& overview);
std::string calls_section(const Overview& overview);
std::string longest_section(const Overview& overview);
std::string kernels_section(const Overview& overview);
std::string reasons_section(const Overview& overview);
std::string findings_section(const Overview& overview);

/// All of them in order.
std::string overview_text(const Report& report, const TextOptions& options);

/// "9.51ms": a duration in six columns.
std::string short_duration(std::int64_t nanoseconds);
/// Of one phase, or "-" if no job has it.
std::string short_quantile(const LatencySummary& latency, std::int64_t LatencySummary::*quantile);
/// "61.3%"
std::string short_percent(double ratio);
/// "123456", "1.23M"
std::string short_count(std::uint64_t count);
/// The part of the window that a time is.
double share_of_window(std::int64_t time, const Report& report);
/// "… 3 more rings: --top 12", or nothing.
std::string more_rows(const Screen& screen, std::size_t all, std::size_t shown,
                      std::string_view what);
/// The only device that all rings are of; empty if there are several.
std::string only_device(const Report& report);

} // namespace lttng_gpu::report
