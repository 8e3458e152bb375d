// SPDX-License-Identifier: MIT
//
// See kernel_side.hpp.
#include "kernel_side.hpp"

#include "../correlate/base/gpu_drivers.hpp"
#include "../doctor/checks.hpp"
#include "session_daemon.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fmt/format.h>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace lttng_gpu::record {
namespace {

constexpr const char* probes_module = "lttng-probe-gpu";
constexpr const char* probes_name = "lttng_probe_gpu"; // as /proc/modules has it

struct LoadedModule {
    std::string name;
    std::size_t users = 0;
    std::vector<std::string> modules_of_users; // those users that are modules
};

/// The youngest first.
std::vector<LoadedModule> loaded_modules()
{
    const doctor::Machine machine{"/"};
    std::vector<LoadedModule> modules;
    std::istringstream lines{machine.read("/proc/modules").value_or("")};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words{line};
        LoadedModule module;
        std::string size;
        std::string users;
        words >> module.name >> size >> module.users >> users;
        std::istringstream names{users == "-" ? "" : users};
        for (std::string name; std::getline(names, name, ',');) {
            module.modules_of_users.push_back(name);
        }
        modules.push_back(std::move(module));
    }
    return modules;
}

bool has_module(const std::vector<LoadedModule>& modules, const std::string& name)
{
    return std::any_of(modules.begin(), modules.end(),
                       [&](const LoadedModule& module) { return module.name == name; });
}

/// What may come with the probes and is not there yet.
std::vector<std::string> modules_to_load(const std::vector<LoadedModule>& before)
{
    const doctor::Machine machine{"/"};
    std::set<std::string> related;
    for (const auto& [name, file] : machine.installed_modules()) {
        if (name.starts_with(probes_name)) {
            related.insert(name);
            related.insert(file.needs.begin(), file.needs.end());
        }
    }
    std::vector<std::string> fresh;
    std::copy_if(related.begin(), related.end(), std::back_inserter(fresh),
                 [&](const std::string& name) { return !has_module(before, name); });
    return fresh;
}

/// LTTng's own modules that are not there yet.
std::vector<std::string> modules_of_lttng_to_load()
{
    const auto before = loaded_modules();
    const doctor::Machine machine{"/"};
    std::vector<std::string> fresh;
    for (const auto& [name, file] : machine.installed_modules()) {
        const bool is_of_lttng = name.starts_with("lttng_") && !name.starts_with(probes_name) &&
                                 !name.starts_with("lttng_gpu_");
        if (is_of_lttng && !has_module(before, name)) {
            fresh.push_back(name);
        }
    }
    return fresh;
}

/// Modules beside ours may have come at the same time, so only these are ever unloaded.
std::vector<std::string> loaded_among(const std::vector<std::string>& names)
{
    const auto loaded = loaded_modules();
    std::vector<std::string> there;
    std::copy_if(names.begin(), names.end(), std::back_inserter(there),
                 [&](const std::string& name) { return has_module(loaded, name); });
    return there;
}

/// LTTng 2.16 puts names into quotes, earlier ones into columns.
bool lists_name(const std::string& list, std::string_view beginning)
{
    const auto is_name_letter = [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
    };
    for (auto at = list.find(beginning); at != std::string::npos;
         at = list.find(beginning, at + 1)) {
        if (at == 0 || !is_name_letter(list[at - 1])) {
            return true;
        }
    }
    return false;
}

bool lists_gpu_events(const std::string& list)
{
    const std::vector<std::string> patterns = gpu_job_events();
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return lists_name(list, pattern.substr(0, pattern.find('*')));
    });
}

struct LoadedRemainder {
    std::vector<std::string> in_use;
    std::vector<std::string> failed; // not in use, but rmmod failed
    std::string why;                 // of those that failed
    bool has_unloaded = false;
    bool is_interrupted = false; // else what is in use is no longer ours
};

/// All that nothing else uses, in one run of rmmod: on a slow machine a process takes longer than
/// what it does.
LoadedRemainder try_to_unload(Tool& tool, const std::vector<std::string>& modules)
{
    LoadedRemainder left;
    std::vector<std::string> free; // those that use another one come before it
    for (const LoadedModule& module : loaded_modules()) {
        if (std::ranges::find(modules, module.name) == modules.end()) {
            continue;
        }
        const bool is_free = module.users == module.modules_of_users.size() &&
                             std::ranges::all_of(module.modules_of_users, [&](const auto& user) {
                                 return std::ranges::find(free, user) != free.end();
                             });
        (is_free ? free : left.in_use).push_back(module.name);
    }
    if (free.empty()) {
        return left;
    }
    std::vector<std::string> words{"rmmod"};
    words.insert(words.end(), free.begin(), free.end());
    const auto removed = tool.must(words);
    if (!removed) {
        left.failed = loaded_among(free);
        left.why = removed.error().message;
    }
    left.has_unloaded = left.failed.size() < free.size();
    return left;
}

/// LTTng frees what a destroyed session held a moment later, and one module may use another.
LoadedRemainder unload(Tool& tool, const std::vector<std::string>& modules)
{
    constexpr int most_tries = 200;
    constexpr std::chrono::milliseconds pause{50};
    const auto is_awaited = tool.waiting_for(
        fmt::format("the kernel module {}{} to be unloaded", modules.front(),
                    modules.size() > 1 ? fmt::format(" and {} more", modules.size() - 1) : ""));
    LoadedRemainder left;
    for (int attempt = 0; attempt < most_tries; ++attempt) {
        left = try_to_unload(tool, modules);
        if (left.in_use.empty() && left.failed.empty()) {
            break;
        }
        if (!is_awaited()) {
            left.is_interrupted = true;
            break;
        }
        if (!left.has_unloaded) {
            std::this_thread::sleep_for(pause);
        }
    }
    return left;
}

