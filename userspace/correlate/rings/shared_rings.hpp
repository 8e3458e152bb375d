// SPDX-License-Identifier: MIT
//
// Ring names that hide more than one ring, in traces that name no devices. Two
// signs tell: hardware fences of two contexts under one name are two devices,
// called ?1 and ?2 in order of appearance; and up to Linux 6.7 the scheduler's
// own count of jobs on the hardware is smaller than the job tracker's.
#pragma once

#include "../base/per_trace.hpp"
#include "ring_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::model {

class SharedRings {
public:
    explicit SharedRings(RingTable& rings) : m_rings{rings} {}

    /// The ring of a job of this ring without device whose hardware fence is of
    /// this context.
    RingId resolve(RingId ring, std::uint64_t hardware_context);

    /// A fence that a driver made for its hardware, of which nothing says whose job it is of. Where
    /// its name is that of a ring without a device, and of two contexts, that is no one ring.
    void note_hardware(TraceId trace, std::string_view name, std::uint64_t context);

    void set_kernel_release(TraceId trace, std::string_view release);
    /// Whether the events' hw_job_count counts jobs: drm_sched's hw_rq_count; from
    /// 6.8 on it counts credits ("drm/sched: implement dynamic job-flow control").
    bool has_job_counts(TraceId trace) { return m_kernels[trace].has_job_counts; }

private:
    struct Hardware {
        std::uint64_t context = 0;
        RingId ring;
    };
    struct SharedName {
        TraceId trace;
        StringId name;
        std::vector<Hardware> hardware;
    };
    struct FencesOfName {
        TraceId trace;
        std::string name;
        std::uint64_t context = 0;
        bool has_others = false;
    };
    struct Kernel {
        bool has_job_counts = false;
    };
    static constexpr std::size_t most_devices = 16;
    static constexpr std::size_t most_names = 256;

    RingTable& m_rings;
    std::vector<SharedName> m_names;
    std::vector<FencesOfName> m_fences;
    PerTrace<Kernel> m_kernels;
};

} // namespace lttng_gpu::model
