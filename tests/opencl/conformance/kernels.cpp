// SPDX-License-Identifier: MIT
//
// Kernels: arguments, descriptions, ranges, tasks and functions of the host.
#include "event_facts.hpp"
#include "sections.hpp"

#include <cstring>
#include <vector>

namespace conformance {

namespace {

constexpr size_t count = 256;
const char* const source =
    // Atomic: in two and three dimensions several work-items have the same first number.
    "kernel void add(global int* values, int by)\n"
    "{ atomic_add(&values[get_global_id(0)], by); }\n"
    "kernel void one(global int* values) { values[0] = 4711; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight(global int* values)\n"
    "{ values[get_global_id(0)] = get_group_id(0); }\n";

void describe(cl_kernel kernel, cl_device_id device)
{
    char name[64] = "";
    size_t size = 0;
    CALL("name", clGetKernelInfo, kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, &size);
    line("\"%s\", %zu", name, size);
    INFO(cl_uint, "arguments", clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS);
    INFO(cl_uint, "references", clGetKernelInfo, kernel, CL_KERNEL_REFERENCE_COUNT);
    CALL("first argument's name", clGetKernelArgInfo, kernel, 0, CL_KERNEL_ARG_NAME, sizeof name,
         name, &size);
    line("\"%s\"", name);
    CALL("no such argument", clGetKernelArgInfo, kernel, 9, CL_KERNEL_ARG_NAME, sizeof name, name,
         &size);
    size_t group = 0, required[3] = {7, 7, 7};
    CALL("largest group", clGetKernelWorkGroupInfo, kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
         sizeof group, &group, nullptr);
    CALL("required group", clGetKernelWorkGroupInfo, kernel, device,
         CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, nullptr);
    line("at most %zu, required %zu %zu %zu", group, required[0], required[1], required[2]);
    size_t input = 8, groups = 777;
    CALL("sub-groups", clGetKernelSubGroupInfo, kernel, device,
         CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof input, &input, sizeof groups, &groups,
         nullptr);
}

void arguments(const Context& context, cl_kernel kernel, cl_mem memory)
{
    const cl_int by = 3;
    CALL("memory", clSetKernelArg, kernel, 0, sizeof memory, &memory);
    CALL("value", clSetKernelArg, kernel, 1, sizeof by, &by);
    CALL("no such argument", clSetKernelArg, kernel, 2, sizeof by, &by);
    CALL("wrong size", clSetKernelArg, kernel, 1, 2, &by);
    CALL("no value", clSetKernelArg, kernel, 1, sizeof by, nullptr);
    CALL("no kernel", clSetKernelArg, nullptr, 0, sizeof by, &by);
    void* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    if (shared) {
        CALL("shared memory", clSetKernelArgSVMPointer, kernel, 0, shared);
        void* list[] = {shared};
        CALL("used shared memory", clSetKernelExecInfo, kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS,
             sizeof list, list);
        clSetKernelArg(kernel, 0, sizeof memory, &memory);
        clSVMFree(context, shared);
    }
    CALL("no such argument", clSetKernelArgSVMPointer, kernel, 9, nullptr);
    CALL("no kernel", clSetKernelArgSVMPointer, nullptr, 0, nullptr);
    CALL("no such information", clSetKernelExecInfo, kernel, 0x7777, 0, nullptr);
    CALL("no kernel", clSetKernelExecInfo, nullptr, 0, 0, nullptr);
}

void ranges(cl_command_queue queue, cl_kernel kernel, cl_mem memory)
{
    const cl_int zero = 0;
    cl_event filled = nullptr, events[3] = {};
    CALL("all", clEnqueueFillBuffer, queue, memory, &zero, sizeof zero, 0, count * 4, 0, nullptr,
         &filled);
    const size_t offset[] = {64, 0, 0}, flat[] = {16, 8}, deep[] = {8, 4, 2}, local[] = {8},
                 all[] = {count}, half[] = {count / 2};
    CALL("one dimension", clEnqueueNDRangeKernel, queue, kernel, 1, nullptr, all, local, 1, &filled,
         &events[0]);
    CALL("the driver's group", clEnqueueNDRangeKernel, queue, kernel, 2, nullptr, flat, nullptr, 1,
         &events[0], &events[1]);
    CALL("an offset", clEnqueueNDRangeKernel, queue, kernel, 1, offset, half, local, 1, &events[1],
         &events[2]);
    finish(events[2], "offset");
    finish(events[1], "flat");
    finish(events[0], "line");
    finish(filled, "fill");
    CALL("no event", clEnqueueNDRangeKernel, queue, kernel, 3, nullptr, deep, nullptr, 0, nullptr,
         nullptr);
    CALL("all of it", clFinish, queue);
    std::vector<cl_int> result(count);
    CALL("all", clEnqueueReadBuffer, queue, memory, CL_TRUE, 0, count * 4, result.data(), 0,
         nullptr, nullptr);
    line("%s", digest(result).c_str());
    cl_event event = nullptr;
    CALL("no dimension", clEnqueueNDRangeKernel, queue, kernel, 0, nullptr, all, nullptr, 0,
         nullptr, &event);
    CALL("four dimensions", clEnqueueNDRangeKernel, queue, kernel, 4, nullptr, all, nullptr, 0,
         nullptr, &event);
    const size_t huge[] = {size_t(1) << 40};
    CALL("a huge group", clEnqueueNDRangeKernel, queue, kernel, 1, nullptr, huge, huge, 0, nullptr,
         &event);
    CALL_IF_SURVIVED("no kernel", clEnqueueNDRangeKernel, queue, nullptr, 1, nullptr, all, nullptr,
                     0, nullptr, &event);
    CALL_IF_SURVIVED("no queue", clEnqueueNDRangeKernel, nullptr, kernel, 1, nullptr, all, nullptr,
                     0, nullptr, &event);
    line("%s", event ? "an event" : "no event from failed commands");
}

void CL_CALLBACK on_the_host(void* data)
{
    Count* counter = nullptr;
    std::memcpy(&counter, data, sizeof counter);
    counter->add();
}

void host_functions(cl_command_queue queue, cl_mem memory)
{
    Count counter;
    struct {
        Count* count;
        cl_mem memory;
    } data = {&counter, memory};
    const void* place = &data.memory;
    cl_event event = nullptr;
    CALL("with memory", clEnqueueNativeKernel, queue, on_the_host, &data, sizeof data, 1, &memory,
         &place, 0, nullptr, &event);
    if (event)
        finish(event, "host function");
    line("%d calls", counter.value());
    CALL("no function", clEnqueueNativeKernel, queue, nullptr, &data, sizeof data, 0, nullptr,
         nullptr, 0, nullptr, nullptr);
    CALL_IF_SURVIVED("no queue", clEnqueueNativeKernel, nullptr, on_the_host, &data, sizeof data, 0,
                     nullptr, nullptr, 0, nullptr, nullptr);
}

void tasks(cl_command_queue queue, cl_kernel kernel, cl_mem memory)
{
    cl_event event = nullptr;
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    CALL("once", clEnqueueTask, queue, kernel, 0, nullptr, &event);
    finish(event, "task");
    cl_int value = 0;
    CALL("its result", clEnqueueReadBuffer, queue, memory, CL_TRUE, 0, 4, &value, 0, nullptr,
         nullptr);
    line("%d", value);
    CALL_IF_SURVIVED("no kernel", clEnqueueTask, queue, nullptr, 0, nullptr, nullptr);
    CALL_IF_SURVIVED("no queue", clEnqueueTask, nullptr, kernel, 0, nullptr, nullptr);
}

void all_of_program(cl_program program, cl_device_id device)
{
    cl_uint found = 0;
    CALL("how many", clCreateKernelsInProgram, program, 0, nullptr, &found);
    line("%u kernels", found);
    std::vector<cl_kernel> made(found);
    CALL("all", clCreateKernelsInProgram, program, found, made.data(), nullptr);
    for (cl_kernel kernel : made) {
        describe(kernel, device);
        CALL("last", clReleaseKernel, kernel);
    }
    CALL("no room", clCreateKernelsInProgram, program, 1, made.data(), nullptr);
    CALL("no program", clCreateKernelsInProgram, nullptr, 0, nullptr, &found);
    MAKE("no such kernel", clCreateKernel, program, "no_such_kernel");
    MAKE("no name", clCreateKernel, program, nullptr);
    MAKE("no program", clCreateKernel, nullptr, "add");
}

void copies_and_references(cl_kernel kernel)
{
    cl_kernel copy = MAKE("the kernel", clCloneKernel, kernel);
    if (copy)
        CALL("the copy", clReleaseKernel, copy);
    CALL("once more", clRetainKernel, kernel);
    INFO(cl_uint, "references", clGetKernelInfo, kernel, CL_KERNEL_REFERENCE_COUNT);
    CALL("back", clReleaseKernel, kernel);
    MAKE("no kernel", clCloneKernel, nullptr);
    CALL("no kernel", clRetainKernel, nullptr);
    CALL("no kernel", clReleaseKernel, nullptr);
    CALL("no kernel", clGetKernelInfo, nullptr, CL_KERNEL_CONTEXT, 0, nullptr, nullptr);
    CALL("no kernel", clGetKernelArgInfo, nullptr, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr);
    CALL("no kernel", clGetKernelWorkGroupInfo, nullptr, nullptr, 0, 0, nullptr, nullptr);
    CALL("no kernel", clGetKernelSubGroupInfo, nullptr, nullptr, 0, 0, nullptr, 0, nullptr,
         nullptr);
}

} // namespace

void kernels(const Device& device)
{
    const Context context(device);
    cl_program program = context.program(source);
    cl_kernel add = MAKE("add", clCreateKernel, program, "add");
    cl_kernel one = MAKE("one", clCreateKernel, program, "one");
    describe(add, device.device);
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE}) {
        line("queue of properties %llx", (unsigned long long)properties);
        cl_command_queue queue = context.queue(properties);
        cl_mem memory = context.buffer(count * 4);
        arguments(context, add, memory);
        ranges(queue, add, memory);
        tasks(queue, one, memory);
        host_functions(queue, memory);
        REFERENCES_LEFT("the kernel", clGetKernelInfo, add, CL_KERNEL_REFERENCE_COUNT);
        CALL("last", clReleaseMemObject, memory);
        CALL("last", clReleaseCommandQueue, queue);
    }
    cl_kernel fresh = MAKE("without arguments", clCreateKernel, program, "add");
    cl_command_queue queue = context.queue();
    const size_t size[] = {8};
    CALL("arguments not set", clEnqueueNDRangeKernel, queue, fresh, 1, nullptr, size, nullptr, 0,
         nullptr, nullptr);
    CALL("last", clReleaseCommandQueue, queue);
    CALL("last", clReleaseKernel, fresh);
    all_of_program(program, device.device);
    copies_and_references(add);
    CALL("last", clReleaseKernel, add);
    CALL("last", clReleaseKernel, one);
    CALL("last", clReleaseProgram, program);
}

} // namespace conformance
