// SPDX-License-Identifier: MIT
//
// What programs need to be recorded: LTTng-UST, the layer of their API, its loader and a driver.
#include "api_needs.hpp"
#include "checks.hpp"
#include "install_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::doctor {
namespace {

bool has_ust(const Machine& machine)
{
    for (const std::string& folder : library_folders(machine)) {
        for (const std::string& name : machine.list(folder)) {
            if (name.starts_with("liblttng-ust.so.")) {
                return true;
            }
        }
    }
    return false;
}

bool check_layer(const Api& api, const ApiParts& parts, const std::string& install,
                 Findings& findings)
{
    const std::string topic = fmt::format("{} layer", api.title);
    if (parts.layer.empty()) {
        findings.warn(topic, fmt::format("not installed: {} calls are not recorded", api.title),
                      install);
        return false;
    }
    if (parts.provider.empty()) {
        findings.warn(
            topic,
            fmt::format("{} is there, but not its provider: no events are written", parts.layer),
            fmt::format("install lttng-gpu-{} again", api.name));
        return false;
    }
    findings.ok(topic, fmt::format("{}, provider {}", parts.layer, parts.provider));
    return true;
}

/// Without these no program of the API runs, and there is nothing to record: that is no fault.
void check_programs(const Api& api, const ApiParts& parts, Findings& findings)
{
    std::string fact = parts.loader.empty()
                           ? fmt::format("no loader (package {})", parts.loader_package)
                           : fmt::format("loader {}", parts.loader);
    fact += parts.drivers.empty() ? ", no driver"
                                  : fmt::format(", drivers: {}", fmt::join(parts.drivers, " "));
    findings.ok(std::string{api.title}, std::move(fact));
}

} // namespace

bool check_user_space(const Machine& machine, const Environment& environment, Findings& findings)
{
    const bool has_library = has_ust(machine);
    if (has_library) {
        findings.ok("LTTng-UST", "installed");
    } else {
        findings.warn("LTTng-UST", "not installed: user space is not recorded",
                      install_advice(machine, environment, {"liblttng-ust1"}));
    }
    bool has_layer = false;
    for (const Api& api : apis) {
        const ApiParts parts = find_parts(api, machine, environment);
        const std::string install =
            parts.layer.empty()
                ? own_package_advice(machine, environment, fmt::format("lttng-gpu-{}", api.name),
                                     "make install")
                : std::string{};
        has_layer = check_layer(api, parts, install, findings) || has_layer;
        check_programs(api, parts, findings);
    }
    return has_library && has_layer;
}

} // namespace lttng_gpu::doctor
