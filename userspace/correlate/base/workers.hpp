// SPDX-License-Identifier: MIT
//
// A fixed number of threads that run tasks in the order in which they were
// submitted. Whoever has to wait for a task runs others meanwhile, so that with
// one thread (the caller's) everything works as well. The first exception that leaves
// a task ends all work: tasks that have not begun are dropped, and whoever waits gets it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lttng_gpu {

class Workers {
public:
    using Task = std::function<void()>;

    /// `threads` counts the caller's: one starts none. Where the system does not give as
    /// many, there are fewer.
    explicit Workers(unsigned threads);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    /// Tasks that have not begun are dropped.
    ~Workers();

    bool is_parallel() const { return !m_threads.empty(); }
    /// Drops the task when an earlier one has failed.
    void submit(Task task);
    /// Runs tasks, or sleeps when there are none, until `is_done` holds. It is asked
    /// after every task that ends anywhere. Throws what a task has thrown.
    void help_until(const std::function<bool()>& is_done);
    /// For destructors, by the thread that has the Workers: like help_until(), but returns,
    /// too, when no task is left that could make it true.
    void settle(const std::function<bool()>& is_done) noexcept;
    /// Runs work(0) to work(count - 1), in any order and side by side, and waits for all.
    /// By the thread that has the Workers.
    void for_each(std::size_t count, const std::function<void(std::size_t)>& work);

private:
    void work();
    void start(unsigned threads);
    bool run_one(std::unique_lock<std::mutex>& lock);
    void wait_for_change(std::unique_lock<std::mutex>& lock, std::uint64_t seen);
    void look_for_change(std::unique_lock<std::mutex>& lock, std::uint64_t seen) const;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Task> m_tasks;
    std::atomic<std::uint64_t> m_changes = 0; // submitted or ended, to spin on
    bool m_is_over = false;
    std::size_t m_running = 0; // tasks that have begun and not ended
    std::exception_ptr m_failure;
    std::vector<std::thread> m_threads;
};

} // namespace lttng_gpu
