// SPDX-License-Identifier: MIT
//
// What it takes to record the programs of an API, and what of it is there: the loader that programs
// are linked with, a driver that the loader finds, our layer, and the provider that writes its
// events.
#pragma once

#include "../correlate/base/apis.hpp"
#include "doctor.hpp"
#include "machine.hpp"

namespace lttng_gpu::doctor {

/// Empty texts and lists: not there.
struct ApiParts {
    std::string_view title;
    std::string loader;
    std::string_view loader_package;
    std::vector<std::string> drivers;
    std::string layer;
    std::string provider;
};

/// Folders of libraries, also those of one architecture (/usr/lib/x86_64-linux-gnu).
std::vector<std::string> library_folders(const Machine& machine);

ApiParts find_parts(const Api& api, const Machine& machine, const Environment& environment);

/// One line for each API, for people: "OpenCL: loader ..., driver ..., layer ..., provider ...".
std::string api_lines(const Machine& machine, const Environment& environment);
/// Of the machine that this runs on.
std::string api_lines_here();

} // namespace lttng_gpu::doctor
