// SPDX-License-Identifier: MIT
//
// See install_advice.hpp.
#include "install_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::doctor {
namespace {

bool has_apt(const Machine& machine)
{
    return machine.exists("/usr/bin/apt-get");
}

/// Headers come with the kernel's image: where no list tells of packages, the installed image does.
bool has_headers_package(const Machine& machine)
{
    const auto listed = machine.is_listed("linux-headers-" + machine.release());
    return listed ? *listed
                  : machine.package_version("linux-image-" + machine.release()).has_value();
}

} // namespace

std::string as_root(const Environment& environment, const std::string& command)
{
    return environment.is_root ? command : "as root: " + command;
}

std::string install_advice(const Machine& machine, const Environment& environment,
                           const std::vector<std::string>& packages)
{
    return has_apt(machine)
               ? as_root(environment, fmt::format("apt-get install {}", fmt::join(packages, " ")))
               : fmt::format("install {} (so Debian calls {})", fmt::join(packages, " "),
                             packages.size() == 1 ? "it" : "them");
}

std::string install_advice_with_headers(const Machine& machine, const Environment& environment,
                                        std::vector<std::string> packages)
{
    const bool has_package = has_apt(machine) && has_headers_package(machine);
    if (has_package) {
        packages.push_back("linux-headers-" + machine.release());
    }
    std::string advice =
        packages.empty() ? std::string{} : install_advice(machine, environment, packages);
    if (!has_package) {
        advice += fmt::format("{}this kernel's headers come from where the kernel does, and belong "
                              "at {}/build",
                              advice.empty() ? "" : "; ", machine.modules_folder());
    }
    return advice;
}

std::string own_package_advice(const Machine& machine, const Environment& environment,
                               const std::string& package, const std::string& in_source_tree)
{
    const std::string build = "in the source tree: " + in_source_tree;
    const bool has_package = has_apt(machine) && machine.is_listed(package).value_or(false);
    return has_package ? install_advice(machine, environment, {package}) + ", or " + build : build;
}

} // namespace lttng_gpu::doctor
