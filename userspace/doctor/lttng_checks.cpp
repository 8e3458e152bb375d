// SPDX-License-Identifier: MIT
//
// LTTng, its kernel modules, and our probes.
#include "checks.hpp"
#include "install_advice.hpp"

#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace lttng_gpu::doctor {
namespace {

constexpr std::string_view probe_prefix = "lttng_probe_gpu";

/// The minor number of 2.x, from an upstream or Debian version.
int minor_of(const std::string& version)
{
    int minor = 0;
    const auto point = version.find('.');
    if (point != std::string::npos) {
        std::from_chars(version.data() + point + 1, version.data() + version.size(), minor);
    }
    return minor;
}

void check_tools(const Machine& machine, const Environment& environment, Findings& findings)
{
    if (!machine.exists("/usr/bin/lttng") && !machine.exists("/usr/local/bin/lttng")) {
        findings.miss("lttng-tools", "the program lttng is not installed",
                      install_advice(machine, environment, {"lttng-tools"}));
        return;
    }
    const auto version = machine.package_version("lttng-tools");
    findings.ok("lttng-tools", version.value_or("installed (not from a Debian package)"));
    if (!version) {
        return;
    }
    constexpr int first_of_ctf2 = 15;
    constexpr int first_that_reads_ctf2 = 1;
    if (minor_of(*version) >= first_of_ctf2 &&
        environment.babeltrace_minor < first_that_reads_ctf2) {
        findings.warn(
            "trace format",
            fmt::format(
                "LTTng records CTF 2 by default, but libbabeltrace2 2.{} reads only CTF 1.8",
                environment.babeltrace_minor),
            "lttng create --trace-format=ctf-1.8");
    }
}

void check_daemon(const Machine& machine, const Environment& environment, Findings& findings)
{
    const std::string pid = machine.read("/run/lttng/lttng-sessiond.pid").value_or("");
    const bool is_running = !pid.empty() && machine.exists("/proc/" + pid);
    if (environment.is_root) {
        findings.ok("lttng-sessiond",
                    is_running ? "runs (pid " + pid + ")" : "does not run; lttng create starts it");
        return;
    }
    if (environment.groups.count("tracing") == 0) {
        findings.miss("permission",
                      environment.user + " cannot trace the kernel (not in group tracing)",
                      "use root, or: adduser " + environment.user + " tracing, and log in again");
    } else {
        findings.ok("permission", environment.user + " is in group tracing");
    }
    if (is_running) {
        findings.ok("lttng-sessiond", "runs (pid " + pid + ")");
    } else {
        findings.miss("lttng-sessiond",
                      "root's session daemon does not run; only that one can trace the kernel",
                      "as root: systemctl start lttng-sessiond, or lttng-sessiond --daemonize");
    }
}

void check_tracer(const Machine& machine, const Environment& environment, Findings& findings)
{
    const std::string version = machine.module_info("lttng_tracer", "version");
    if (machine.is_installed("lttng_tracer") || machine.is_built_in("lttng_tracer")) {
        findings.ok("lttng-modules",
                    fmt::format("{} for this kernel, {}",
                                version.empty() ? "unknown version" : version,
                                machine.is_loaded("lttng_tracer") ? "loaded" : "not loaded"));
    } else if (const auto package = machine.package_version("lttng-modules-dkms")) {
        findings.miss(
            "lttng-modules", *package + " is installed, but not built for this kernel",
            as_root(environment,
                    "dkms autoinstall; if it does not build, see lttng-modules-dkms in ") +
                (machine.package_version("lttng-gpu-dkms")
                     ? "/usr/share/doc/lttng-gpu-dkms/README.Debian"
                     : "packaging/debian/lttng-gpu-dkms.README.Debian of the source tree"));
    } else {
        findings.miss("lttng-modules", "not installed for this kernel",
                      install_advice_with_headers(machine, environment, {"lttng-modules-dkms"}));
    }
    // "dma-buf: detach fence ops on signal", which lttng-modules 2.16.0 does not know.
    if (machine.is_linux(7, 2) && machine.is_installed("lttng_probe_dma_fence")) {
        findings.warn("lttng-modules", "recording its dma_fence events crashes this kernel",
                      "record gpu_fence_* instead; never record dma_fence_* or all events");
    }
}

/// docs/kernel-notes.md. The kernel writes lists of CPUs in one way only, so that texts compare.
void check_offline_cpus(const Machine& machine, Findings& findings)
{
    const std::string tools = machine.package_version("lttng-tools").value_or("");
    const std::string present = machine.read("/sys/devices/system/cpu/present").value_or("");
    const std::string online = machine.read("/sys/devices/system/cpu/online").value_or(present);
    if (tools.starts_with("2.16.") && online != present) {
        findings.warn("lttng-sessiond",
                      fmt::format("of the CPUs {} only {} are online; if another one comes online "
                                  "while the kernel is recorded, the session daemon of LTTng {} "
                                  "dies and the recording ends",
                                  present, online, tools),
                      "bring CPUs online before you record");
    }
}

/// For a probe that is installed or loaded: installed with them, by dkms or from the source tree
/// (scripts/lttng-gpu-rebuild). gpu_build_check.h says the same.
constexpr const char* rebuild_advice = "build it again, as root: lttng-gpu-rebuild";

/// Why a probe that is loaded does not read its driver; empty when it does. gpu_build_check.h says
/// it.
std::string driver_problem(const Machine& machine, const std::string& probe)
{
    return machine.read("/sys/module/" + probe + "/parameters/driver_problem").value_or("");
}

/// Modules that have tracepoints of the same names as the probe's driver. tap.c leaves them alone.
void check_strangers(const Machine& machine, const std::string& probe, Findings& findings)
{
    std::istringstream lines{
        machine.read("/sys/module/" + probe + "/parameters/strangers").value_or("")};
    for (std::string module, tracepoint; lines >> module >> tracepoint;) {
        findings.warn(
            "probe",
            fmt::format("{} does not record {}, which has tracepoints of the same names "
                        "(such as {}), but is another module than the probe was built for",
                        probe, module, tracepoint),
            "nothing, unless it is the driver of your GPU: such drivers are not supported");
    }
}

/// gpu_build_check.h refuses to load then; an update of the kernel may keep its release.
std::string kernel_problem(const Machine& machine, const std::string& probe,
                           const std::string& types_hash)
{
    const std::string build = machine.module_info(probe, "kernel_build");
    const std::string running = machine.read("/proc/sys/kernel/version").value_or(build);
    if (!build.empty() && build != running) {
        return fmt::format("the kernel \"{}\", but \"{}\" runs", build, running);
    }
    const std::string types = machine.module_info(probe, "kernel_types");
    if (!types.empty() && !types_hash.empty() && types != types_hash) {
        return fmt::format("another kernel that says \"{}\": its types differ", build);
    }
    return {};
}

/// Drivers of which no probe was built. scripts/build-modules says so, too.
void check_left_out(const Machine& machine, Findings& findings)
{
    std::istringstream drivers{
        machine.module_info(std::string{probe_prefix}, "drivers_without_btf")};
    for (std::string driver; drivers >> driver;) {
        findings.warn(
            "probe", driver + " had no BTF when the probes were built: its events are not recorded",
            "build the driver with the BTF of this kernel, then, as root: "
            "lttng-gpu-rebuild");
    }
}

} // namespace

