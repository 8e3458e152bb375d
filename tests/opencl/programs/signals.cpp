// SPDX-License-Identifier: MIT
//
// signals WHAT: signals come all the time, and their handlers call OpenCL: functions for which the
// driver takes no lock, so that what hangs is not the driver.
//   storm [ROUNDS]  while the program works
//   first           while it makes its first call, which starts LTTng
//   exit            the handler ends the program in the middle of a call that waits
#include "work.hpp"

#include <atomic>
#include <csignal>
#include <ctime>
#include <string>
#include <sys/time.h>
#include <unistd.h>

namespace {

Setup* setup = nullptr;
cl_command_queue queue = nullptr;
cl_kernel kernel = nullptr;
std::atomic<long> handled{0}, wrong{0};

void call_opencl(int)
{
    cl_uint platforms = 0;
    clGetPlatformIDs(0, nullptr, &platforms); // fails in the middle of the loader's own first call
    ++handled;
    if (!queue)
        return;
    cl_context context = nullptr;
    cl_command_queue_properties properties = ~cl_command_queue_properties(0);
    cl_uint references = 0;
    if (clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr) !=
            CL_SUCCESS ||
        context != setup->context ||
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                              nullptr) != CL_SUCCESS ||
        properties || clRetainKernel(kernel) != CL_SUCCESS ||
        clReleaseKernel(kernel) != CL_SUCCESS ||
        clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references,
                              nullptr) != CL_SUCCESS)
        ++wrong;
}

void end_program(int)
{
    std::exit(21);
}

void storm(void (*handler)(int), long every_us)
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    const itimerval time = {{0, every_us}, {0, every_us}};
    setitimer(ITIMER_REAL, &time, nullptr);
}

} // namespace

int main(int count, char** words)
{
    const std::string what = count > 1 ? words[1] : "storm";
    const int rounds = count > 2 ? std::atoi(words[2]) : 300;
    // The driver makes its threads and compiles undisturbed.
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    if (what == "first")
        storm(call_opencl, 50);
    cl_uint platforms = 0;
    require(clGetPlatformIDs(0, nullptr, &platforms), "clGetPlatformIDs");
    sigprocmask(SIG_BLOCK, &alarm, nullptr);
    setup = new Setup;
    Work work(*setup);
    queue = setup->queue();
    cl_int error = 0;
    kernel = clCreateKernel(setup->program, "add", &error);
    require(error, "clCreateKernel");
    work.run(queue, 1);
    if (what == "exit") {
        cl_event gate = clCreateUserEvent(setup->context, nullptr);
        for (int i = 0; i < 10; ++i)
            work.launch(queue);
        require(clEnqueueMarkerWithWaitList(queue, 1, &gate, nullptr),
                "clEnqueueMarkerWithWaitList");
        storm(end_program, 100'000);
        sigprocmask(SIG_UNBLOCK, &alarm, nullptr);
        clFinish(queue);
    }
    if (what == "storm") {
        storm(call_opencl, 20);
        sigprocmask(SIG_UNBLOCK, &alarm, nullptr);
    }
    for (int i = 0; i < rounds; ++i) {
        work.run(queue, i);
        cl_context context = nullptr;
        for (int k = 0; k < 1000; ++k)
            require(
                clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr),
                "clGetCommandQueueInfo");
    }
    sigprocmask(SIG_BLOCK, &alarm, nullptr);
    std::printf("%s, %ld wrong\n", handled > 0 ? "handled" : "none came", wrong.load());
}
