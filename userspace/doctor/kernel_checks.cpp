// SPDX-License-Identifier: MIT
//
// The kernel itself: types, tracing, and whether it lets modules in.
#include "checks.hpp"
#include "install_advice.hpp"
#include "module_fields.hpp"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace lttng_gpu::doctor {
namespace {

bool has_option(const Machine& machine, const std::string& option)
{
    const auto value = machine.config(option);
    return value == "y" || value == "m";
}

void check_taint(const Machine& machine, Findings& findings)
{
    // Documentation/admin-guide/tainted-kernels.rst
    constexpr std::array<std::pair<int, const char*>, 4> serious{
        {{4, "a machine check"}, {5, "a bad page"}, {7, "an oops"}, {9, "a warning"}}};
    const std::string text = machine.read("/proc/sys/kernel/tainted").value_or("0");
    unsigned long long taint = 0;
    std::from_chars(text.data(), text.data() + text.size(), taint);
    std::string words;
    for (const auto& [bit, word] : serious) {
        if ((taint >> bit) & 1) {
            words += words.empty() ? word : std::string{" and "} + word;
        }
    }
    if (!words.empty()) {
        findings.warn("taint", "this kernel has had " + words + " since boot",
                      "read dmesg; reboot before you trust recordings");
    }
}

/// How probes that this kernel loads are made, in the way in which they were installed.
std::string signing_advice(const Machine& machine)
{
    const std::string enrol = "enrol the key that dkms signs with: mokutil --import "
                              "/var/lib/dkms/mok.pub, and reboot; or disable secure boot";
    const auto probes = machine.installed_modules().find("lttng_probe_gpu");
    if (probes == machine.installed_modules().end() ||
        probes->second.path.string().find("/updates/dkms/") != std::string::npos) {
        return enrol;
    }
    // scripts/install-modules signs with dkms' key, too, where there is one.
    if (machine.exists("/var/lib/dkms/mok.pub")) {
        return "make install signs with the key of dkms; " + enrol;
    }
    return "sign the probes: MODULE_SIGN_KEY=KEY MODULE_SIGN_CERT=CERTIFICATE make install, in the "
           "source tree; mokutil --import CERTIFICATE, and reboot; or disable secure boot";
}

} // namespace

void check_kernel(const Machine& machine, Findings& findings)
{
    findings.ok("kernel", "Linux " + machine.release());
    if (machine.exists("/sys/kernel/btf/vmlinux")) {
        findings.ok("BTF", "kernel BTF is available (/sys/kernel/btf/vmlinux)");
    } else if (has_probes(machine)) {
        findings.warn("BTF", "kernel BTF is not available (no /sys/kernel/btf/vmlinux)",
                      "probes cannot be built for this kernel; installed ones work");
    } else {
        findings.miss(
            "BTF", "kernel BTF is not available (no /sys/kernel/btf/vmlinux); the probes need it",
            "boot a kernel with CONFIG_DEBUG_INFO_BTF=y, as distributions ship");
    }
    if (!machine.list("/sys/kernel/tracing/events").empty() ||
        !machine.list("/sys/kernel/debug/tracing/events").empty()) {
        findings.ok("tracefs", "mounted and readable");
    } else if (machine.exists("/sys/kernel/tracing")) {
        findings.ok("tracefs",
                    "not mounted, or not readable for this user; LTTng does not need it");
    } else {
        findings.miss("tracefs", "this kernel has no tracing (CONFIG_TRACING is not set)",
                      "boot one with CONFIG_TRACING=y");
    }
    // wrapper/kallsyms.c of lttng-modules finds kallsyms_lookup_name() by a kprobe since Linux 5.7.
    if (machine.config("CONFIG_KPROBES") == "n" || machine.config("CONFIG_KALLSYMS") == "n") {
        findings.miss("kprobes", "CONFIG_KPROBES or CONFIG_KALLSYMS is not set, LTTng needs both",
                      "boot a kernel with both");
    }
    if (machine.read("/proc/sys/kernel/kptr_restrict") == "2") {
        findings.warn(
            "kptr_restrict", "is 2: /proc/kallsyms shows no addresses, not even to root",
            "sysctl kernel.kptr_restrict=1, if you want symbol names for addresses in traces");
    }
    check_taint(machine, findings);
}

void check_module_loading(const Machine& machine, const Environment& environment,
                          Findings& findings)
{
    if (const std::string& problem = module_fields_problem(); !problem.empty()) {
        findings.warn(
            "libkmod",
            "versions of modules, and for which kernel they were built, are not checked: " +
                problem,
            install_advice(machine, environment, {"libkmod2"}));
    }
    if (!machine.exists("/proc/modules")) {
        findings.miss("modules", "this kernel cannot load modules (CONFIG_MODULES is not set)",
                      "boot a distribution's kernel, or use a virtual machine");
        return;
    }
    if (machine.read("/proc/sys/kernel/modules_disabled") == "1") {
        findings.miss("modules", "module loading is disabled until the next boot",
                      "reboot; find what sets kernel.modules_disabled=1");
        return;
    }
    const std::string lockdown = machine.read("/sys/kernel/security/lockdown").value_or("");
    const bool is_locked = lockdown.find("[integrity]") != std::string::npos ||
                           lockdown.find("[confidentiality]") != std::string::npos;
    // Four bytes of attributes, then the value.
    const auto secure_boot =
        machine.read("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c");
    const bool is_secure = secure_boot && secure_boot->size() >= 5 && (*secure_boot)[4] == 1;
    const bool is_enforced = machine.read("/sys/module/module/parameters/sig_enforce") == "Y";
    if (is_locked || is_enforced) {
        findings.warn(
            "modules",
            fmt::format("the kernel loads only signed modules (lockdown: {}, sig_enforce: {}, "
                        "secure boot: {})",
                        lockdown.empty() ? "none" : lockdown, is_enforced ? "Y" : "N",
                        is_secure ? "on" : "off"),
            signing_advice(machine));
    } else {
        findings.ok("modules", fmt::format("unsigned modules are accepted (secure boot {})",
                                           is_secure ? "on" : "off"));
    }
}

void check_building(const Machine& machine, const Environment& environment, Findings& findings)
{
    const std::string headers = machine.modules_folder() + "/build";
    const bool has_headers = machine.exists(headers + "/Makefile");
    const bool has_compiler = machine.exists("/usr/bin/cc") || machine.exists("/usr/bin/gcc");
    if (has_headers && has_compiler && machine.exists("/usr/bin/make")) {
        findings.ok("building", "kernel headers, compiler and make are installed");
    } else {
        std::vector<std::string> packages;
        if (!has_compiler) {
            packages.emplace_back("gcc");
        }
        if (!machine.exists("/usr/bin/make")) {
            packages.emplace_back("make");
        }
        findings.warn("building", "probes cannot be built here for this kernel",
                      has_headers ? install_advice(machine, environment, packages)
                                  : install_advice_with_headers(machine, environment, packages));
    }
    if (has_option(machine, "CONFIG_MODVERSIONS")) {
        findings.ok("building",
                    "CONFIG_MODVERSIONS is set: probes load only with the lttng-modules "
                    "build that they were built with");
    }
}

} // namespace lttng_gpu::doctor