void check_drivers_of_probes(const Machine& machine, Findings& findings)
{
    for (const std::string& probe : machine.list("/sys/module")) {
        if (!probe.starts_with(probe_prefix)) {
            continue;
        }
        check_strangers(machine, probe, findings);
        const std::string problem = driver_problem(machine, probe);
        if (!problem.empty()) {
            findings.miss(
                "probe",
                fmt::format("{} does not read the driver that is loaded ({})", probe, problem),
                rebuild_advice);
        }
    }
}

bool has_probes(const Machine& machine)
{
    return machine.is_installed(std::string{probe_prefix});
}

void check_lttng(const Machine& machine, const Environment& environment, Findings& findings)
{
    check_tools(machine, environment, findings);
    check_daemon(machine, environment, findings);
    check_tracer(machine, environment, findings);
    check_offline_cpus(machine, findings);
}

void check_probes(const Machine& machine, const Environment& environment, Findings& findings)
{
    if (!has_probes(machine)) {
        findings.miss("probes", "no GPU probes are installed for this kernel",
                      own_package_advice(machine, environment, "lttng-gpu-dkms",
                                         "make modules && make install"));
        return;
    }
    const std::string types_hash = machine.kernel_types_hash();
    for (const auto& [name, file] : machine.installed_modules()) {
        if (!name.starts_with(probe_prefix)) {
            continue;
        }
        if (const std::string problem = kernel_problem(machine, name, types_hash);
            !problem.empty()) {
            findings.miss("probe", name + " was built for " + problem, rebuild_advice);
            continue;
        }
        if (!driver_problem(machine, name).empty()) {
            continue;
        }
        const std::string left_out = machine.module_info(name, "left_out");
        findings.ok("probe", fmt::format("{} {}{}{}", name, machine.module_info(name, "version"),
                                         machine.is_loaded(name) ? ", loaded" : "",
                                         left_out.empty()
                                             ? ""
                                             : ", without events that this kernel does not have: " +
                                                   left_out));
    }
    check_left_out(machine, findings);
    if (!machine.is_loaded(std::string{probe_prefix})) {
        findings.warn("probes", "lttng-probe-gpu is not loaded",
                      as_root(environment, "modprobe lttng-probe-gpu"));
    }
}

} // namespace lttng_gpu::doctor
