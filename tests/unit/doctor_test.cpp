// SPDX-License-Identifier: MIT
//
// doctor on machines made of files: one that can record, and one for each thing
// that may be missing.
#include "base/apis.hpp"
#include "cli/commands.hpp"
#include "doctor/doctor.hpp"
#include "doctor/machine.hpp"
#include "gpu_trace.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace lttng_gpu;
using namespace lttng_gpu::doctor;
namespace fs = std::filesystem;

namespace {

/// Raw BTF that holds nothing but strings.
std::string btf_of(const std::vector<std::string>& names)
{
    std::string strings(1, '\0');
    for (const std::string& name : names) {
        strings += name + '\0';
    }
    const auto number = [](std::size_t value) {
        std::string bytes;
        for (int shift = 0; shift < 32; shift += 8) {
            bytes += static_cast<char>(value >> shift);
        }
        return bytes;
    };
    return "\x9f\xeb\x01" + std::string(1, '\0') + number(24) + number(0) + number(0) + number(0) +
           number(strings.size()) + strings;
}

/// A machine on which all is well: Linux 6.12 with an Intel GPU, LTTng, and probes that are loaded.
struct FakeMachine {
    FakeMachine()
    {
        write("/proc/sys/kernel/osrelease", "6.12.1-amd64\n");
        write("/proc/modules", "i915 1 0 - Live 0x0\nlttng_tracer 1 0 - Live 0x0\n"
                               "lttng_probe_gpu 1 0 - Live 0x0\n");
        write("/sys/kernel/btf/vmlinux", btf_of({"btf_trace_dma_fence_init"}));
        write("/sys/kernel/btf/i915", btf_of({"i915_request", "btf_trace_i915_request_add"}));
        write("/sys/kernel/tracing/events/enable", "0\n");
        write("/boot/config-6.12.1-amd64", "CONFIG_KPROBES=y\nCONFIG_KALLSYMS=y\n"
                                           "# CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS is not set\n");
        write("/sys/module/lttng_probe_gpu/parameters/driver_problem", "\n");
        write("/usr/bin/lttng", "");
        write("/usr/lib/x86_64-linux-gnu/liblttng-ust.so.1", "");
        for (const Api& api : apis) {
            const std::string library =
                "/usr/lib/x86_64-linux-gnu/lttng-gpu/liblttng-gpu-" + std::string{api.name};
            write(library + ".so", "");
            write(library + "-provider.so", "");
        }
        write("/usr/lib/x86_64-linux-gnu/libOpenCL.so.1", "");
        write("/etc/OpenCL/vendors/pocl.icd", "");
        write("/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "{}");
        write("/usr/bin/gcc", "");
        write("/usr/bin/make", "");
        write("/usr/bin/apt-get", "");
        write("/var/lib/dpkg/status", "Package: lttng-tools\nStatus: install ok installed\n"
                                      "Version: 2.13.14-1\n\n"
                                      "Package: linux-image-6.12.1-amd64\n"
                                      "Status: install ok installed\nVersion: 6.12.1-1\n\n");
        write(modules + "/build/Makefile", "");
        write(modules + "/modules.dep",
              "kernel/drivers/gpu/drm/i915/i915.ko: kernel/drivers/gpu/drm/drm.ko\n"
              "kernel/drivers/gpu/drm/xe/xe.ko.xz: kernel/drivers/gpu/drm/scheduler/gpu-sched.ko\n"
              "kernel/drivers/gpu/drm/radeon/radeon.ko: kernel/drivers/gpu/drm/drm.ko\n"
              "kernel/drivers/gpu/drm/drm.ko:\n"
              "updates/lttng-tracer.ko:\nupdates/lttng-probe-gpu.ko:\n");
        write("/sys/bus/pci/devices/0000:00:02.0/class", "0x030000\n");
        fs::create_directories(directory.path() / "sys/bus/pci/drivers/i915");
        fs::create_symlink("../../drivers/i915",
                           directory.path() / "sys/bus/pci/devices/0000:00:02.0/driver");
    }
    void write(const std::string& path, const std::string& text) const
    {
        const fs::path file = directory.path() / path.substr(1);
        fs::create_directories(file.parent_path());
        std::ofstream{file, std::ios::binary} << text;
    }
    /// lttng-probe-gpu.ko with one field of modinfo.
    void build_probe(const std::string& field) const
    {
        const fs::path module = directory.path() / modules.substr(1) / "updates";
        fs::create_directories(module);
        const std::string command = "echo '.section .modinfo; .asciz \"" + field +
                                    "\"' | gcc -x assembler -c -o '" +
                                    (module / "lttng-probe-gpu.ko").string() + "' -";
        REQUIRE(std::system(command.c_str()) == 0);
    }
    void remove(const std::string& path) const
    {
        fs::remove_all(directory.path() / path.substr(1));
    }
    Findings examine() const { return doctor::examine(directory.path(), environment); }

    const std::string modules = "/lib/modules/6.12.1-amd64";
    test::TemporaryDirectory directory;
    Environment environment;
};

bool says(const Findings& findings, State state, const std::string& topic, const std::string& part)
{
    for (const Finding& finding : findings.all()) {
        if (finding.state == state && finding.topic == topic &&
            (finding.fact + finding.advice).find(part) != std::string::npos) {
            return true;
        }
    }
    return false;
}

} // namespace

TEST_CASE("doctor reports ok when everything is installed")
{
    const FakeMachine machine;
    const Findings findings = machine.examine();
    CHECK(is_ready(findings));
    for (const Finding& finding : findings.all()) {
        CHECK_MESSAGE(finding.state == State::Ok, finding.topic << ": " << finding.fact);
    }
    CHECK(says(findings, State::Ok, "kernel", "6.12.1-amd64"));
    CHECK(says(findings, State::Ok, "GPU", "driver i915"));
    CHECK(says(findings, State::Ok, "driver", "1 tracepoints: i915_request_add"));
    CHECK(says(findings, State::Ok, "i915", "recreates"));
    CHECK(says(findings, State::Ok, "drivers", "not loaded: radeon xe"));
    CHECK(says(findings, State::Ok, "lttng-tools", "2.13.14-1"));
    CHECK(says(findings, State::Ok, "OpenCL", "pocl.icd"));
    CHECK(says(findings, State::Ok, "HSA", "no driver"));
    CHECK(says(findings, State::Ok, "Vulkan", "lvp_icd.x86_64.json"));
}

TEST_CASE("doctor warns of CPUs that are offline when LTTng would not survive their coming")
{
    const FakeMachine machine;
    machine.write("/sys/devices/system/cpu/present", "0-3\n");
    machine.write("/sys/devices/system/cpu/online", "0,2-3\n");
    CHECK_FALSE(says(machine.examine(), State::Warning, "lttng-sessiond", "0,2-3"));
    machine.write("/var/lib/dpkg/status", "Package: lttng-tools\nStatus: install ok installed\n"
                                          "Version: 2.16.0-4\n\n");
    CHECK(says(machine.examine(), State::Warning, "lttng-sessiond", "of the CPUs 0-3 only 0,2-3"));
    CHECK(is_ready(machine.examine()));
    machine.write("/sys/devices/system/cpu/online", "0-3\n");
    CHECK_FALSE(says(machine.examine(), State::Warning, "lttng-sessiond", "only"));
}

namespace {

/// "yes" or "no" for each capability, in order: kernel with LTTng, without, user space.
std::string capabilities(const FakeMachine& machine)
{
    std::string text;
    const Findings findings = machine.examine();
    for (const Capability& capability : findings.capabilities()) {
        text += capability.is_possible ? "yes " : "no ";
    }
    return text;
}

} // namespace

TEST_CASE("doctor says what can be recorded")
{
    FakeMachine machine;
    CHECK(capabilities(machine) == "yes yes yes ");
    SUBCASE("without probes: user space, and the kernel's own events")
    {
        machine.write(machine.modules + "/modules.dep",
                      "kernel/drivers/gpu/drm/i915/i915.ko:\nupdates/lttng-tracer.ko:\n");
        CHECK(capabilities(machine) == "no yes yes ");
        CHECK(findings_text(machine.examine())
                  .find("no   kernel: GPU jobs with LTTng (missing: probes)") != std::string::npos);
    }
    SUBCASE("without the layer: no user space")
    {
        machine.remove("/usr/lib/x86_64-linux-gnu/lttng-gpu");
        CHECK(capabilities(machine) == "yes yes no ");
        CHECK(is_ready(machine.examine()));
        CHECK(says(machine.examine(), State::Warning, "OpenCL layer", "not installed"));
        machine.environment.program_folder = machine.directory.path();
        machine.write("/liblttng-gpu-opencl.so", "");
        CHECK(capabilities(machine) == "yes yes no ");
        CHECK(says(machine.examine(), State::Warning, "OpenCL layer", "not its provider"));
        machine.write("/liblttng-gpu-opencl-provider.so", "");
        CHECK(capabilities(machine) == "yes yes yes ");
    }
    SUBCASE("without what programs of the API need: it is said")
    {
        machine.remove("/usr/lib/x86_64-linux-gnu/libOpenCL.so.1");
        machine.remove("/etc/OpenCL");
        CHECK(says(machine.examine(), State::Ok, "OpenCL",
                   "no loader (package ocl-icd-libopencl1), no driver"));
        CHECK(capabilities(machine) == "yes yes yes ");
    }
    SUBCASE("without LTTng-UST: no user space")
    {
        machine.remove("/usr/lib/x86_64-linux-gnu/liblttng-ust.so.1");
        CHECK(capabilities(machine) == "yes yes no ");
    }
    SUBCASE("without LTTng: the kernel's own events")
    {
        machine.remove("/usr/bin/lttng");
        CHECK(capabilities(machine) == "no yes no ");
    }
    SUBCASE("without a loaded driver: no event of its own is known")
    {
        machine.write("/proc/modules",
                      "lttng_tracer 1 0 - Live 0x0\nlttng_probe_gpu 1 0 - Live 0x0\n");
        CHECK(capabilities(machine) == "yes no yes ");
    }
}

TEST_CASE("doctor tells who is not root how to record the kernel")
{
    FakeMachine machine;
    machine.environment.user = "ada";
    machine.environment.is_root = false;
    CHECK(says(machine.examine(), State::Missing, "permission",
               "(not in group tracing)use root, or: adduser ada tracing"));
    machine.environment.groups = {"tracing"};
    CHECK(says(machine.examine(), State::Ok, "permission", "ada is in group tracing"));
}

TEST_CASE("doctor_when_packages_are_missing_then_advises_what_the_package_manager_has")
{
    FakeMachine machine;
    machine.remove("/usr/bin/gcc");
    machine.remove(machine.modules + "/build");
    const std::string lists = "/var/lib/apt/lists/deb.example_dists_main_binary-amd64_Packages";
    std::string building = "apt-get install gcc linux-headers-6.12.1-amd64";
    const std::string elsewhere = "this kernel's headers come from where the kernel does, and "
                                  "belong at /lib/modules/6.12.1-amd64/build";
    SUBCASE("no lists, but the kernel is a package") {}
    SUBCASE("lists have the headers")
    {
        machine.remove("/var/lib/dpkg/status");
        machine.write(lists, "Package: linux-headers-6.12.1-amd64\nVersion: 1\n");
    }
    SUBCASE("lists have not")
    {
        machine.write(lists, "Package: linux-headers-6.12.1-amd64-dbg\nVersion: 1\n");
        building = "apt-get install gcc; " + elsewhere;
    }
    SUBCASE("no lists, and the kernel is no package")
    {
        machine.remove("/var/lib/dpkg/status");
        building = "apt-get install gcc; " + elsewhere;
    }
    SUBCASE("no apt")
    {
        machine.remove("/usr/bin/apt-get");
        building = "install gcc (so Debian calls it); " + elsewhere;
    }
    CHECK(says(machine.examine(), State::Warning, "building", "for this kernel" + building));
    machine.environment.is_root = false;
    const std::string rights = building.starts_with("apt-get") ? "as root: " : "";
    CHECK(
        says(machine.examine(), State::Warning, "building", "for this kernel" + rights + building));
}

TEST_CASE("doctor_when_own_packages_are_missing_then_names_them_only_where_they_are_to_be_had")
{
    FakeMachine machine;
    machine.write(machine.modules + "/modules.dep", "updates/lttng-tracer.ko:\n");
    const std::string build = "in the source tree: make modules && make install";
    CHECK(says(machine.examine(), State::Missing, "probes", "for this kernel" + build));
    machine.write("/var/lib/apt/lists/local_Packages", "Package: lttng-gpu-dkms\n");
    CHECK(says(machine.examine(), State::Missing, "probes",
               "for this kernelapt-get install lttng-gpu-dkms, or " + build));
}

TEST_CASE("doctor names what is missing")
{
    FakeMachine machine;
    std::string topic;
    SUBCASE("LTTng")
    {
        machine.remove("/usr/bin/lttng");
        topic = "lttng-tools";
    }
    SUBCASE("loading of modules")
    {
        machine.remove("/proc/modules");
        topic = "modules";
    }
    SUBCASE("loading of modules until the next boot")
    {
        machine.write("/proc/sys/kernel/modules_disabled", "1\n");
        topic = "modules";
    }
    SUBCASE("the tracer")
    {
        machine.write(machine.modules + "/modules.dep", "updates/lttng-probe-gpu.ko:\n");
        topic = "lttng-modules";
    }
    SUBCASE("the probes")
    {
        machine.write(machine.modules + "/modules.dep", "updates/lttng-tracer.ko:\n");
        topic = "probes";
    }
    SUBCASE("probes of this build of the kernel")
    {
        machine.write("/proc/sys/kernel/version", "#1 SMP Debian 6.12.1-2\n");
        machine.build_probe("kernel_build=#1 SMP Debian 6.12.1-1");
        topic = "probe";
    }
    SUBCASE("probes of this kernel's types, when the build says the same")
    {
        machine.build_probe("kernel_types=0123456789abcdef");
        topic = "probe";
        CHECK(says(machine.examine(), State::Missing, topic, "its types differ"));
    }
    SUBCASE("a probe of the driver that is loaded, which was built again")
    {
        machine.write("/sys/module/lttng_probe_gpu/parameters/driver_problem",
                      "i915_request.fence is at byte 8 and not at 0\n");
        topic = "probe";
        CHECK(says(machine.examine(), State::Missing, topic,
                   "does not read the driver that is loaded (i915_request.fence is at byte 8 and "
                   "not at 0)build it again, as root: lttng-gpu-rebuild"));
    }
    SUBCASE("BTF, when the probes must still be built")
    {
        machine.write(machine.modules + "/modules.dep", "updates/lttng-tracer.ko:\n");
        machine.remove("/sys/kernel/btf");
        topic = "BTF";
    }
    SUBCASE("kprobes")
    {
        machine.write("/boot/config-6.12.1-amd64", "CONFIG_KALLSYMS=y\n");
        topic = "kprobes";
    }
    SUBCASE("the right to trace")
    {
        machine.environment = {"ann", false, {"video"}, 0, {}};
        topic = "permission";
    }
    const Findings findings = machine.examine();
    CHECK_FALSE(is_ready(findings));
    CHECK(says(findings, State::Missing, topic, ""));
    for (const Finding& finding : findings.all()) {
        CHECK((finding.state == State::Ok) == finding.advice.empty());
    }
}

TEST_CASE("doctor warns when a recording may be incomplete")
{
    FakeMachine machine;
    SUBCASE("only signed modules")
    {
        machine.write("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
        machine.write("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
                      std::string("\x06\0\0\0\x01", 5));
        CHECK(says(machine.examine(), State::Warning, "modules", "secure boot: on"));
        CHECK(says(machine.examine(), State::Warning, "modules", "MODULE_SIGN_KEY="));
        machine.write("/var/lib/dkms/mok.pub", "");
        CHECK(says(machine.examine(), State::Warning, "modules",
                   "make install signs with the key of dkms"));
        machine.write(machine.modules + "/modules.dep",
                      "updates/lttng-tracer.ko:\nupdates/dkms/lttng-probe-gpu.ko:\n");
        CHECK(says(machine.examine(), State::Warning, "modules",
                   "secure boot: on)enrol the key that dkms signs with"));
    }
    SUBCASE("another module with the tracepoints of a driver")
    {
        machine.write("/sys/module/lttng_probe_gpu/parameters/strangers",
                      "amd_sched drm_run_job\namdkcl drm_sched_job\n");
        const Findings findings = machine.examine();
        CHECK(is_ready(findings));
        CHECK(says(findings, State::Warning, "probe",
                   "does not record amd_sched, which has tracepoints of the same names (such as "
                   "drm_run_job)"));
        CHECK(says(findings, State::Warning, "probe", "does not record amdkcl"));
    }
    SUBCASE("a driver without BTF, of which no probe was built")
    {
        machine.build_probe("drivers_without_btf=amdgpu xe");
        const Findings findings = machine.examine();
        CHECK(is_ready(findings));
        CHECK(says(findings, State::Warning, "probe", "amdgpu had no BTF"));
        CHECK(says(findings, State::Warning, "probe", "xe had no BTF"));
    }
    SUBCASE("probes of this kernel's types are right")
    {
        machine.build_probe("kernel_types=" +
                            Machine{machine.directory.path()}.kernel_types_hash());
        CHECK(is_ready(machine.examine()));
    }
    SUBCASE("a trace format that is not read")
    {
        machine.write("/var/lib/dpkg/status", "Package: lttng-tools\nStatus: install ok installed\n"
                                              "Version: 2.15.0-1\n\n");
        CHECK(says(machine.examine(), State::Warning, "trace format", "--trace-format=ctf-1.8"));
        machine.environment.babeltrace_minor = 1;
        CHECK_FALSE(says(machine.examine(), State::Warning, "trace format", ""));
    }
    SUBCASE("the dma_fence probe on Linux 7.2")
    {
        machine.write("/proc/sys/kernel/osrelease", "7.2.13-amd64\n");
        machine.write("/lib/modules/7.2.13-amd64/modules.dep",
                      "updates/lttng-probe-dma-fence.ko:\n");
        CHECK(says(machine.examine(), State::Warning, "lttng-modules", "crash"));
    }
    SUBCASE("a GPU without driver, an oops, no headers, probes that are not loaded")
    {
        machine.remove("/sys/bus/pci/devices/0000:00:02.0/driver");
        machine.write("/proc/sys/kernel/tainted", "4224\n"); // 1 << 7 | 1 << 12
        machine.remove(machine.modules + "/build");
        machine.write("/proc/modules", "lttng_tracer 1 0 - Live 0x0\n");
        const Findings findings = machine.examine();
        CHECK(is_ready(findings));
        CHECK(says(findings, State::Warning, "GPU", "0000:00:02.0"));
        CHECK(says(findings, State::Warning, "taint", "an oops"));
        CHECK(says(findings, State::Warning, "building", "linux-headers-6.12.1-amd64"));
        CHECK(says(findings, State::Warning, "probes", "modprobe lttng-probe-gpu"));
    }
}

TEST_CASE("doctor has text, JSON and an exit code")
{
    const FakeMachine machine;
    const fs::path file = machine.directory.path() / "result";
    const auto run = [&](const std::string& format) {
        const std::string root = machine.directory.path().string();
        const std::string path = file.string();
        const std::vector<const char*> arguments{"lttng-gpu",  "doctor",      "--root",
                                                 root.c_str(), "-o",          path.c_str(),
                                                 "--format",   format.c_str()};
        std::ostringstream text;
        return cli::run_command_line(static_cast<int>(arguments.size()), arguments.data(), text,
                                     text);
    };
    machine.remove("/usr/bin/lttng");
    CHECK(run("json") == 1);
    std::ifstream stream{file};
    const auto document = nlohmann::json::parse(stream);
    CHECK(document["schema"] == "lttng-gpu/doctor/1");
    CHECK(document["ready"] == false);
    CHECK(document["findings"].size() > 5);
    REQUIRE(document["capabilities"].size() == 3);
    CHECK(document["capabilities"][0]["possible"] == false);
    CHECK(findings_text(machine.examine()).find("missing  lttng-tools") != std::string::npos);
    CHECK(run("csv") == 2);
}
