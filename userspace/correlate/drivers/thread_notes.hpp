// SPDX-License-Identifier: MIT
//
// What a thread has just done to a job, where the next event of the same thread is the only thing
// that tells which job it is about. Without contexts and scheduler events the thread is unknown and
// nothing is noted. A driver has notes of its own kind (PerThread); what drm_sched and the drivers
// on it tell each other is in ThreadNote.
#pragma once

#include "../jobs/open_jobs.hpp"
#include "../system/thread_table.hpp"

namespace lttng_gpu::model {

/// A driver's own event has told of a job of which drm_sched tells next.
struct AnnouncedJob {
    JobRef job;
    std::optional<std::uint64_t> number; // that its scheduler gave it
    std::optional<JobKey> key;           // the driver's own name of it, which nothing else tells
};

struct ThreadNote {
    JobRef last_run; // drm_sched has given it to the driver
    AnnouncedJob announced;
};

template <typename Note> class PerThread {
public:
    Note& of(ThreadKey thread) { return m_notes.at(thread.hash(), thread); }
    Note* find(ThreadKey thread) { return m_notes.find(thread.hash(), thread); }

private:
    BoundedTable<ThreadKey, Note, 1024> m_notes;
};

} // namespace lttng_gpu::model
