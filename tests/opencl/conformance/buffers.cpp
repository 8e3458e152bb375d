// SPDX-License-Identifier: MIT
//
// Buffers and sub-buffers, and every command that moves their content, on every kind of queue.
#include "event_facts.hpp"
#include "sections.hpp"

#include <vector>

namespace conformance {

namespace {

constexpr size_t bytes = 4096;

std::vector<unsigned char> pattern(unsigned seed)
{
    std::vector<unsigned char> values(bytes);
    for (size_t i = 0; i < bytes; ++i)
        values[i] = static_cast<unsigned char>(i * 7 + seed);
    return values;
}

void describe(cl_mem memory)
{
    INFO(cl_uint, "type", clGetMemObjectInfo, memory, CL_MEM_TYPE);
    INFO(cl_ulong, "flags", clGetMemObjectInfo, memory, CL_MEM_FLAGS);
    INFO(size_t, "size", clGetMemObjectInfo, memory, CL_MEM_SIZE);
    INFO(cl_uint, "references", clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT);
    INFO(cl_uint, "maps", clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT);
    INFO(size_t, "offset", clGetMemObjectInfo, memory, CL_MEM_OFFSET);
    INFO(cl_bool, "uses SVM", clGetMemObjectInfo, memory, CL_MEM_USES_SVM_POINTER);
    INFO(cl_uint, "no such name", clGetMemObjectInfo, memory, 0xdead);
}

void creation(const Context& context)
{
    auto content = pattern(1);
    for (cl_mem_flags flags :
         {CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
          CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY}) {
        line("flags %llx", (unsigned long long)flags);
        void* host =
            flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR) ? content.data() : nullptr;
        cl_mem memory = MAKE("buffer", clCreateBuffer, context, flags, bytes, host);
        if (!memory)
            continue;
        describe(memory);
        CALL("last", clReleaseMemObject, memory);
    }
    const cl_mem_properties none[] = {0};
    cl_mem memory = MAKE("properties", clCreateBufferWithProperties, context, none,
                         CL_MEM_READ_WRITE, bytes, nullptr);
    if (memory) {
        describe(memory);
        CALL("once more", clRetainMemObject, memory);
        INFO(cl_uint, "references", clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT);
        CALL("back", clReleaseMemObject, memory);
        CALL("last", clReleaseMemObject, memory);
    }
    const cl_mem_properties unknown[] = {0x7777, 1, 0};
    MAKE("unknown property", clCreateBufferWithProperties, context, unknown, CL_MEM_READ_WRITE,
         bytes, nullptr);
    MAKE("no bytes", clCreateBuffer, context, CL_MEM_READ_WRITE, 0, nullptr);
    MAKE("too large", clCreateBuffer, context, CL_MEM_READ_WRITE, size_t(1) << 60, nullptr);
    MAKE("unwanted host pointer", clCreateBuffer, context, CL_MEM_READ_WRITE, bytes,
         content.data());
    MAKE("no context", clCreateBuffer, nullptr, CL_MEM_READ_WRITE, bytes, nullptr);
}

void sub_buffers(const Context& context)
{
    cl_mem whole = context.buffer(bytes);
    cl_buffer_region region = {1024, 512};
    cl_mem part = MAKE("inside", clCreateSubBuffer, whole, CL_MEM_READ_ONLY,
                       CL_BUFFER_CREATE_TYPE_REGION, &region);
    if (part) {
        describe(part);
        cl_mem parent = nullptr;
        CALL("parent", clGetMemObjectInfo, part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent,
             &parent, nullptr);
        line("%s parent", parent == whole ? "its" : "another");
        MAKE("of a sub-buffer", clCreateSubBuffer, part, 0, CL_BUFFER_CREATE_TYPE_REGION, &region);
    }
    INFO(cl_uint, "references of the whole", clGetMemObjectInfo, whole, CL_MEM_REFERENCE_COUNT);
    region.origin = bytes;
    MAKE("outside", clCreateSubBuffer, whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region);
    region = {4, 0};
    MAKE("empty", clCreateSubBuffer, whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region);
    MAKE("no region", clCreateSubBuffer, whole, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr);
    MAKE("no such type", clCreateSubBuffer, whole, 0, 0x7777, &region);
    MAKE("no buffer", clCreateSubBuffer, nullptr, 0, CL_BUFFER_CREATE_TYPE_REGION, &region);
    if (part)
        CALL("the part", clReleaseMemObject, part);
    CALL("the whole", clReleaseMemObject, whole);
}

void reads_and_writes(const Context& context, cl_command_queue queue)
{
    cl_mem first = context.buffer(bytes), second = context.buffer(bytes);
    auto content = pattern(2);
    std::vector<unsigned char> result(bytes);
    cl_event written = nullptr, copied = nullptr, read = nullptr;
    CALL("not blocking", clEnqueueWriteBuffer, queue, first, CL_FALSE, 0, bytes, content.data(), 0,
         nullptr, &written);
    CALL("after it", clEnqueueCopyBuffer, queue, first, second, 0, 64, bytes - 64, 1, &written,
         &copied);
    CALL("after both", clEnqueueReadBuffer, queue, second, CL_FALSE, 64, bytes - 64, result.data(),
         1, &copied, &read);
    finish(read, "read");
    finish(copied, "copy");
    finish(written, "write");
    line("%s", digest(result).c_str());
    cl_event blocking = nullptr;
    CALL("blocking", clEnqueueWriteBuffer, queue, second, CL_TRUE, 0, bytes, content.data(), 0,
         nullptr, &blocking);
    INFO(cl_int, "status at once", clGetEventInfo, blocking, CL_EVENT_COMMAND_EXECUTION_STATUS);
    finish(blocking, "blocking write");
    CALL("blocking, no event", clEnqueueReadBuffer, queue, second, CL_TRUE, 0, bytes, result.data(),
         0, nullptr, nullptr);
    line("%s", digest(result).c_str());
    const size_t origin[] = {8, 2, 0}, host_origin[] = {0, 0, 0}, region[] = {16, 8, 2};
    cl_event events[3] = {};
    CALL("rectangle", clEnqueueWriteBufferRect, queue, first, CL_FALSE, origin, host_origin, region,
         64, 1024, 32, 512, content.data(), 0, nullptr, &events[0]);
    CALL("rectangle", clEnqueueCopyBufferRect, queue, first, second, origin, host_origin, region,
         64, 1024, 32, 512, 1, &events[0], &events[1]);
    CALL("rectangle", clEnqueueReadBufferRect, queue, second, CL_FALSE, host_origin, origin, region,
         32, 512, 64, 1024, result.data(), 1, &events[1], &events[2]);
    finish(events[2], "read rectangle");
    finish(events[1], "copy rectangle");
    finish(events[0], "write rectangle");
    line("%s", digest(result).c_str());
    CALL("the first", clReleaseMemObject, first);
    CALL("the second", clReleaseMemObject, second);
}

void fills_and_maps(const Context& context, cl_command_queue queue)
{
    cl_mem memory = context.buffer(bytes);
    const cl_uint value = 0x01020304;
    cl_event filled = nullptr, mapped = nullptr, unmapped = nullptr, migrated = nullptr;
    CALL("all", clEnqueueFillBuffer, queue, memory, &value, sizeof value, 0, bytes, 0, nullptr,
         &filled);
    cl_int error = 777;
    called("clEnqueueMapBuffer");
    auto* content = static_cast<unsigned char*>(
        clEnqueueMapBuffer(queue, memory, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 256, 512, 1,
                           &filled, &mapped, &error));
    line("map: %d", error);
    finish(mapped, "map");
    finish(filled, "fill");
    INFO(cl_uint, "maps", clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT);
    if (content) {
        line("%s", digest(content, 512).c_str());
        content[3] = 99;
        CALL("the part", clEnqueueUnmapMemObject, queue, memory, content, 0, nullptr, &unmapped);
        finish(unmapped, "unmap");
    }
    INFO(cl_uint, "maps", clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT);
    CALL("to the host", clEnqueueMigrateMemObjects, queue, 1, &memory, CL_MIGRATE_MEM_OBJECT_HOST,
         0, nullptr, &migrated);
    finish(migrated, "migrate");
    std::vector<unsigned char> result(bytes);
    CALL("all", clEnqueueReadBuffer, queue, memory, CL_TRUE, 0, bytes, result.data(), 0, nullptr,
         nullptr);
    line("%s", digest(result).c_str());
    CALL("last", clReleaseMemObject, memory);
}

void bad_commands(const Context& context, cl_command_queue queue)
{
    cl_mem memory = context.buffer(bytes);
    std::vector<unsigned char> content(bytes);
    cl_event none = nullptr, event = nullptr;
    cl_int error = 777;
    CALL("outside", clEnqueueReadBuffer, queue, memory, CL_TRUE, bytes, 1, content.data(), 0,
         nullptr, &event);
    CALL("nowhere", clEnqueueReadBuffer, queue, memory, CL_TRUE, 0, 1, nullptr, 0, nullptr, &event);
    CALL("no bytes", clEnqueueReadBuffer, queue, memory, CL_TRUE, 0, 0, content.data(), 0, nullptr,
         nullptr);
    CALL("no memory", clEnqueueReadBuffer, queue, nullptr, CL_TRUE, 0, 1, content.data(), 0,
         nullptr, &event);
    CALL("no queue", clEnqueueReadBuffer, nullptr, memory, CL_TRUE, 0, 1, content.data(), 0,
         nullptr, &event);
    CALL("list without events", clEnqueueWriteBuffer, queue, memory, CL_TRUE, 0, 1, content.data(),
         1, nullptr, &event);
    CALL("events without list", clEnqueueWriteBuffer, queue, memory, CL_TRUE, 0, 1, content.data(),
         0, &none, &event);
    CALL("no event in the list", clEnqueueWriteBuffer, queue, memory, CL_TRUE, 0, 1, content.data(),
         1, &none, &event);
    CALL("on itself", clEnqueueCopyBuffer, queue, memory, memory, 0, 8, 64, 0, nullptr, &event);
    CALL("odd pattern", clEnqueueFillBuffer, queue, memory, content.data(), 3, 0, 9, 0, nullptr,
         &event);
    CALL("odd offset", clEnqueueFillBuffer, queue, memory, content.data(), 4, 1, 8, 0, nullptr,
         &event);
    called("clEnqueueMapBuffer");
    void* mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, bytes, 1, 0, nullptr,
                                      &event, &error);
    line("map outside: %s, %d", mapped ? "mapped" : "nothing", error);
    CALL("never mapped", clEnqueueUnmapMemObject, queue, memory, content.data(), 0, nullptr,
         &event);
    CALL("none", clEnqueueMigrateMemObjects, queue, 0, nullptr, 0, 0, nullptr, &event);
    line("%s", event ? "an event" : "no event from failed commands");
    CALL("last", clReleaseMemObject, memory);
    CALL("no memory", clRetainMemObject, nullptr);
    CALL("no memory", clReleaseMemObject, nullptr);
    CALL("no memory", clGetMemObjectInfo, nullptr, CL_MEM_TYPE, 0, nullptr, nullptr);
}

} // namespace

void buffers(const Device& device)
{
    const Context context(device);
    creation(context);
    sub_buffers(context);
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE}) {
        line("queue of properties %llx", (unsigned long long)properties);
        cl_command_queue queue = context.queue(properties);
        reads_and_writes(context, queue);
        fills_and_maps(context, queue);
        bad_commands(context, queue);
        REFERENCES_LEFT("the queue", clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
        CALL("at the end", clFinish, queue);
        REFERENCES_LEFT("the queue", clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
        CALL("last", clReleaseCommandQueue, queue);
    }
}

} // namespace conformance
