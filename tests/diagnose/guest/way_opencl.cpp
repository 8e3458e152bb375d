// SPDX-License-Identifier: MIT
// See way.hpp. The test driver's OpenCL driver (tests/gputest/opencl) executes a kernel for 1 us
// per item, gives the queues of a device to its rings in turn, and writes which command became
// which job to $GPUTEST_CL_LOG.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "way.hpp"

namespace lttng_gpu::causes {
namespace {

constexpr std::uint32_t rings = 3;
constexpr cl_uint most_devices = 64;

void check(cl_int result, const char* what)
{
    if (result != CL_SUCCESS)
        throw std::runtime_error(std::string(what) + ": OpenCL error " + std::to_string(result));
}

struct Device {
    std::array<cl_command_queue, rings> queues{};
    cl_kernel kernel = nullptr;
    cl_event last = nullptr;
};

class OpenClWay final : public Way {
public:
    OpenClWay()
    {
        const char* log = std::getenv("GPUTEST_CL_LOG");
        if (log == nullptr)
            throw std::runtime_error("GPUTEST_CL_LOG is not set");
        m_log_name = log;
        cl_platform_id platform = nullptr;
        check(clGetPlatformIDs(1, &platform, nullptr), "platform");
        check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, most_devices, m_ids.data(), &m_found),
              "devices");
    }

    Fence submit(std::uint32_t device, std::uint32_t ring, std::uint64_t exec_ns,
                 bool depends) override
    {
        Device& known = at(device);
        if (known.last != nullptr)
            clReleaseEvent(known.last);
        known.last = enqueue(known, ring, exec_ns, depends ? m_given : nullptr);
        return next_in_log();
    }
    void wait(std::uint32_t device) override
    {
        check(clWaitForEvents(1, &at(device).last), "wait");
    }
    bool gives_itself() const override { return true; }
    Fence give(std::uint32_t device, std::uint32_t ring, std::uint64_t exec_ns) override
    {
        if (m_given != nullptr)
            clReleaseEvent(m_given);
        m_given = enqueue(at(device), ring, exec_ns, nullptr);
        return next_in_log();
    }
    bool has_helper(int cpu) override
    {
        bool is_there = false;
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
            std::string name;
            std::getline(std::ifstream(task.path() / "comm"), name);
            if (name.find("_cs:") == std::string::npos)
                continue;
            cpu_set_t cpus;
            CPU_ZERO(&cpus);
            CPU_SET(cpu, &cpus);
            is_there =
                ::sched_setaffinity(std::stoi(task.path().filename()), sizeof(cpus), &cpus) == 0;
            m_helper = task.path() / "schedstat";
        }
        return is_there;
    }
    std::int64_t helper_ran_ns() const override
    {
        std::int64_t ran = 0;
        if (!m_helper.empty())
            std::ifstream(m_helper) >> ran;
        return ran;
    }

private:
    Device& at(std::uint32_t number)
    {
        Device& device = m_devices[number];
        if (device.kernel != nullptr)
            return device;
        if (number >= m_found)
            throw std::runtime_error("too few devices of OpenCL");
        cl_int result = CL_SUCCESS;
        const auto context = clCreateContext(nullptr, 1, &m_ids[number], nullptr, nullptr, &result);
        check(result, "context");
        for (cl_command_queue& queue : device.queues) {
            queue = clCreateCommandQueue(context, m_ids[number], 0, &result);
            check(result, "queue");
        }
        const char* source = "";
        const auto program = clCreateProgramWithSource(context, 1, &source, nullptr, &result);
        check(result, "program");
        check(clBuildProgram(program, 1, &m_ids[number], nullptr, nullptr, nullptr), "build");
        device.kernel = clCreateKernel(program, "late", &result);
        check(result, "kernel");
        return device;
    }
    static cl_event enqueue(Device& device, std::uint32_t ring, std::uint64_t exec_ns,
                            cl_event waits_for)
    {
        const std::size_t items = exec_ns / 1000;
        cl_event event = nullptr;
        check(clEnqueueNDRangeKernel(device.queues[ring], device.kernel, 1, nullptr, &items,
                                     nullptr, waits_for != nullptr ? 1 : 0,
                                     waits_for != nullptr ? &waits_for : nullptr, &event),
              "enqueue");
        check(clFlush(device.queues[ring]), "flush");
        return event;
    }
    /// The fence of the command that was enqueued last, when it has been submitted.
    Fence next_in_log()
    {
        ++m_enqueued;
        for (;;) {
            if (!m_log.is_open())
                m_log.open(m_log_name);
            std::string line;
            const auto before = m_log.tellg();
            while (m_read < m_enqueued && std::getline(m_log, line) && !m_log.eof())
                ++m_read;
            if (m_read == m_enqueued) {
                Fence fence;
                char comma = 0;
                std::istringstream(line) >> fence.context >> comma >> fence.seqno;
                return fence;
            }
            m_log.clear(); // a line that has not been written whole is read again
            if (m_log.is_open())
                m_log.seekg(before);
            const timespec moment{0, 200'000};
            ::nanosleep(&moment, nullptr);
        }
    }

    std::array<cl_device_id, most_devices> m_ids{};
    cl_uint m_found = 0;
    std::string m_helper; // where the kernel tells how long it ran
    std::map<std::uint32_t, Device> m_devices;
    cl_event m_given = nullptr;
    std::string m_log_name;
    std::ifstream m_log;
    std::uint64_t m_enqueued = 0;
    std::uint64_t m_read = 0;
};

} // namespace

std::unique_ptr<Way> make_way(const Devices&)
{
    return std::make_unique<OpenClWay>();
}

} // namespace lttng_gpu::causes
