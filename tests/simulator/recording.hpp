// SPDX-License-Identifier: MIT
//
// Which events a session records, and of which kernel generation: turns a World
// into the Stream that the drivers would have left. Sources of names, fields and
// emission points: include/drm and drivers/gpu of Linux v4.16 to v6.17.
#pragma once

#include "random.hpp"
#include "stream.hpp"

namespace lttng_gpu::simulator {

enum class Driver : std::uint8_t { DrmSched, Amdgpu, I915, Xe, VirtioGpu };

enum class SchedEvents : std::uint8_t {
    None,
    ProcessOnly,  // up to 5.6: no event at run
    Pointers,     // 5.7 to 6.16, the kernel's own fields
    WithIdentity, // the same names by our probes, which add context and seqno
    Stable,       // since 6.17
};

enum class FenceEvents : std::uint8_t { None, Old, Dma, Gpu };

enum class I915Events : std::uint8_t {
    None,
    Gem,    // i915_gem_request_* up to 4.16
    Global, // 4.17 to 5.1: hw_id, global, intel_engine_notify
    Modern, // since 5.5
};

struct Recording {
    Driver driver = Driver::DrmSched;
    SchedEvents sched = SchedEvents::Stable;
    FenceEvents fences = FenceEvents::None;
    bool has_amdgpu_events = false;
    bool has_device = true;          // `dev` in the run events
    bool has_sched_numbers = false;  // up to 5.18: the ring's name is a pointer to it
    bool has_amdgpu_numbers = false; // up to 5.4: in amdgpu's own events, too
    I915Events i915 = I915Events::None;
    bool has_low_level = true;    // i915: submit, execute, in, out
    bool has_device_name = false; // i915: our probe's dev_name
    bool has_hardware_id = false; // of modern events: 5.2 to 5.4
    bool is_firmware = false;     // i915: GuC
    bool has_xe_events = false;
    bool has_virtqueue_seqno = true;
    bool has_contexts = true;
    std::string_view driver_name = "amdgpu";
};

/// Where the name of a ring lies.
inline std::uint64_t ring_number(std::uint32_t ring)
{
    return 0xffff'91cb'1ab1'bdd0ULL + std::uint64_t{ring} * 0x220;
}

/// xe's hardware fences have a context per queue, far from those of the scheduler.
inline constexpr std::uint64_t hardware_fence_base = std::uint64_t{1} << 60U;

class Recorder {
public:
    Recorder(const World& world, const Recording& recording, Random& random)
        : m_world{world}, m_recording{recording}, m_random{random}
    {
    }

    Stream record();

private:
    struct Place {
        std::uint32_t thread = nobody;
        std::uint32_t cpu = 0;
        bool is_in_interrupt = false;
    };

    Place submitter(std::uint32_t job) const;
    Place worker(std::uint32_t job);
    Place interrupt();
    trace::FieldValue ring_name(std::uint32_t ring, bool is_number) const;
    Event& add(Time time, Name name, Place place, std::uint32_t job = nobody,
               Phase phase = Phase::None, std::size_t interval = 0);

    void sched_job(std::uint32_t job, const Place& submitter, const Place& worker,
                   const Place& interrupt);
    void sched_event(Time time, Name name, Place place, std::uint32_t job, Phase phase);
    void dependencies(std::uint32_t job, const Place& submitter, const Place& worker);
    void amdgpu_job(std::uint32_t job, const Place& submitter, const Place& worker);
    void xe_job(std::uint32_t job, const Place& submitter, const Place& worker,
                const Place& interrupt);
    void sched_fences(std::uint32_t job, const Place& submitter, const Place& worker,
                      const Place& interrupt);
    void virtio_job(std::uint32_t job, const Place& submitter, const Place& interrupt);
    void i915_job(std::uint32_t job, const Place& submitter, const Place& interrupt);
    void i915_ports();
    Event& i915_event(Time time, Name gem, Name modern, Place place, std::uint32_t job, Phase phase,
                      std::size_t interval = 0);
    Event& fence_event(Time time, Name gpu, Place place, std::string_view driver,
                       std::string_view timeline, std::uint64_t context, std::uint64_t seqno);
    void waits();
    void sort_and_switch();
    std::string_view text(std::string text);

    const World& m_world;
    const Recording& m_recording;
    Random& m_random;
    Stream m_stream;
    std::vector<std::uint32_t> m_client_cpus;
    std::vector<Time> m_signaled; // per job: when its fence tells, if recorded
};

} // namespace lttng_gpu::simulator
