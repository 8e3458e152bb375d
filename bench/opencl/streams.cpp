// SPDX-License-Identifier: MIT
//
// streams [ROUNDS] [QUEUES]: what an application of a GPU does, to be recorded: each queue copies
// its matrices to the device, multiplies and adds them, and copies the result back, ROUNDS times,
// six commands a round; queues depend on one another now and then. Every result is checked.
#include "tests/opencl/programs/work.hpp"

namespace {

constexpr size_t side = 128, elements = side * side, bytes = elements * sizeof(float);

const char* const source =
    "kernel void multiply(global const float* a, global const float* b, global float* c, int "
    "side)\n"
    "{ int x = get_global_id(0), y = get_global_id(1); float sum = 0;\n"
    "  for (int k = 0; k < side; ++k) sum += a[y * side + k] * b[k * side + x];\n"
    "  c[y * side + x] = sum; }\n"
    "kernel void add(global float* c, float by) { c[get_global_id(0)] += by; }\n";

// One queue and what belongs to it.
struct Stream {
    cl_command_queue queue = nullptr;
    cl_mem a = nullptr, b = nullptr, c = nullptr;
    cl_kernel multiply = nullptr, add = nullptr;
    std::vector<float> input, result;
    // The end of its last round.
    cl_event last = nullptr;
};

cl_mem buffer(cl_context context)
{
    cl_int error = 0;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
    require(error, "clCreateBuffer");
    return made;
}

Stream make_stream(const Setup& setup, cl_program program, bool is_free_order)
{
    Stream stream;
    stream.queue = setup.queue(is_free_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    stream.a = buffer(setup.context);
    stream.b = buffer(setup.context);
    stream.c = buffer(setup.context);
    cl_int error = 0;
    stream.multiply = clCreateKernel(program, "multiply", &error);
    require(error, "clCreateKernel");
    stream.add = clCreateKernel(program, "add", &error);
    require(error, "clCreateKernel");
    const cl_int width = side;
    clSetKernelArg(stream.multiply, 0, sizeof stream.a, &stream.a);
    clSetKernelArg(stream.multiply, 1, sizeof stream.b, &stream.b);
    clSetKernelArg(stream.multiply, 2, sizeof stream.c, &stream.c);
    clSetKernelArg(stream.multiply, 3, sizeof width, &width);
    clSetKernelArg(stream.add, 0, sizeof stream.c, &stream.c);
    stream.input.assign(elements, 2);
    stream.result.assign(elements, 0);
    return stream;
}

// Six commands, each after the one before it, the first after this queue's last round and `after`
// of another queue.
void round(Stream& stream, cl_event after, float by)
{
    cl_event events[6] = {}, before[2] = {};
    cl_uint waits = 0;
    for (cl_event event : {stream.last, after})
        if (event)
            before[waits++] = event;
    const size_t square[] = {side, side}, line[] = {elements};
    const float one = 1;
    clSetKernelArg(stream.add, 1, sizeof by, &by);
    require(clEnqueueWriteBuffer(stream.queue, stream.a, CL_FALSE, 0, bytes, stream.input.data(),
                                 waits, waits ? before : nullptr, &events[0]),
            "clEnqueueWriteBuffer");
    require(clEnqueueFillBuffer(stream.queue, stream.b, &one, sizeof one, 0, bytes, 1, &events[0],
                                &events[1]),
            "clEnqueueFillBuffer");
    require(clEnqueueNDRangeKernel(stream.queue, stream.multiply, 2, nullptr, square, nullptr, 1,
                                   &events[1], &events[2]),
            "clEnqueueNDRangeKernel");
    require(clEnqueueNDRangeKernel(stream.queue, stream.add, 1, nullptr, line, nullptr, 1,
                                   &events[2], &events[3]),
            "clEnqueueNDRangeKernel");
    require(clEnqueueMarkerWithWaitList(stream.queue, 1, &events[3], &events[4]),
            "clEnqueueMarkerWithWaitList");
    require(clEnqueueReadBuffer(stream.queue, stream.c, CL_FALSE, 0, bytes, stream.result.data(), 1,
                                &events[4], &events[5]),
            "clEnqueueReadBuffer");
    for (int i = 0; i < 5; ++i)
        require(clReleaseEvent(events[i]), "clReleaseEvent");
    if (stream.last)
        require(clReleaseEvent(stream.last), "clReleaseEvent");
    stream.last = events[5];
}

} // namespace

int main(int count, char** words)
{
    const int rounds = count > 1 ? std::atoi(words[1]) : 64;
    const int queues = count > 2 ? std::atoi(words[2]) : 4;
    const Setup setup;
    char name[256] = "";
    clGetDeviceInfo(setup.device, CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
    const char* text = source;
    cl_int error = 0;
    cl_program program = clCreateProgramWithSource(setup.context, 1, &text, nullptr, &error);
    require(error, "clCreateProgramWithSource");
    require(clBuildProgram(program, 1, &setup.device, "", nullptr, nullptr), "clBuildProgram");
    std::vector<Stream> streams;
    for (int i = 0; i < queues; ++i)
        streams.push_back(make_stream(setup, program, i == queues - 1));
    for (int i = 0; i < rounds; ++i) {
        const Stream* before = nullptr;
        for (Stream& stream : streams) {
            round(stream, before && i % 8 == 0 ? before->last : nullptr, static_cast<float>(i));
            require(clFlush(stream.queue), "clFlush");
            before = &stream;
        }
        // The host reads what came of it every fourth round, as programs do.
        if (i % 4 == 3)
            for (Stream& stream : streams)
                require(clFinish(stream.queue), "clFinish");
    }
    for (Stream& stream : streams) {
        require(clFinish(stream.queue), "clFinish");
        for (float value : stream.result)
            require(value == 2.0f * side + static_cast<float>(rounds - 1) ? CL_SUCCESS : 1,
                    "the result");
    }
    std::printf("%s: %d commands on %d queues, every result is right\n", name, rounds * queues * 6,
                queues);
}
