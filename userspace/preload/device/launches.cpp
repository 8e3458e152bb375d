// SPDX-License-Identifier: MIT
//
// Runs the twin in place of the kernel, and has a thread that reads what was recorded when the
// driver says that it is complete. The application's threads never wait for it, but at the end.
#include "launches.hpp"
#include "runtime/clock.hpp"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

namespace lttng_gpu::device {

/// Without one launch fewer; then what is left is given up.
static constexpr int most_silent_seconds = 5;

static pthread_mutex_t launches_mutex = PTHREAD_MUTEX_INITIALIZER;
static Launch* ready;
static Launch** ready_end = &ready;
static sem_t ready_count;
static uint64_t launches_open; ///< enqueued and not read yet
static bool has_reader;

static Launch* take_ready()
{
    pthread_mutex_lock(&launches_mutex);
    Launch* launch = ready;
    if (launch && !(ready = launch->next))
        ready_end = &ready;
    pthread_mutex_unlock(&launches_mutex);
    return launch;
}

static void* read_launches(void*)
{
    for (;;) {
        while (sem_wait(&ready_count) && errno == EINTR) {
        }
        Launch* launch = take_ready();
        if (!launch)
            continue;
        read_launch(*launch);
        next.clReleaseEvent(launch->event);
        free(launch);
        __atomic_sub_fetch(&launches_open, 1, __ATOMIC_ACQ_REL);
    }
}

static void start_reader()
{
    pthread_t thread;
    sigset_t all, before;
    sem_init(&ready_count, 0, 0);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    has_reader = !pthread_create(&thread, nullptr, read_launches, nullptr);
    if (has_reader)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    atexit(finish_launches);
}

static void CL_CALLBACK completed(cl_event, cl_int, void* data)
{
    Launch* launch = static_cast<Launch*>(data);
    launch->completed = read_clock_ns();
    pthread_mutex_lock(&launches_mutex);
    launch->next = nullptr;
    *ready_end = launch;
    ready_end = &launch->next;
    pthread_mutex_unlock(&launches_mutex);
    sem_post(&ready_count);
}

static const char* reason_of(cl_int error)
{
    switch (error) {
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_OUT_OF_RESOURCES:
        return "does_not_fit";
    case CL_INVALID_KERNEL_ARGS:
        return "unseen_argument";
    }
    return "refused";
}

/// The record comes before the command's own, which the layer above writes when the call returns.
static void tell_launch(const Launch& launch, const Kernel& kernel, const KernelTwin& twin,
                        cl_command_queue queue)
{
    const lttng_gpu_devicetrace_launch record = {launch.number,
                                                 twin.program,
                                                 opencl::handle(kernel.kernel),
                                                 opencl::handle(queue),
                                                 kernel.name,
                                                 twin.has_warps,
                                                 launch.has_times,
                                                 opencl::handle(launch.buffer->place->device)};
    events.launch(&record);
}

/// Of local memory for the recorder: words of the work-group and of each of its warps.
static size_t local_bytes(const KernelTwin& twin, cl_uint dimensions, const size_t* local)
{
    constexpr size_t most_items = 1024, group_words = 4, warp_words = 32;
    size_t items = local ? 1 : most_items;
    for (cl_uint i = 0; local && i < dimensions && i < 3; ++i)
        items *= local[i];
    const size_t warps = !twin.has_warps ? 1 : (items + 31) / 32;
    return (group_words + (warps < 32 ? warps : 32) * warp_words) * 4;
}

cl_int enqueue_traced(const Kernel& kernel, KernelTwin& twin, cl_command_queue queue,
                      cl_uint dimensions, const size_t* offset, const size_t* global,
                      const size_t* local, cl_uint waits_count, const cl_event* waits,
                      cl_event* event, const char*& why_not)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (twin.is_left || can_miss_arguments()) {
        why_not = twin.is_left ? "refused" : "unseen_argument";
        return CL_INVALID_KERNEL_ARGS;
    }
    pthread_once(&once, start_reader);
    Buffer* buffer = has_reader ? take_buffer(queue) : nullptr;
    Launch* launch = buffer ? static_cast<Launch*>(calloc(1, sizeof(Launch))) : nullptr;
    if (!launch) {
        if (buffer)
            give_buffer(buffer, 0);
        why_not = "no_buffer";
        return CL_OUT_OF_RESOURCES;
    }
    *launch = {nullptr, new_number(), buffer, nullptr, 0, twin.has_warps, settings.has_times};
    cl_int error;
    {
        const Lock lock; // the argument and its use
        error = next.clSetKernelArg(twin.kernel, kernel.arguments, sizeof(cl_mem),
                                    static_cast<const void*>(&buffer->memory));
        if (error == CL_SUCCESS)
            error = next.clSetKernelArg(twin.kernel, kernel.arguments + 1,
                                        local_bytes(twin, dimensions, local), nullptr);
        if (error == CL_SUCCESS)
            error = next.clEnqueueNDRangeKernel(queue, twin.kernel, dimensions, offset, global,
                                                local, waits_count, waits, &launch->event);
    }
    if (error != CL_SUCCESS) {
        why_not = reason_of(error);
        give_buffer(buffer, 0);
        free(launch);
        return error;
    }
    tell_launch(*launch, kernel, twin, queue);
    if (event) {
        *event = launch->event;
        next.clRetainEvent(launch->event);
    }
    __atomic_add_fetch(&launches_open, 1, __ATOMIC_ACQ_REL);
    if (next.clSetEventCallback(launch->event, CL_COMPLETE, completed, launch) != CL_SUCCESS) {
        // It runs, and nobody learns when it is complete: the buffer stays its own.
        tell_untraced(twin.program, "no_callback", kernel.name);
        __atomic_sub_fetch(&launches_open, 1, __ATOMIC_ACQ_REL);
    }
    return CL_SUCCESS;
}

void finish_launches()
{
    const timespec pause = {0, 2'000'000};
    uint64_t last = ~uint64_t(0);
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t until = now.tv_sec + most_silent_seconds;
    for (;;) {
        const uint64_t open = __atomic_load_n(&launches_open, __ATOMIC_ACQUIRE);
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (open < last)
            until = now.tv_sec + most_silent_seconds;
        last = open;
        if (!open || now.tv_sec > until)
            return;
        nanosleep(&pause, nullptr);
    }
}

void drop_launches_in_child()
{
    __atomic_store_n(&launches_open, 0, __ATOMIC_RELEASE);
    has_reader = false;
    settings.is_on = false;
}

} // namespace lttng_gpu::device
