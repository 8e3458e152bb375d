// SPDX-License-Identifier: MIT
//
// several-devices WAY [OPTIONS...]: a program runs on all devices of a platform, twice on each in
// turn, and prints what each of them found. WAY: together (clBuildProgram once for all of them,
// with the first OPTIONS), each (once for each device, each with its OPTIONS), apart (a program of
// its own for each device, with its OPTIONS), again (for each device, and then for the first one
// once more, with the last OPTIONS), part (for the last device, and its kernels run on a part of
// it, too).
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr size_t n = 256, local = 64, kinds = 3;

// Which lines are there is known from the options and the device only.
const char* source = R"(
kernel void work(global int *out)
{
    int id = get_global_id(0);
    int passes = 0, taken = 0;
    for (int i = 0; i < id % 5 + PASSES; ++i)
        passes++;
#ifdef MORE
    if (id % 3 == 0)
        taken++;
#endif
#if __OPENCL_C_VERSION__ >= 200
    if (id % 4 == 1)
        taken++;
#endif
#if __OPENCL_C_VERSION__ >= 300 && defined(__opencl_c_int64) && defined(__opencl_c_fp64)
    double part = 0.5 * id;
    if ((long)part % 2 == 1)
        taken++;
#endif
    out[id * 3] = passes;
    out[id * 3 + 1] = taken;
    out[id * 3 + 2] = __OPENCL_C_VERSION__;
}
)";

struct Device {
    cl_device_id id = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;
    cl_kernel kernel = nullptr; // may be that of other devices, too
    cl_mem memory = nullptr;
};

void check(cl_int error, const char* what)
{
    if (error == CL_SUCCESS)
        return;
    std::printf("%s: %d\n", what, error);
    std::exit(1);
}

std::vector<Device> devices;
std::vector<cl_device_id> ids;
cl_context context;

/// Of one of its compute units.
cl_device_id part_of(cl_device_id device)
{
    const std::array<cl_device_partition_property, 3> equally{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_uint count = 0;
    check(clCreateSubDevices(device, equally.data(), 0, nullptr, &count), "clCreateSubDevices");
    std::vector<cl_device_id> parts(count);
    check(clCreateSubDevices(device, equally.data(), count, parts.data(), nullptr),
          "clCreateSubDevices");
    return parts.at(0);
}

void open_devices(bool with_part)
{
    cl_platform_id platform = nullptr;
    cl_uint count = 0;
    cl_int error = CL_SUCCESS;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "clGetDeviceIDs");
    ids.resize(count);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr),
          "clGetDeviceIDs");
    if (with_part) {
        ids = {ids.back(), part_of(ids.back())};
        count = 2;
    }
    devices.resize(count);
    context = clCreateContext(nullptr, count, ids.data(), nullptr, nullptr, &error);
    check(error, "clCreateContext");
    for (cl_uint number = 0; number < count; ++number) {
        Device& device = devices[number];
        device.id = ids[number];
        device.queue = clCreateCommandQueueWithProperties(context, device.id, nullptr, &error);
        check(error, "clCreateCommandQueue");
        device.memory =
            clCreateBuffer(context, CL_MEM_READ_WRITE, n * kinds * sizeof(cl_int), nullptr, &error);
        check(error, "clCreateBuffer");
    }
}

cl_program make_program()
{
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    check(error, "clCreateProgramWithSource");
    return program;
}

void build(cl_program program, const std::vector<cl_device_id>& for_these,
           const std::string& options)
{
    const cl_int error = clBuildProgram(program, static_cast<cl_uint>(for_these.size()),
                                        for_these.data(), options.c_str(), nullptr, nullptr);
    if (error == CL_SUCCESS)
        return;
    std::array<char, 2000> log{};
    clGetProgramBuildInfo(program, for_these[0], CL_PROGRAM_BUILD_LOG, log.size() - 1, log.data(),
                          nullptr);
    std::printf("clBuildProgram %s: %d\n%s\n", options.c_str(), error, log.data());
    std::exit(1);
}

void build_all(const std::string& way, const std::vector<std::string>& options)
{
    cl_int error = CL_SUCCESS;
    const cl_program one = way == "apart" ? nullptr : make_program();
    if (way == "together" || way == "part")
        build(one, way == "part" ? std::vector{ids[0]} : ids, options.at(0));
    for (std::size_t number = 0; number < devices.size(); ++number) {
        Device& device = devices[number];
        device.program = one != nullptr ? one : make_program();
        if (way != "together" && way != "part")
            build(device.program, {device.id}, options.at(number));
    }
    if (way == "again")
        build(one, {ids[0]}, options.back());
    const cl_kernel shared = one != nullptr ? clCreateKernel(one, "work", &error) : nullptr;
    check(error, "clCreateKernel");
    for (Device& device : devices) {
        device.kernel = shared != nullptr ? shared : clCreateKernel(device.program, "work", &error);
        check(error, "clCreateKernel");
    }
}

void print(std::size_t number, const std::vector<cl_int>& out)
{
    unsigned hash = 2166136261;
    long passes = 0;
    long taken = 0;
    for (std::size_t place = 0; place < out.size(); ++place) {
        hash = (hash ^ static_cast<unsigned>(out[place])) * 16777619;
        passes += place % kinds == 0 ? out[place] : 0;
        taken += place % kinds == 1 ? out[place] : 0;
    }
    std::printf("device %zu: passes %ld taken %ld version %d hash %u\n", number, passes, taken,
                out[2], hash);
}

} // namespace

int main(int count, char** words)
{
    const std::string way = count > 1 ? words[1] : "together";
    std::vector<std::string> options{words + (count > 2 ? 2 : count), words + count};
    open_devices(way == "part");
    options.resize(std::max(options.size(), devices.size() + 1),
                   options.empty() ? "-DPASSES=1" : options.back());
    build_all(way, options);
    for (int round = 0; round < 2; ++round) {
        for (Device& device : devices) {
            check(clSetKernelArg(device.kernel, 0, sizeof(device.memory), &device.memory),
                  "clSetKernelArg");
            check(clEnqueueNDRangeKernel(device.queue, device.kernel, 1, nullptr, &n, &local, 0,
                                         nullptr, nullptr),
                  "clEnqueueNDRangeKernel");
            check(clFinish(device.queue), "clFinish");
        }
    }
    for (std::size_t number = 0; number < devices.size(); ++number) {
        const Device& device = devices[number];
        std::vector<cl_int> out(n * kinds);
        check(clEnqueueReadBuffer(device.queue, device.memory, CL_TRUE, 0,
                                  out.size() * sizeof(cl_int), out.data(), 0, nullptr, nullptr),
              "clEnqueueReadBuffer");
        print(number, out);
    }
}
