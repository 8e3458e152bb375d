// SPDX-License-Identifier: MIT
//
// lttng-gpu doctor: what a machine offers for recording GPU events, and what to
// do about what it lacks. Reads files only, and starts nothing.
#pragma once

#include "findings.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace lttng_gpu::doctor {

/// What no file below the root tells.
struct Environment {
    std::string user = "root";
    bool is_root = true;
    std::set<std::string> groups;
    int babeltrace_minor = 0;             // of libbabeltrace2 2.x
    std::filesystem::path program_folder; // where lttng-gpu itself is; empty: unknown
};

Environment find_environment();

Findings examine(const std::filesystem::path& root, const Environment& environment);

/// Nothing is missing for recording kernel events.
bool is_ready(const Findings& findings);

std::string findings_text(const Findings& findings);
std::string findings_json(const Findings& findings);

} // namespace lttng_gpu::doctor
