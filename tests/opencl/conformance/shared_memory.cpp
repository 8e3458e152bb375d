// SPDX-License-Identifier: MIT
//
// Shared virtual memory and pipes.
#include "event_facts.hpp"
#include "sections.hpp"

#include <cstring>

namespace conformance {

namespace {

constexpr size_t bytes = 4096;

void CL_CALLBACK free_all(cl_command_queue, cl_uint count, void* pointers[], void* data)
{
    auto& [context, freed] = *static_cast<std::pair<cl_context, Count>*>(data);
    for (cl_uint i = 0; i < count; ++i)
        clSVMFree(context, pointers[i]);
    freed.add();
}

unsigned char* allocate(cl_context context, const char* words, cl_svm_mem_flags flags, size_t size,
                        cl_uint alignment)
{
    called("clSVMAlloc");
    void* memory = clSVMAlloc(context, flags, size, alignment);
    line("clSVMAlloc %s: %s", words, memory ? "memory" : "none");
    return static_cast<unsigned char*>(memory);
}

void commands(cl_context context, cl_command_queue queue)
{
    unsigned char* first = allocate(context, "first", CL_MEM_READ_WRITE, bytes, 0);
    unsigned char* second = allocate(context, "second", CL_MEM_READ_WRITE, bytes, 64);
    if (!first || !second)
        return;
    const unsigned short value = 0x1234;
    cl_event events[6] = {};
    CALL("all", clEnqueueSVMMemFill, queue, first, &value, sizeof value, bytes, 0, nullptr,
         &events[0]);
    CALL("all", clEnqueueSVMMemcpy, queue, CL_FALSE, second, first, bytes, 1, &events[0],
         &events[1]);
    CALL("to write", clEnqueueSVMMap, queue, CL_FALSE, CL_MAP_WRITE, second, bytes, 1, &events[1],
         &events[2]);
    clWaitForEvents(1, &events[2]);
    std::memset(second, 3, 100);
    CALL("after it", clEnqueueSVMUnmap, queue, second, 0, nullptr, &events[3]);
    const void* pointers[] = {second};
    const size_t sizes[] = {bytes};
    CALL("to the device", clEnqueueSVMMigrateMem, queue, 1, pointers, sizes, 0, 1, &events[3],
         &events[4]);
    const char* names[] = {"fill", "copy", "map", "unmap", "migrate"};
    for (int i = 4; i >= 0; --i)
        finish(events[i], names[i]);
    CALL("blocking", clEnqueueSVMMemcpy, queue, CL_TRUE, first, second, 200, 0, nullptr, nullptr);
    line("%s", digest(first, bytes).c_str());
    std::pair<cl_context, Count> freed;
    freed.first = context;
    void* both[] = {first, second};
    CALL("both", clEnqueueSVMFree, queue, 2, both, free_all, &freed, 0, nullptr, &events[5]);
    finish(events[5], "free");
    line("freed by %d callbacks", freed.second.settled(1));
}

void bad_arguments(cl_context context, cl_command_queue queue)
{
    allocate(context, "nothing", CL_MEM_READ_WRITE, 0, 0);
    allocate(context, "no alignment", CL_MEM_READ_WRITE, 64, 3);
    allocate(nullptr, "no context", CL_MEM_READ_WRITE, 64, 0);
    called("clSVMFree");
    clSVMFree(context, nullptr);
    unsigned char bytes_of_ours[64] = {};
    CALL("no pointer", clEnqueueSVMMemcpy, queue, CL_TRUE, nullptr, bytes_of_ours, 8, 0, nullptr,
         nullptr);
    CALL("on itself", clEnqueueSVMMemcpy, queue, CL_TRUE, bytes_of_ours, bytes_of_ours + 2, 8, 0,
         nullptr, nullptr);
    CALL("no pointer", clEnqueueSVMMemFill, queue, nullptr, bytes_of_ours, 4, 8, 0, nullptr,
         nullptr);
    CALL("no pointer", clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_READ, nullptr, 8, 0, nullptr,
         nullptr);
    CALL("no pointer", clEnqueueSVMUnmap, queue, nullptr, 0, nullptr, nullptr);
    CALL("none", clEnqueueSVMFree, queue, 0, nullptr, nullptr, nullptr, 0, nullptr, nullptr);
    CALL("none", clEnqueueSVMMigrateMem, queue, 0, nullptr, nullptr, 0, 0, nullptr, nullptr);
    CALL("no queue", clEnqueueSVMUnmap, nullptr, nullptr, 0, nullptr, nullptr);
}

void pipes(cl_context context)
{
    cl_mem pipe = MAKE("of words", clCreatePipe, context, CL_MEM_READ_WRITE, 4, 16, nullptr);
    if (pipe) {
        INFO(cl_uint, "packet", clGetPipeInfo, pipe, CL_PIPE_PACKET_SIZE);
        CALL("last", clReleaseMemObject, pipe);
    }
    MAKE("of nothing", clCreatePipe, context, CL_MEM_READ_WRITE, 0, 0, nullptr);
    MAKE("no context", clCreatePipe, nullptr, CL_MEM_READ_WRITE, 4, 16, nullptr);
    cl_uint value = 0;
    CALL("no pipe", clGetPipeInfo, nullptr, CL_PIPE_PACKET_SIZE, sizeof value, &value, nullptr);
}

} // namespace

void shared_memory(const Device& device)
{
    const Context context(device);
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        line("queue of properties %llx", (unsigned long long)properties);
        cl_command_queue queue = context.queue(properties);
        commands(context, queue);
        bad_arguments(context, queue);
        CALL("at the end", clFinish, queue);
        CALL("last", clReleaseCommandQueue, queue);
    }
    pipes(context);
}

} // namespace conformance
