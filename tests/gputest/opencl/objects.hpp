// SPDX-License-Identifier: MIT
// The objects of an OpenCL driver whose device is the test GPU driver: what is behind the handles
// that its applications see. Each begins with the table that the loader calls through and is
// counted; release() deletes it with its last reference.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_icd.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../client/device_file.hpp"
#include "device_times.hpp"

namespace lttng_gpu::gputest {

extern cl_icd_dispatch dispatch_table;

template <typename Derived> struct Counted {
    void* dispatch = &dispatch_table; // first, because the loader looks for it there
    std::atomic<cl_uint> references{1};

    void retain() { ++references; }
    void release()
    {
        if (--references == 0)
            delete static_cast<Derived*>(this);
    }
};

class Submitter;

/// Holds the fence of one command; goes back to its device for the next one.
class Syncobj {
public:
    explicit Syncobj(cl_device_id device);
    ~Syncobj();
    Syncobj(const Syncobj&) = delete;
    Syncobj& operator=(const Syncobj&) = delete;
    std::uint32_t handle() const { return m_handle; }

private:
    cl_device_id m_device;
    std::uint32_t m_handle;
};

} // namespace lttng_gpu::gputest

struct _cl_platform_id {
    void* dispatch = &lttng_gpu::gputest::dispatch_table;
    std::vector<std::unique_ptr<_cl_device_id>> devices;
};

struct _cl_device_id {
    _cl_device_id(cl_platform_id owner, const std::string& path);
    ~_cl_device_id();

    void* dispatch = &lttng_gpu::gputest::dispatch_table;
    cl_platform_id platform;
    lttng_gpu::gputest::DeviceFile file;
    drm_gputest_info info;
    std::unique_ptr<lttng_gpu::gputest::Submitter> submitter;
    std::mutex mutex;
    std::vector<std::uint32_t> free_syncobjs;
    std::atomic<std::uint32_t> queues{0};
};

struct _cl_context : lttng_gpu::gputest::Counted<_cl_context> {
    explicit _cl_context(cl_device_id only) : device(only) {}

    cl_device_id device;
};

struct _cl_program : lttng_gpu::gputest::Counted<_cl_program> {
    explicit _cl_program(cl_context owner) : context(owner) { context->retain(); }
    ~_cl_program() { context->release(); }

    cl_context context;
};

// There is no compiler: a kernel is its name, and takes a microsecond for each work-item.
struct _cl_kernel : lttng_gpu::gputest::Counted<_cl_kernel> {
    _cl_kernel(cl_program owner, std::string its_name) : program(owner), name(std::move(its_name))
    {
        program->retain();
    }
    ~_cl_kernel() { program->release(); }

    cl_program program;
    std::string name;
};

struct _cl_mem : lttng_gpu::gputest::Counted<_cl_mem> {
    _cl_mem(cl_context owner, cl_mem_flags its_flags, std::size_t size)
        : context(owner), flags(its_flags), bytes(size)
    {
        context->retain();
    }
    ~_cl_mem() { context->release(); }

    cl_context context;
    cl_mem_flags flags;
    std::vector<unsigned char> bytes;
};

struct _cl_command_queue : lttng_gpu::gputest::Counted<_cl_command_queue> {
    _cl_command_queue(cl_context owner, cl_command_queue_properties its_properties);
    ~_cl_command_queue();

    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
    std::uint32_t ring;
    std::mutex mutex;
    std::shared_ptr<lttng_gpu::gputest::Syncobj> last; // what the next command waits for, in order
};

// A command and the event that stands for it.
struct _cl_event : lttng_gpu::gputest::Counted<_cl_event> {
    _cl_event(cl_command_queue owner, cl_command_type its_type, std::string its_label);
    ~_cl_event();

    cl_command_queue queue;
    cl_command_type type;
    std::string label;
    std::uint64_t exec_ns = 1000;
    std::shared_ptr<lttng_gpu::gputest::Syncobj> syncobj;
    std::vector<std::shared_ptr<lttng_gpu::gputest::Syncobj>> waits_for; // until it is submitted
    std::atomic<bool> is_submitted{false};
    std::uint64_t queued_ns = lttng_gpu::gputest::monotonic_now();
    std::uint64_t submitted_ns = 0;
    lttng_gpu::gputest::Share share; // with is_submitted
};
