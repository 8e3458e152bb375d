// SPDX-License-Identifier: MIT
//
// What a module file says of itself (modinfo), read by libkmod. The library is loaded when it is
// first asked: it brings a cryptographic one along, which would make up a third
// of the time in which every other command starts.
#pragma once

#include <filesystem>
#include <string>

namespace lttng_gpu::doctor {

/// Why no field of any module can be read; empty: they can.
const std::string& module_fields_problem();

/// The last field of that name; empty when there is none, the file is no module, or there is a
/// problem.
std::string module_field(const std::filesystem::path& modules_folder,
                         const std::filesystem::path& module, const std::string& field);

} // namespace lttng_gpu::doctor
