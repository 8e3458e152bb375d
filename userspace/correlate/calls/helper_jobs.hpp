// SPDX-License-Identifier: MIT
//
// What threads of a driver did one after the other: their jobs, of whatever context, and the
// ioctls in which they handed them over, where these are recorded (record --events
// all,syscall:ioctl). A job has nothing of a call that began after its ioctl did; and what it is
// made of, the thread took after the ioctl before had returned.
#pragma once

#include "submit_call.hpp"

#include <deque>
#include <map>

namespace lttng_gpu::model {

class HelperJobs {
public:
    /// An ioctl of DRM's, when it has returned.
    void add_ioctl(std::int64_t helper, Timestamp begin, Timestamp end);
    void add_job(std::int64_t helper, std::uint64_t context, Timestamp queued);
    /// Fills in what is known of a job that was added. All jobs that were queued before `horizon`
    /// were.
    void describe(SubmitJob& job, std::int64_t helper, std::uint64_t context,
                  Timestamp horizon) const;
    void forget_before(Timestamp time);

private:
    static constexpr std::size_t most_helpers = 256;
    static constexpr std::size_t most_events = 8192;

    struct Ioctl {
        Timestamp begin;
        Timestamp end;
    };
    struct Made {
        Timestamp queued;
        std::uint64_t context = 0;
    };
    struct Helper {
        std::deque<Ioctl> ioctls; // in order
        std::deque<Made> jobs;    // likewise
    };

    Helper* find_or_add(std::int64_t helper);
    static const Ioctl* ioctl_at(const Helper& helper, Timestamp time);

    std::map<std::int64_t, Helper> m_helpers;
};

} // namespace lttng_gpu::model
