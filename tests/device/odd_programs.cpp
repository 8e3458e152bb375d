// SPDX-License-Identifier: MIT
//
// odd-programs WAY: makes a program and launches a kernel of it in a way that few applications use,
// and prints the results. WAY: source, callback (the build tells its end), binary, il, linked,
// built_in, pointer (clSetKernelArgMemPointerINTEL), odd (a function that nobody knows sets an
// argument), command_buffer, wrong_size (a launch that no driver takes, before the right one),
// bad_source (a build that fails, with a callback).
#define CL_TARGET_OPENCL_VERSION 300
#define CL_ENABLE_BETA_EXTENSIONS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr size_t n = 128, local = 64;
const char* source = "kernel void fill(global int *out, int more)\n"
                     "{\n"
                     "    int passes = 0;\n"
                     "    while (passes < get_global_id(0) % 7)\n"
                     "        passes++;\n"
                     "    out[get_global_id(0)] += passes + more;\n"
                     "}\n";

cl_platform_id platform;
cl_device_id device;
cl_context context;
cl_command_queue queue;

void check(cl_int error, const char* what)
{
    if (error == CL_SUCCESS)
        return;
    std::printf("%s: %d\n", what, error);
    std::exit(1);
}

cl_program of_source()
{
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    check(error, "clCreateProgramWithSource");
    return program;
}

cl_program built(cl_program program)
{
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    return program;
}

void CL_CALLBACK make_kernel(cl_program program, void* kernel)
{
    cl_int error = CL_SUCCESS;
    *static_cast<cl_kernel*>(kernel) = clCreateKernel(program, "fill", &error);
    std::printf("told: %d\n", error);
}

std::vector<unsigned char> binary()
{
    cl_program program = built(of_source());
    size_t bytes = 0;
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, nullptr);
    std::vector<unsigned char> made(bytes);
    unsigned char* place = made.data();
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(place), &place, nullptr);
    return made;
}

cl_program make_program(const std::string& way)
{
    cl_int error = CL_SUCCESS;
    cl_program program = nullptr;
    if (way == "binary" || way == "il") {
        const std::vector<unsigned char> made = binary();
        const unsigned char* place = made.data();
        const size_t bytes = made.size();
        program = way == "il" ? clCreateProgramWithIL(context, place, bytes, &error)
                              : clCreateProgramWithBinary(context, 1, &device, &bytes, &place,
                                                          nullptr, &error);
        check(error, "clCreateProgramWith...");
        return built(program);
    }
    if (way == "built_in") {
        program = clCreateProgramWithBuiltInKernels(context, 1, &device, "pocl.add.i8", &error);
        check(error, "clCreateProgramWithBuiltInKernels");
        return program;
    }
    program = of_source();
    if (way != "linked")
        return built(program);
    check(clCompileProgram(program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr),
          "clCompileProgram");
    program = clLinkProgram(context, 1, &device, "", 1, &program, nullptr, nullptr, &error);
    check(error, "clLinkProgram");
    return program;
}

cl_mem make_memory()
{
    cl_int error = CL_SUCCESS;
    const cl_int first = 3;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(cl_int), nullptr, &error);
    check(error, "clCreateBuffer");
    check(clEnqueueFillBuffer(queue, memory, &first, sizeof(first), 0, n * sizeof(cl_int), 0,
                              nullptr, nullptr),
          "clEnqueueFillBuffer");
    return memory;
}

void print(cl_mem memory)
{
    std::vector<cl_int> results(n);
    check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, n * sizeof(cl_int), results.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
    unsigned hash = 2166136261;
    for (const cl_int value : results)
        hash = (hash ^ static_cast<unsigned>(value)) * 16777619;
    std::printf("hash %u\n", hash);
}

template <class Function> Function find(const char* name)
{
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
}

void launch(cl_kernel kernel, size_t size)
{
    const cl_int error =
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &n, &size, 0, nullptr, nullptr);
    std::printf("launched: %d\n", error);
}

void launch_by_command_buffer(cl_kernel kernel)
{
    cl_int error = CL_SUCCESS;
    cl_command_buffer_khr buffer =
        find<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR")(1, &queue, nullptr, &error);
    check(error, "clCreateCommandBufferKHR");
    check(
        find<clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR")(
            buffer, nullptr, nullptr, kernel, 1, nullptr, &n, &local, 0, nullptr, nullptr, nullptr),
        "clCommandNDRangeKernelKHR");
    check(find<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR")(buffer),
          "clFinalizeCommandBufferKHR");
    check(find<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR")(0, nullptr, buffer, 0,
                                                                          nullptr, nullptr),
          "clEnqueueCommandBufferKHR");
    clFinish(queue);
}

} // namespace

int main(int count, char** words)
{
    const std::string way = count > 1 ? words[1] : "source";
    cl_int error = CL_SUCCESS;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
    check(error, "clCreateCommandQueue");
    cl_kernel kernel = nullptr;
    if (way == "callback" || way == "bad_source") {
        source = way == "callback" ? source : "kernel void fill() { undeclared(); }\n";
        error = clBuildProgram(of_source(), 1, &device, "", make_kernel, &kernel);
        std::printf("built: %d\n", error);
        if (kernel == nullptr)
            return 1;
    } else {
        kernel =
            clCreateKernel(make_program(way), way == "built_in" ? "pocl.add.i8" : "fill", &error);
        check(error, "clCreateKernel");
    }
    const cl_mem memory = make_memory(), other = make_memory();
    const cl_int more = 5;
    check(clSetKernelArg(kernel, 0, sizeof(memory), &memory), "clSetKernelArg");
    if (way == "built_in") {
        check(clSetKernelArg(kernel, 1, sizeof(memory), &memory), "clSetKernelArg");
        check(clSetKernelArg(kernel, 2, sizeof(other), &other), "clSetKernelArg");
    } else {
        check(clSetKernelArg(kernel, 1, sizeof(more), &more), "clSetKernelArg");
    }
    using Set = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, const void*);
    if (way == "pointer" || way == "odd")
        check(find<Set>(way == "odd" ? "clSetKernelArgOddTEST"
                                     : "clSetKernelArgMemPointerINTEL")(kernel, 0, other),
              "clSetKernelArg...");
    if (way == "command_buffer")
        launch_by_command_buffer(kernel);
    else
        launch(kernel, way == "wrong_size" ? 48 : local);
    if (way == "wrong_size")
        launch(kernel, local);
    print(memory);
    print(other);
}
