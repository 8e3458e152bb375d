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
    x_threads.reserve(threads);
    start(threads);
}

/// A thread takes address space for its stack, which may be limited; fewer do the same work.
/// Those that run must be joined, so nothing may be thrown here.
void Workers::start(unsigned threads)
{
    try {
        for (unsigned index = 1; index < threads; ++index) {
            x_threads.emplace_back([this] { work(); });
        }
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
}

Workers::~Workers()
{
    {
        const std::lock_guard lock{x_mutex};
        x_is_over = true;
        x_tasks.clear();
    }
    ++x_changes;
    x_changed.notify_all();
    for (std::thread& thread : x_threads) {
        thread.join();
    }
}

void Workers::submit(Task task)
{
    {
        const std::lock_guard lock{x_mutex};
        if (x_failure) {
            return;
        }
        x_tasks.push_back(std::move(task));
        ++x_changes; // under the lock, or who is about to sleep may miss it
    }
    x_changed.notify_all();
}

void Workers::help_until(const std::function<bool()>& is_done)
{
    std::unique_lock lock{x_mutex};
    while (true) {
        if (x_failure) {
            std::rethrow_exception(x_failure);
        }
        const std::uint64_t seen = x_changes;
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
    std::unique_lock lock{x_mutex};
    while (true) {
        const std::uint64_t seen = x_changes;
        if (x_tasks.empty() && x_running == 0) {
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
    std::unique_lock lock{x_mutex};
    while (!x_is_over) {
        if (run_one(lock)) {
            continue;
        }
        look_for_change(lock, x_changes);
        x_changed.wait(lock, [&] { return x_is_over || !x_tasks.empty(); });
    }
}

void Workers::wait_for_change(std::unique_lock<std::mutex>& lock, std::uint64_t seen)
{
    look_for_change(lock, seen);
    x_changed.wait(lock, [&] { return x_changes != seen; });
}

void Workers::look_for_change(std::unique_lock<std::mutex>& lock, std::uint64_t seen) const
{
    constexpr int looks = 2000;
    lock.unlock();
    for (int look = 0; look < looks && x_changes == seen; ++look) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    lock.lock();
}

bool Workers::run_one(std::unique_lock<std::mutex>& lock)
{
    if (x_tasks.empty()) {
        return false;
    }
    const Task task = std::move(x_tasks.front());
    x_tasks.pop_front();
    ++x_running;
    lock.unlock();
    std::exception_ptr failure = failure_of(task);
    lock.lock();
    --x_running;
    if (failure) {
        x_tasks.clear(); // they would build on work that is missing
        x_failure = x_failure ? x_failure : std::move(failure); // the first causes others
    }
    ++x_changes;
    x_changed.notify_all();
    return true;
}

} // namespace lttng_gpu
