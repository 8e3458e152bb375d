// SPDX-License-Identifier: MIT
//
// What a thread has just done to a job, where the next event of the same thread
// is the only thing that tells which job it is about. Without contexts and
// scheduler events the thread is unknown and nothing is noted.
#pragma once

#include "open_jobs.hpp"
#include "thread_table.hpp"

namespace lttng_gpu::model {

/// A finished fence of drm_sched whose job has not been pushed yet.
struct ArmedFence {
    JobKey key;
    RingId ring;
    JobRef tentative;
    Timestamp time;
    Cpu cpu;
};

/// The fence of a virtio_gpu submission under way.
struct VirtioFence {
    std::uint64_t context = 0;
    std::optional<FenceSeqno> seqno;
    JobRef tentative;
    bool is_under_way = false;
};

struct ThreadNote {
    JobKey scheduled; // the fence that was made last, perhaps a scheduled fence
    bool has_scheduled = false;
    bool is_scheduled_first = false; // of the thread's
    bool is_scheduled_sure = false;  // nothing of the thread may be missing before it
    Timestamp scheduled_time;
    std::optional<Timestamp> last_init;
    std::array<ArmedFence, 8> armed; // oldest first
    std::uint8_t armed_count = 0;
    JobRef last_run;
    JobRef last_cs; // amdgpu's own event of a job that drm_sched tells of next
    std::optional<std::uint64_t> cs_number; // that its scheduler gave it
    JobRef xe_job;
    JobKey xe_key;
    bool has_xe = false;
    VirtioFence virtio;

    void arm(const ArmedFence& fence)
    {
        if (armed_count == armed.size()) {
            disarm(0);
        }
        armed[armed_count++] = fence;
    }
    void disarm(std::size_t at)
    {
        for (; at + 1 < armed_count; ++at) {
            armed[at] = armed[at + 1];
        }
        --armed_count;
    }
};

class ThreadNotes {
public:
    ThreadNote& of(ThreadKey thread) { return x_notes.at(thread.hash(), thread); }
    ThreadNote* find(ThreadKey thread) { return x_notes.find(thread.hash(), thread); }

private:
    BoundedTable<ThreadKey, ThreadNote, 1024> x_notes;
};

} // namespace lttng_gpu::model
