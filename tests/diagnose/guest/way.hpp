// SPDX-License-Identifier: MIT
// How the process whose jobs are made late submits them: by the driver's own calls
// (way_ioctl.cpp, plant-causes) or by OpenCL (way_opencl.cpp, plant-causes-cl).
#pragma once

#include <memory>

#include "partners.hpp"

namespace lttng_gpu::causes {

class Way {
public:
    Way() = default;
    Way(const Way&) = delete;
    Way& operator=(const Way&) = delete;
    virtual ~Way() = default;

    /// `depends`: on what was given, by itself or by the partner that gives (shared syncobj 1).
    virtual Fence submit(std::uint32_t device, std::uint32_t ring, std::uint64_t exec_ns,
                         bool depends = false) = 0;
    /// For the job that was submitted last.
    virtual void wait(std::uint32_t device) = 0;
    /// A dependency is work of the same process: a command of another queue, in a wait list.
    virtual bool gives_itself() const { return false; }
    virtual Fence give(std::uint32_t, std::uint32_t, std::uint64_t) { return {}; }
    /// A thread of the driver's library submits, and stays on this CPU.
    virtual bool has_helper(int) { return false; }
    /// How long that thread ran so far, as the kernel counts.
    virtual std::int64_t helper_ran_ns() const { return 0; }
};

std::unique_ptr<Way> make_way(const Devices& devices);

} // namespace lttng_gpu::causes
