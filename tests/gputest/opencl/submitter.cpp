// SPDX-License-Identifier: MIT
#include "submitter.hpp"

#include <array>
#include <cstdlib>
#include <cstring>

#include <sys/prctl.h>
#include <sys/syscall.h>

namespace lttng_gpu::gputest {
namespace {

Way way_asked_for()
{
    const char* way = std::getenv("GPUTEST_CL_SUBMIT");
    constexpr std::array<std::pair<const char*, Way>, 4> ways{{{"flush", Way::Flush},
                                                               {"thread", Way::Thread},
                                                               {"merge", Way::Merge},
                                                               {"split", Way::Split}}};
    for (const auto& [name, which] : ways) {
        if (way != nullptr && std::strcmp(way, name) == 0)
            return which;
    }
    return Way::Direct;
}

} // namespace

Submitter::Submitter(const _cl_device_id& device) : m_device(device), m_way(way_asked_for())
{
    if (const char* path = std::getenv("GPUTEST_CL_LOG"))
        m_log.open(path, std::ios::app);
    if (has_thread())
        m_thread = std::thread([this] { run_thread(); });
}

Submitter::~Submitter()
{
    {
        const std::lock_guard lock(m_mutex);
        m_is_ending = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable())
        m_thread.join();
}

void Submitter::enqueue(cl_event command)
{
    std::unique_lock lock(m_mutex);
    m_waiting.push_back(command);
    if (m_way == Way::Direct)
        submit_waiting(lock);
    else if (has_thread())
        m_changed.notify_all();
}

void Submitter::flush(const char* call)
{
    std::unique_lock lock(m_mutex);
    if (!has_thread())
        submit_waiting(lock, call);
}

void Submitter::wait_until_submitted(const _cl_event& command, const char* call)
{
    flush(call);
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return command.is_submitted.load(); });
}

/// The lock is kept: commands reach the kernel in the order of enqueueing.
void Submitter::submit_waiting(std::unique_lock<std::mutex>&, const char* call)
{
    while (!m_waiting.empty()) {
        submit(m_waiting.front(), call);
        m_waiting.pop_front();
    }
    m_changed.notify_all();
}

void Submitter::submit_job(const _cl_event& last, std::vector<std::uint32_t>& dependencies,
                           std::uint64_t exec_ns, bool is_last)
{
    drm_gputest_submit request{};
    request.ring = last.queue->ring;
    request.exec_ns = exec_ns;
    request.in_syncobjs = reinterpret_cast<std::uintptr_t>(dependencies.data());
    request.num_in_syncobjs = static_cast<std::uint32_t>(dependencies.size());
    request.out_syncobj = is_last ? last.syncobj->handle() : 0;
    m_device.file.submit(request);
    m_latest = {request.fence_context, request.fence_seqno};
}

void Submitter::log(const _cl_event& command, const char* call)
{
    if (m_log.is_open()) {
        m_log << m_latest.context << ',' << m_latest.seqno << ',' << ::syscall(SYS_gettid) << ','
              << command.label << ',' << call << std::endl;
    }
}

void Submitter::submit(cl_event command, const char* call)
{
    std::vector<std::uint32_t> dependencies;
    for (const auto& other : command->waits_for)
        dependencies.push_back(other->handle());
    const int parts = m_way == Way::Split && command->label.ends_with('2') ? 3 : 1;
    for (int part = 1; part <= parts; ++part) {
        command->submitted_ns = part == 1 ? monotonic_now() : command->submitted_ns;
        submit_job(*command, dependencies, command->exec_ns, part == parts);
        command->share.first = part == 1 ? m_latest : command->share.first;
        log(*command, call);
    }
    command->share.last = m_latest;
    command->share.end_ns = command->share.all_ns = command->exec_ns;
    command->waits_for.clear();
    command->is_submitted = true;
    command->release();
}

/// The first that wait, of one queue. A job has so many dependencies at most.
std::vector<cl_event> Submitter::take_together()
{
    std::vector<cl_event> taken;
    std::size_t dependencies = 0;
    while (!m_waiting.empty() && (taken.empty() || m_way == Way::Merge)) {
        cl_event next = m_waiting.front();
        dependencies += next->waits_for.size();
        if (!taken.empty() &&
            (next->queue != taken.front()->queue || dependencies > GPUTEST_MAX_IN_SYNCOBJS))
            break;
        taken.push_back(next);
        m_waiting.pop_front();
    }
    return taken;
}

/// All of them are over when the one job is: each takes its fence. They depend on what was
/// submitted before, or on one another.
void Submitter::submit_together(const std::vector<cl_event>& commands)
{
    const _cl_event& last = *commands.back();
    std::vector<std::uint32_t> dependencies;
    std::uint64_t exec_ns = 0;
    for (cl_event command : commands) {
        command->submitted_ns = monotonic_now();
        command->share.begin_ns = exec_ns;
        exec_ns = std::min<std::uint64_t>(exec_ns + command->exec_ns, GPUTEST_MAX_EXEC_NS);
        command->share.end_ns = exec_ns;
        for (const auto& other : command->waits_for) {
            const bool is_inside = std::ranges::any_of(
                commands, [&](cl_event each) { return each->syncobj == other; });
            if (!is_inside)
                dependencies.push_back(other->handle());
        }
    }
    submit_job(last, dependencies, exec_ns, true);
    const Fd done = m_device.file.export_syncobj(last.syncobj->handle(), drm_syncobj_sync_file);
    for (cl_event command : commands) {
        command->share.first = command->share.last = m_latest;
        command->share.all_ns = exec_ns;
        log(*command, "");
        if (command != commands.back())
            m_device.file.import_syncobj(done, command->syncobj->handle(), drm_syncobj_sync_file);
    }
    for (cl_event command : commands) {
        command->waits_for.clear();
        command->is_submitted = true;
        command->release();
    }
}

/// It does not hold the lock while it submits: others enqueue meanwhile, as in real drivers.
void Submitter::run_thread()
{
    ::prctl(PR_SET_NAME, "gputest_cs:0");
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [&] { return m_is_ending || !m_waiting.empty(); });
        if (m_waiting.empty())
            return;
        const std::vector<cl_event> taken = take_together();
        lock.unlock();
        if (taken.size() == 1)
            submit(taken.front(), "");
        else
            submit_together(taken);
        lock.lock();
        m_changed.notify_all();
    }
}

} // namespace lttng_gpu::gputest
