// SPDX-License-Identifier: MIT
//
// What can be recorded, from what the checks found.
#include "checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::doctor {
namespace {

std::string missing_topics(const Findings& findings)
{
    std::vector<std::string_view> topics;
    for (const Finding& finding : findings.all()) {
        if (finding.state == State::Missing) {
            topics.push_back(finding.topic);
        }
    }
    return fmt::format("missing: {}", fmt::join(topics, ", "));
}

/// The drivers that are loaded and have tracepoints.
std::vector<std::string> traceable_drivers(const Machine& machine)
{
    std::vector<std::string> drivers = loaded_drivers(machine);
    std::erase_if(drivers,
                  [&](const std::string& driver) { return machine.tracepoints(driver).empty(); });
    return drivers;
}

} // namespace

void list_capabilities(const Machine& machine, bool has_user_space, Findings& findings)
{
    const std::vector<std::string> drivers = traceable_drivers(machine);
    const std::string names = drivers.empty()
                                  ? "no loaded driver has tracepoints that are known here"
                                  : fmt::format("loaded drivers: {}", fmt::join(drivers, ", "));
    const bool has_kernel = !findings.has_missing();
    findings.can_record("kernel: GPU jobs with LTTng", has_kernel,
                        has_kernel ? names : missing_topics(findings));
    // trace-cmd and Perfetto need the kernel's own events only.
    findings.can_record("kernel: GPU jobs with trace-cmd or Perfetto", !drivers.empty(), names);
    const bool has_lttng =
        machine.exists("/usr/bin/lttng") || machine.exists("/usr/local/bin/lttng");
    findings.can_record("user space: calls of OpenCL and OpenGL, device times of OpenCL",
                        has_user_space && has_lttng,
                        !has_lttng       ? "missing: lttng-tools"
                        : has_user_space ? "with lttng-gpu record; root is not needed"
                                         : "missing: LTTng-UST or the layers of APIs");
}

} // namespace lttng_gpu::doctor