/// `more`: what a killed daemon has left, in the same runs of rmmod; nothing is said of these.
void unload_probes(Tool& tool, const Notes& notes, const std::vector<std::string>& more = {})
{
    const auto probes = notes.modules();
    auto modules = probes;
    modules.insert(modules.end(), more.begin(), more.end());
    if (modules.empty()) {
        return;
    }
    LoadedRemainder left = unload(tool, modules);
    for (auto* const names : {&left.in_use, &left.failed}) {
        std::erase_if(*names, [&](const std::string& name) {
            return std::ranges::find(probes, name) == probes.end();
        });
    }
    if (!left.in_use.empty()) {
        tool.narrator().note(
            fmt::format("the module {} is in use and stays loaded{}", left.in_use[0],
                        left.is_interrupted ? "; the next recording tries again" : ""));
    }
    if (!left.failed.empty()) {
        tool.narrator().note(fmt::format("the module {} cannot be unloaded, the next recording "
                                         "tries again: {}",
                                         left.failed[0], left.why));
    }
    if (left.is_interrupted) {
        left.failed.insert(left.failed.end(), left.in_use.begin(), left.in_use.end());
    }
    // What is in use is its users' now.
    (void)notes.set_modules(left.failed);
}

} // namespace

std::string why_no_kernel_events()
{
    const doctor::Machine machine{"/"};
    const doctor::Environment environment = doctor::find_environment();
    doctor::Findings findings;
    doctor::check_module_loading(machine, environment, findings);
    doctor::check_lttng(machine, environment, findings);
    doctor::check_probes(machine, environment, findings);
    for (const doctor::Finding& finding : findings.all()) {
        if (finding.state == doctor::State::Missing) {
            return finding.fact + (finding.advice.empty() ? "" : " → " + finding.advice);
        }
    }
    return {};
}

std::string load_probes(Tool& tool, const Notes& notes)
{
    const auto before = loaded_modules();
    const bool is_loaded = has_module(before, probes_name);
    if (!is_loaded && geteuid() != 0) {
        return std::string{probes_module} + " is not loaded → as root: modprobe " + probes_module;
    }
    if (tool.narrator().is_dry_run()) {
        if (!is_loaded) {
            tool.narrator().command(std::string{"modprobe "} + probes_module);
        }
        return {};
    }
    if (!is_loaded) {
        // Written down before it is done, and afterwards what it was.
        const std::vector<std::string> earlier = notes.modules();
        const auto note = [&](std::vector<std::string> modules) {
            modules.insert(modules.end(), earlier.begin(), earlier.end());
            return notes.set_modules(modules);
        };
        const auto expected = modules_to_load(before);
        if (const auto noted = note(expected); !noted) {
            return noted.error().message;
        }
        const auto loaded = tool.must({"modprobe", probes_module});
        if (const auto noted = note(loaded_among(expected)); !noted) {
            return noted.error().message;
        }
        if (!loaded) {
            return loaded.error().message + " → lttng-gpu doctor, dmesg";
        }
    }
    const auto listed = tool.ask({"lttng", "--no-sessiond", "list", "--kernel"});
    if (!listed || listed->code != 0) {
        return "the running session daemon does not trace the kernel (" +
               (listed ? listed->last_error_line() : listed.error().message) +
               ") → end it, and record as root";
    }
    doctor::Findings drivers;
    doctor::check_drivers_of_probes(doctor::Machine{"/"}, drivers);
    for (const doctor::Finding& finding : drivers.all()) {
        tool.narrator().note(finding.fact + ": its jobs are not recorded → " + finding.advice);
    }
    return lists_gpu_events(listed->output)
               ? ""
               : "`lttng list --kernel` shows no GPU event → see dmesg";
}

std::string lttng_probes_with(const std::vector<std::string>& patterns)
{
    const bool are_of_scheduler = std::ranges::all_of(
        patterns, [](const std::string& pattern) { return pattern.starts_with("sched_"); });
    return are_of_scheduler ? "sched" : ""; // the daemon takes no list without a name
}

Expected<void> note_modules_of_daemon(const Notes& notes)
{
    return notes.set_daemon_modules(modules_of_lttng_to_load());
}

void undo_shared(Tool& tool, const Notes& notes, bool is_stuck)
{
    if (notes.has_recordings()) {
        (void)stop_daemon_if_ours(tool, notes, is_stuck);
        return; // the last recording does it
    }
    // A daemon unloads LTTng's modules when it ends, but not those that the probes use. One whose
    // session is stuck keeps the probes in use itself, until it has ended.
    if (!is_stuck) {
        unload_probes(tool, notes);
    }
    const DaemonEnd end = stop_daemon_if_ours(tool, notes, is_stuck);
    const bool has_left_modules =
        end == DaemonEnd::Killed ||
        (end == DaemonEnd::Before && !is_daemon_running(tool).value_or(false));
    const auto of_daemon = has_left_modules ? notes.daemon_modules() : std::vector<std::string>{};
    if (is_stuck) {
        unload_probes(tool, notes, of_daemon);
    } else if (!of_daemon.empty()) {
        (void)unload(tool, of_daemon);
    }
    (void)notes.set_daemon_modules({});
}

} // namespace lttng_gpu::record
