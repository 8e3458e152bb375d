// SPDX-License-Identifier: MIT
//
// How to install what is missing, on this machine and for this user: by its package manager, of
// what that has, and with root's rights only where the user lacks them.
#pragma once

#include "doctor.hpp"
#include "machine.hpp"

namespace lttng_gpu::doctor {

/// A command that root only may run.
std::string as_root(const Environment& environment, const std::string& command);

/// Packages by their names in Debian.
std::string install_advice(const Machine& machine, const Environment& environment,
                           const std::vector<std::string>& packages);
/// The same with the headers of the running kernel, where the package manager has them.
std::string install_advice_with_headers(const Machine& machine, const Environment& environment,
                                        std::vector<std::string> packages);
/// A package of this project, which few package managers have; else `in_source_tree` is how.
std::string own_package_advice(const Machine& machine, const Environment& environment,
                               const std::string& package, const std::string& in_source_tree);

} // namespace lttng_gpu::doctor
