// SPDX-License-Identifier: MIT
//
// ends callback|abort|fault|fault-exit|unreleased|quick|enqueueing|abandoned|thread: ways for a
// program to end that leave OpenCL as it is: exit in a callback, abort in one, a fault in one (on a
// thread of the driver's), also if its handler calls exit, with everything unreleased, by _exit,
// while another thread enqueues, with commands that never run, and in another thread than main's.
#include "work.hpp"

#include <atomic>
#include <csignal>
#include <dlfcn.h>
#include <string>
#include <thread>
#include <ucontext.h>
#include <unistd.h>

namespace {

void CL_CALLBACK end_the_program(cl_event, cl_int, void*)
{
    std::printf("exit in a callback\n");
    std::exit(11);
}

void CL_CALLBACK abort_the_program(cl_event, cl_int, void*)
{
    std::abort();
}

void CL_CALLBACK fault(cl_event, cl_int, void*)
{
    std::raise(SIGSEGV);
}

void exit_in_handler(int)
{
    std::exit(18);
}

std::atomic<int> enqueued{0};
std::atomic<bool> is_returning{false};

// A driver may fall over when main returns under a thread that enqueues; nobody else may.
void say_where(int, siginfo_t*, void* context)
{
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    Dl_info found = {};
    const bool is_known = dladdr(reinterpret_cast<void*>(registers[REG_RIP]), &found) != 0;
    std::printf("fault in %s\n", is_known ? found.dli_fname : "nowhere");
    std::fflush(stdout);
    _exit(17);
}

void watch_for_faults()
{
    struct sigaction action = {};
    action.sa_sigaction = say_where;
    action.sa_flags = SA_SIGINFO;
    for (int number : {SIGSEGV, SIGBUS, SIGABRT})
        sigaction(number, &action, nullptr);
}

} // namespace

int main(int count, char** words)
{
    const std::string what = count > 1 ? words[1] : "";
    // Never released, as in programs that leave this to the system.
    auto& setup = *new Setup;
    auto& work = *new Work(setup);
    cl_command_queue queue = setup.queue();
    work.run(queue, 1);
    if (what == "callback" || what == "abort" || what == "fault" || what == "fault-exit") {
        const auto callback = what == "callback" ? end_the_program
                              : what == "abort"  ? abort_the_program
                                                 : fault;
        if (what == "fault-exit")
            std::signal(SIGSEGV, exit_in_handler);
        cl_event event = nullptr;
        work.launch(queue, &event);
        require(clSetEventCallback(event, CL_COMPLETE, callback, nullptr), "clSetEventCallback");
        require(clFlush(queue), "clFlush");
        for (;;)
            pause();
    }
    if (what == "enqueueing") {
        watch_for_faults();
        std::thread([&] {
            while (work.try_launch(queue) == CL_SUCCESS)
                enqueued.fetch_add(1);
            // Once main has returned the driver is being taken apart, and may say so.
            require(is_returning ? CL_SUCCESS : CL_INVALID_OPERATION, "clEnqueueNDRangeKernel");
        }).detach();
        while (enqueued < 2000)
            std::this_thread::yield();
        std::printf("main returns\n");
        std::fflush(stdout);
        is_returning = true;
        return 12;
    }
    if (what == "abandoned") {
        cl_event gate = clCreateUserEvent(setup.context, nullptr);
        require(clEnqueueMarkerWithWaitList(queue, 1, &gate, nullptr),
                "clEnqueueMarkerWithWaitList");
        for (int i = 0; i < 10; ++i)
            work.launch(queue);
        require(clFlush(queue), "clFlush");
        std::printf("commands wait for ever\n");
        std::fflush(stdout);
        _exit(13);
    }
    for (int i = 0; i < 200; ++i) {
        cl_event event = nullptr;
        work.launch(queue, i % 2 ? &event : nullptr);
    }
    if (what == "quick") {
        std::printf("_exit\n");
        std::fflush(stdout);
        _exit(14);
    }
    require(clFinish(queue), "clFinish");
    if (what == "thread") {
        std::thread([] {
            std::printf("exit in a thread\n");
            std::exit(15);
        }).join();
    }
    std::printf("nothing released\n");
    return 16;
}
