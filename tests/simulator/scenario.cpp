// SPDX-License-Identifier: MIT
//
// See scenario.hpp: every driver generation under every distortion.
#include "scenario.hpp"

#include "wsim.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lttng_gpu::simulator {
namespace {

constexpr std::uint64_t before_wrap = 0xffffffffU - 60;
constexpr const char* first_device = "0000:04:00.0";
constexpr const char* second_device = "0000:0b:00.0";
constexpr const char* workload_folder = "tests/simulator/workloads";

Hardware rings_of(std::initializer_list<RingConfig> rings)
{
    Hardware hardware;
    hardware.rings = rings;
    return hardware;
}

Hardware amd()
{
    return rings_of({{first_device, "gfx_0.0.0", RingKind::Fifo, 4},
                     {first_device, "comp_1.0.0", RingKind::Fifo, 2},
                     {first_device, "sdma0", RingKind::Fifo, 8}});
}

Hardware two_amd()
{
    return rings_of({{first_device, "gfx_0.0.0", RingKind::Fifo, 4},
                     {second_device, "gfx_0.0.0", RingKind::Fifo, 4},
                     {second_device, "sdma0", RingKind::Fifo, 2}});
}

Hardware intel(RingKind kind)
{
    return rings_of({{"0000:00:02.0", "rcs0", kind, 16},
                     {"0000:00:02.0", "bcs0", kind, 16},
                     {"0000:00:02.0", "vcs1", kind, 16}});
}

Recording sched(SchedEvents events, FenceEvents fences = FenceEvents::None)
{
    Recording recording;
    recording.sched = events;
    recording.fences = fences;
    return recording;
}

Recording amdgpu(SchedEvents events, FenceEvents fences)
{
    Recording recording = sched(events, fences);
    recording.driver = Driver::Amdgpu;
    recording.has_amdgpu_events = true;
    return recording;
}

Recording i915(I915Events events, FenceEvents fences, bool has_low_level = true)
{
    Recording recording = sched(SchedEvents::None, fences);
    recording.driver = Driver::I915;
    recording.i915 = events;
    recording.has_low_level = has_low_level;
    recording.has_device_name = events == I915Events::Modern;
    return recording;
}

Recording xe(SchedEvents events, bool has_xe_events)
{
    Recording recording = sched(events);
    recording.driver = Driver::Xe;
    recording.driver_name = "xe";
    recording.has_xe_events = has_xe_events;
    return recording;
}

Recording virtio(FenceEvents fences, bool has_seqno)
{
    Recording recording = sched(SchedEvents::None, fences);
    recording.driver = Driver::VirtioGpu;
    recording.driver_name = "virtio_gpu";
    recording.has_virtqueue_seqno = has_seqno;
    return recording;
}

Scenario base(std::string name, Hardware hardware, Recording recording)
{
    Scenario scenario;
    scenario.name = std::move(name);
    scenario.hardware = std::move(hardware);
    scenario.recording = recording;
    return scenario;
}

void add_sched(std::vector<Scenario>& all)
{
    all.push_back(base("sched-5.6", amd(), sched(SchedEvents::ProcessOnly)));
    all.push_back(
        base("sched-5.6-fences", amd(), sched(SchedEvents::ProcessOnly, FenceEvents::Dma)));
    all.push_back(base("sched-5.7", amd(), sched(SchedEvents::Pointers)));
    all.push_back(base("sched-5.18-fences", amd(), sched(SchedEvents::Pointers, FenceEvents::Dma)));
    all.back().recording.has_sched_numbers = true;
    all.push_back(
        base("two-devices-5.18-fences", two_amd(), sched(SchedEvents::Pointers, FenceEvents::Gpu)));
    all.back().recording.has_sched_numbers = true;
    all.push_back(base("sched-5.19-fences", amd(), sched(SchedEvents::Pointers, FenceEvents::Gpu)));
    all.push_back(base("sched-6.1-probe", amd(), sched(SchedEvents::WithIdentity)));
    all.push_back(base("sched-6.17", amd(), sched(SchedEvents::Stable)));
    all.push_back(base("sched-6.17-fences", amd(), sched(SchedEvents::Stable, FenceEvents::Gpu)));
    all.back().workload.kill = 0.02;
    all.push_back(
        base("sched-6.17-fences-32", amd(), sched(SchedEvents::Stable, FenceEvents::Dma)));
    all.push_back(base("sched-6.17-switches", amd(), sched(SchedEvents::Stable)));
    all.back().recording.has_contexts = false;
    all.push_back(base("two-devices-6.17", two_amd(), sched(SchedEvents::Stable)));
    all.push_back(base("two-devices-5.19", two_amd(), sched(SchedEvents::Pointers)));
    all.back().kernel_release = "6.1.0";
    Hardware parallel = rings_of({{first_device, "async", RingKind::Parallel, 16},
                                  {first_device, "gfx_0.0.0", RingKind::Fifo, 4}});
    all.push_back(base("parallel-6.17", parallel, sched(SchedEvents::Stable)));
    all.push_back(base("wrap-6.17-fences-32", amd(), sched(SchedEvents::Stable, FenceEvents::Dma)));
    all.back().hardware.first_seqno = before_wrap;
    all.push_back(
        base("wide-contexts-6.17-fences", amd(), sched(SchedEvents::Stable, FenceEvents::Gpu)));
    all.back().hardware.has_colliding_contexts = true;
    all.push_back(
        base("wide-contexts-6.17-fences-32", amd(), sched(SchedEvents::Stable, FenceEvents::Dma)));
    all.back().hardware.has_colliding_contexts = true;
    all.push_back(base("fences-64", amd(), sched(SchedEvents::None, FenceEvents::Gpu)));
    all.push_back(base("fences-32", amd(), sched(SchedEvents::None, FenceEvents::Dma)));
    all.push_back(base("fences-4.9", amd(), sched(SchedEvents::None, FenceEvents::Old)));
}

void add_drivers(std::vector<Scenario>& all)
{
    all.push_back(base("amdgpu-only", amd(), amdgpu(SchedEvents::None, FenceEvents::Gpu)));
    all.push_back(base("amdgpu-6.1", amd(), amdgpu(SchedEvents::WithIdentity, FenceEvents::Gpu)));
    for (const char* name : {"amdgpu-5.4", "two-amdgpu-5.4"}) {
        const Hardware hardware = name[0] == 'a' ? amd() : two_amd();
        all.push_back(base(name, hardware, amdgpu(SchedEvents::None, FenceEvents::Dma)));
        all.back().recording.has_device = false;
        all.back().recording.has_sched_numbers = true;
        all.back().recording.has_amdgpu_numbers = true;
    }
    all.push_back(base("amdgpu-5.18", amd(), amdgpu(SchedEvents::Pointers, FenceEvents::Dma)));
    all.back().recording.has_device = false;
    all.back().recording.has_sched_numbers = true;
    all.push_back(base("amdgpu-5.19", amd(), amdgpu(SchedEvents::Pointers, FenceEvents::Dma)));
    all.back().recording.has_device = false;
    all.push_back(base("amdgpu-6.17", amd(), amdgpu(SchedEvents::Stable, FenceEvents::Gpu)));
    all.push_back(
        base("two-amdgpu-no-device", two_amd(), amdgpu(SchedEvents::None, FenceEvents::Gpu)));
    all.back().recording.has_device = false;
    all.push_back(
        base("i915-4.16", intel(RingKind::Execlists), i915(I915Events::Gem, FenceEvents::Dma)));
    all.push_back(
        base("i915-4.19", intel(RingKind::Execlists), i915(I915Events::Global, FenceEvents::None)));
    all.push_back(
        base("i915-5.10", intel(RingKind::Execlists), i915(I915Events::Modern, FenceEvents::Gpu)));
    all.back().hardware.has_pending_ports = true;
    all.push_back(base("i915-5.10-one-by-one", intel(RingKind::Execlists),
                       i915(I915Events::Modern, FenceEvents::Gpu)));
    all.back().hardware.has_coalescing = false;
    all.push_back(base("i915-5.3-no-fences", intel(RingKind::Execlists),
                       i915(I915Events::Modern, FenceEvents::None)));
    all.back().recording.has_hardware_id = true;
    all.push_back(base("i915-5.10-preemption", intel(RingKind::Execlists),
                       i915(I915Events::Modern, FenceEvents::Gpu)));
    all.back().workload.high_priority = 0.3;
    all.back().hardware.has_coalescing = false;
    all.push_back(base("i915-5.10-all", intel(RingKind::Execlists),
                       i915(I915Events::Modern, FenceEvents::Gpu)));
    all.back().workload.high_priority = 0.3;
    all.back().hardware.has_pending_ports = true;
    all.push_back(base("i915-stock", intel(RingKind::Execlists),
                       i915(I915Events::Modern, FenceEvents::Gpu, false)));
    all.push_back(
        base("i915-guc", intel(RingKind::Firmware), i915(I915Events::Modern, FenceEvents::Gpu)));
    all.back().recording.is_firmware = true;
    all.push_back(
        base("i915-fences", intel(RingKind::Execlists), i915(I915Events::None, FenceEvents::Gpu)));
    const Hardware xe_engines = rings_of({{"0000:03:00.0", "rcs0", RingKind::Multiplexed, 8},
                                          {"0000:03:00.0", "ccs0", RingKind::Multiplexed, 8}});
    all.push_back(base("xe-sched", xe_engines, xe(SchedEvents::Stable, false)));
    all.push_back(base("xe-both", xe_engines, xe(SchedEvents::Stable, true)));
    all.back().workload.hang = 0.01;
    all.push_back(base("xe-only", xe_engines, xe(SchedEvents::None, true)));
    const Hardware host = rings_of({{"virtio4", "control", RingKind::Fifo, 64}});
    all.push_back(base("virtio", host, virtio(FenceEvents::None, true)));
    all.push_back(base("virtio-fences", host, virtio(FenceEvents::Gpu, true)));
    all.push_back(base("virtio-fences-32-no-seqno", host, virtio(FenceEvents::Dma, false)));
}

/// Real pipelines of igt-gpu-tools, on execlists and on the GuC.
void add_workloads(std::vector<Scenario>& all)
{
    std::vector<std::filesystem::path> paths;
    std::error_code absent;
    for (const auto& entry : std::filesystem::directory_iterator{workload_folder, absent}) {
        paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
        std::ifstream file{path};
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        Hardware hardware = intel(RingKind::Execlists);
        hardware.rings = {{"0000:00:02.0", "rcs0", RingKind::Execlists, 16},
                          {"0000:00:02.0", "bcs0", RingKind::Execlists, 16},
                          {"0000:00:02.0", "vcs0", RingKind::Execlists, 16},
                          {"0000:00:02.0", "vcs1", RingKind::Execlists, 16},
                          {"0000:00:02.0", "vecs0", RingKind::Execlists, 16}};
        hardware.has_pending_ports = true;
        const auto script = parse_wsim(text, hardware.rings);
        all.push_back(base("wsim-" + path.stem().string(), hardware,
                           i915(I915Events::Modern, FenceEvents::Gpu)));
        // An unreadable one becomes a scenario without jobs, which fails.
        all.back().workload.script = script.value_or(std::vector<Step>{});
        all.back().is_broken = !script;
    }
}

struct NamedDistortion {
    const char* name;
    Distortion distortion;
};

std::vector<NamedDistortion> distortions()
{
    std::vector<NamedDistortion> all(10);
    all[0].name = "whole";
    all[1] = {"events-lost", {.loss = 0.003}};
    all[2] = {"packets-lost", {.loss = 0.001, .unit = trace::LossUnit::Packets}};
    all[3] = {"late", {.is_late = true}};
    all[4] = {"cut-at-begin", {.is_cut_at_begin = true}};
    all[5] = {"cut-at-both-ends", {.is_cut_at_begin = true, .is_cut_at_end = true}};
    all[6] = {"coarse-clock", {.grain = 1000}};
    all[7] = {"skewed-clocks", {.skew = 300}};
    all[8] = {"duplicates", {.duplicate = 0.01}};
    all[9] = {"late-cut-and-lossy", {.loss = 0.002, .is_late = true, .is_cut_at_end = true}};
    return all;
}

std::vector<Scenario> make_scenarios()
{
    std::vector<Scenario> bases;
    add_sched(bases);
    add_drivers(bases);
    add_workloads(bases);
    std::vector<Scenario> all;
    for (const Scenario& scenario : bases) {
        for (const NamedDistortion& distortion : distortions()) {
            // A thread's second event would need a second switch; what comes twice of
            // a pointer is another job.
            const SchedEvents sched = scenario.recording.sched;
            const bool is_by_pointer =
                sched == SchedEvents::Pointers || sched == SchedEvents::ProcessOnly;
            if (distortion.distortion.duplicate > 0 &&
                (!scenario.recording.has_contexts || is_by_pointer)) {
                continue;
            }
            if (distortion.distortion.skew > 0 && !scenario.recording.has_contexts) {
                continue;
            }
            all.push_back(scenario);
            all.back().name += std::string{"/"} + distortion.name;
            all.back().distortion = distortion.distortion;
        }
    }
    return all;
}

} // namespace

const std::vector<Scenario>& scenarios()
{
    static const std::vector<Scenario> all = make_scenarios();
    return all;
}

const Scenario* find_scenario(std::string_view name)
{
    const auto& all = scenarios();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const Scenario& scenario) { return scenario.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace lttng_gpu::simulator
