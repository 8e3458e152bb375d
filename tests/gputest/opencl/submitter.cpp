// SPDX-License-Identifier: MIT
#include "submitter.hpp"

#include <cstdlib>
#include <cstring>

#include <sys/prctl.h>
#include <sys/syscall.h>

namespace lttng_gpu::gputest {
namespace {

Way way_asked_for()
{
    const char* way = std::getenv("GPUTEST_CL_SUBMIT");
    if (way != nullptr && std::strcmp(way, "flush") == 0)
        return Way::Flush;
    return way != nullptr && std::strcmp(way, "thread") == 0 ? Way::Thread : Way::Direct;
}

} // namespace

Submitter::Submitter(const _cl_device_id& device) : x_device(device), x_way(way_asked_for())
{
    if (const char* path = std::getenv("GPUTEST_CL_LOG"))
        x_log.open(path, std::ios::app);
    if (x_way == Way::Thread)
        x_thread = std::thread([this] { run_thread(); });
}

Submitter::~Submitter()
{
    {
        const std::lock_guard lock(x_mutex);
        x_is_ending = true;
    }
    x_changed.notify_all();
    if (x_thread.joinable())
        x_thread.join();
}

void Submitter::enqueue(cl_event command)
{
    std::unique_lock lock(x_mutex);
    x_waiting.push_back(command);
    if (x_way == Way::Direct)
        submit_waiting(lock);
    else if (x_way == Way::Thread)
        x_changed.notify_all();
}

void Submitter::flush(const char* call)
{
    std::unique_lock lock(x_mutex);
    if (x_way != Way::Thread)
        submit_waiting(lock, call);
}

void Submitter::wait_until_submitted(const _cl_event& command, const char* call)
{
    flush(call);
    std::unique_lock lock(x_mutex);
    x_changed.wait(lock, [&] { return command.is_submitted.load(); });
}

/// The lock is kept: commands reach the kernel in the order of enqueueing.
void Submitter::submit_waiting(std::unique_lock<std::mutex>&, const char* call)
{
    while (!x_waiting.empty()) {
        submit(x_waiting.front(), call);
        x_waiting.pop_front();
    }
    x_changed.notify_all();
}

void Submitter::submit(cl_event command, const char* call)
{
    std::vector<std::uint32_t> dependencies;
    for (const auto& other : command->waits_for)
        dependencies.push_back(other->handle());
    drm_gputest_submit request{};
    request.ring = command->queue->ring;
    request.exec_ns = command->exec_ns;
    request.in_syncobjs = reinterpret_cast<std::uintptr_t>(dependencies.data());
    request.num_in_syncobjs = static_cast<std::uint32_t>(dependencies.size());
    request.out_syncobj = command->syncobj->handle();
    x_device.file.submit(request);
    if (x_log.is_open()) {
        x_log << request.fence_context << ',' << request.fence_seqno << ',' << ::syscall(SYS_gettid)
              << ',' << command->label << ',' << call << std::endl;
    }
    command->waits_for.clear();
    command->is_submitted = true;
    command->release();
}

void Submitter::run_thread()
{
    ::prctl(PR_SET_NAME, "gputest_cs:0");
    std::unique_lock lock(x_mutex);
    while (true) {
        x_changed.wait(lock, [&] { return x_is_ending || !x_waiting.empty(); });
        if (x_waiting.empty())
            return;
        submit_waiting(lock);
    }
}

} // namespace lttng_gpu::gputest
