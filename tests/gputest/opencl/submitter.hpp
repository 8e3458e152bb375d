// SPDX-License-Identifier: MIT
// How commands of one device reach the kernel, as GPUTEST_CL_SUBMIT says: in the enqueueing call
// ("direct"), in the next call that flushes ("flush"), or on a thread of the driver's own
// ("thread"), which are the three ways of real drivers. That thread also makes one job of all
// commands of a queue that wait one after the other ("merge"), or three jobs of each kernel whose
// name ends in 2 ("split"). Each submission of a command is a line of the file that
// GPUTEST_CL_LOG names: context and seqno of the job's fence, the submitting thread, the command
// and, where it was submitted because a call flushed, that call.
#pragma once

#include "objects.hpp"

#include <condition_variable>
#include <deque>
#include <fstream>
#include <thread>

namespace lttng_gpu::gputest {

enum class Way { Direct, Flush, Thread, Merge, Split };

class Submitter {
public:
    explicit Submitter(const _cl_device_id& device);
    ~Submitter();
    Submitter(const Submitter&) = delete;
    Submitter& operator=(const Submitter&) = delete;

    /// Takes the caller's reference.
    void enqueue(cl_event command);
    /// `call` is the API function that flushes, for the log.
    void flush(const char* call);
    /// Flushes, and returns when the kernel has the command.
    void wait_until_submitted(const _cl_event& command, const char* call);

private:
    bool has_thread() const { return m_way >= Way::Thread; }
    void submit(cl_event command, const char* call);
    void submit_job(const _cl_event& last, std::vector<std::uint32_t>& dependencies,
                    std::uint64_t exec_ns, bool is_last);
    void log(const _cl_event& command, const char* call);
    std::vector<cl_event> take_together();
    void submit_together(const std::vector<cl_event>& commands);
    void submit_waiting(std::unique_lock<std::mutex>& lock, const char* call = "");
    void run_thread();

    const _cl_device_id& m_device;
    const Way m_way;
    std::ofstream m_log;
    JobName m_latest; // job
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<cl_event> m_waiting;
    bool m_is_ending = false;
    std::thread m_thread;
};

} // namespace lttng_gpu::gputest
