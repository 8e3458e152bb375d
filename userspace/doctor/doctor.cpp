// SPDX-License-Identifier: MIT
//
// See doctor.hpp.
#include "doctor.hpp"

#include "checks.hpp"

#include <algorithm>
#include <babeltrace2/babeltrace.h>
#include <fmt/format.h>
#include <grp.h>
#include <nlohmann/json.hpp>
#include <pwd.h>
#include <unistd.h>

namespace lttng_gpu::doctor {
namespace {

const char* state_word(State state)
{
    switch (state) {
    case State::Ok:
        return "ok";
    case State::Warning:
        return "warning";
    case State::Missing:
        break;
    }
    return "missing";
}

std::size_t count(const Findings& findings, State state)
{
    return static_cast<std::size_t>(
        std::count_if(findings.all().begin(), findings.all().end(),
                      [&](const Finding& finding) { return finding.state == state; }));
}

} // namespace

Environment find_environment()
{
    Environment environment;
    environment.is_root = geteuid() == 0;
    if (const passwd* user = getpwuid(geteuid())) {
        environment.user = user->pw_name;
    }
    std::vector<gid_t> ids(static_cast<std::size_t>(std::max(getgroups(0, nullptr), 0)));
    const int found = getgroups(static_cast<int>(ids.size()), ids.data());
    ids.resize(static_cast<std::size_t>(std::max(found, 0)));
    for (const gid_t id : ids) {
        if (const group* entry = getgrgid(id)) {
            environment.groups.insert(entry->gr_name);
        }
    }
    environment.babeltrace_minor = static_cast<int>(bt_version_get_minor());
    std::error_code error;
    environment.program_folder =
        std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    return environment;
}

Findings examine(const std::filesystem::path& root, const Environment& environment)
{
    const Machine machine{root};
    Findings findings;
    check_kernel(machine, findings);
    check_module_loading(machine, environment, findings);
    check_gpus(machine, findings);
    check_drivers(machine, findings);
    check_lttng(machine, environment, findings);
    check_probes(machine, environment, findings);
    check_drivers_of_probes(machine, findings);
    check_building(machine, environment, findings);
    const bool has_user_space = check_user_space(machine, environment, findings);
    list_capabilities(machine, has_user_space, findings);
    return findings;
}

bool is_ready(const Findings& findings)
{
    return !findings.has_missing();
}

std::string findings_text(const Findings& findings)
{
    std::string text;
    for (const Finding& finding : findings.all()) {
        text +=
            fmt::format("{:<8} {:<14} {}", state_word(finding.state), finding.topic, finding.fact);
        if (!finding.advice.empty()) {
            text += " → " + finding.advice;
        }
        text += '\n';
    }
    const std::size_t missing = count(findings, State::Missing);
    text += "\nWhat can be recorded on this machine\n";
    for (const Capability& capability : findings.capabilities()) {
        text += fmt::format("{:<4} {} ({})\n", capability.is_possible ? "yes" : "no",
                            capability.what, capability.detail);
    }
    return text + fmt::format("\n{} missing, {} warnings{}\n", missing,
                              count(findings, State::Warning),
                              missing == 0 ? "" : ": see what is missing, from top to bottom");
}

std::string findings_json(const Findings& findings)
{
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const Finding& finding : findings.all()) {
        list.push_back({{"state", state_word(finding.state)},
                        {"topic", finding.topic},
                        {"fact", finding.fact},
                        {"advice", finding.advice}});
    }
    Json capabilities = Json::array();
    for (const Capability& capability : findings.capabilities()) {
        capabilities.push_back({{"what", capability.what},
                                {"possible", capability.is_possible},
                                {"detail", capability.detail}});
    }
    const Json document{{"schema", "lttng-gpu/doctor/1"},
                        {"ready", is_ready(findings)},
                        {"findings", list},
                        {"capabilities", capabilities}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace lttng_gpu::doctor
