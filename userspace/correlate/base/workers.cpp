// SPDX-License-Identifier: MIT
//
// See workers.hpp. A thread that finds nothing to do looks again for some
// microseconds before it sleeps: waking it costs more than a short task.
#include "workers.hpp"

#include <system_error>
#include <utility>

namespace lttng_gpu {
namespace {

std::exception_ptr failure_of(const Workers::Task& task)
{
    try {
        task();
    } catch (...) {
        return std::current_exception();
    }
    return {};
}

} // namespace

Workers::Workers(unsigned threads)
{
    m_threads.reserve(threads);
    start(threads);
}

/// A thread takes address space for its stack, which may be limited; fewer do the same work.
/// Those that run must be joined, so nothing may be thrown here.
void Workers::start(unsigned threads)
{
    try {
        for (unsigned index = 1; index < threads; ++index) {
            m_threads.emplace_back([this] { work(); });
        }
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
}

Workers::~Workers()
{
    {
        const std::lock_guard lock{m_mutex};
        m_is_over = true;
        m_tasks.clear();
    }
    ++m_changes;
    m_changed.notify_all();
    for (std::thread& thread : m_threads) {
        thread.join();
    }
}

void Workers::submit(Task task)
{
    {
        const std::lock_guard lock{m_mutex};
        if (m_failure) {
            return;
        }
        m_tasks.push_back(std::move(task));
        ++m_changes; // under the lock, or who is about to sleep may miss it
    }
    m_changed.notify_all();
}

void Workers::help_until(const std::function<bool()>& is_done)
{
    std::unique_lock lock{m_mutex};
    while (true) {
        if (m_failure) {
            std::rethrow_exception(m_failure);
        }
        const std::uint64_t seen = m_changes;
        lock.unlock();
        if (is_done()) {
            return;
        }
        lock.lock();
        if (!run_one(lock)) {
            wait_for_change(lock, seen);
        }
    }
}

void Workers::settle(const std::function<bool()>& is_done) noexcept
{
    std::unique_lock lock{m_mutex};
    while (true) {
        const std::uint64_t seen = m_changes;
        if (m_tasks.empty() && m_running == 0) {
            return;
        }
        lock.unlock();
        if (is_done()) {
            return;
        }
        lock.lock();
        if (!run_one(lock)) {
            wait_for_change(lock, seen);
        }
    }
}

void Workers::for_each(std::size_t count, const std::function<void(std::size_t)>& work)
{
    std::atomic<std::size_t> left = count;
    try {
        for (std::size_t index = 0; index < count; ++index) {
            submit([&work, &left, index] {
                work(index);
                --left;
            });
        }
        help_until([&left] { return left == 0; });
    } catch (...) {
        settle([&left] { return left == 0; }); // until then tasks use what is here
        throw;
    }
}

void Workers::work()
{
    std::unique_lock lock{m_mutex};
    while (!m_is_over) {
        if (run_one(lock)) {
            continue;
        }
        look_for_change(lock, m_changes);
        m_changed.wait(lock, [&] { return m_is_over || !m_tasks.empty(); });
    }
}

void Workers::wait_for_change(std::unique_lock<std::mutex>& lock, std::uint64_t seen)
{
    look_for_change(lock, seen);
    m_changed.wait(lock, [&] { return m_changes != seen; });
}

void Workers::look_for_change(std::unique_lock<std::mutex>& lock, std::uint64_t seen) const
{
    constexpr int looks = 2000;
    lock.unlock();
    for (int look = 0; look < looks && m_changes == seen; ++look) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    lock.lock();
}

bool Workers::run_one(std::unique_lock<std::mutex>& lock)
{
    if (m_tasks.empty()) {
        return false;
    }
    const Task task = std::move(m_tasks.front());
    m_tasks.pop_front();
    ++m_running;
    lock.unlock();
    std::exception_ptr failure = failure_of(task);
    lock.lock();
    --m_running;
    if (failure) {
        m_tasks.clear(); // they would build on work that is missing
        m_failure = m_failure ? m_failure : std::move(failure); // the first causes others
    }
    ++m_changes;
    m_changed.notify_all();
    return true;
}

} // namespace lttng_gpu
