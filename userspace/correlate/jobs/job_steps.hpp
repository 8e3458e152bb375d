// SPDX-License-Identifier: MIT
//
// Steps: the events that tell of the stages of a job. Each driver states its own when it starts
// (JobTracker::add_step()) and gets a small number for it. The job tracker knows steps by what is
// stated of them only, as sets that fit into one word: a job has the set of those that told of it,
// a trace the set of those that were seen in it.
//
// Of several steps that tell the same the first counts; only one step twice is odd. A job told of
// by its fence alone is tentative: a step of the job itself, which tells more, adopts it, and where
// such steps are recorded a fence without any is no job.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace lttng_gpu::model {

enum class Step : std::uint8_t {};
using StepSet = std::uint64_t;

constexpr StepSet set_of(Step step)
{
    return StepSet{1} << static_cast<unsigned>(step);
}

enum class Stage : std::uint8_t { Queued, Submitted, Completed, Other };

/// What a driver states of a step.
struct StepTraits {
    Stage stage = Stage::Other;
    /// Of a job of drm_sched: a context has the jobs of one entity, numbered one by one, each of
    /// which is queued, run in the order of the numbers, and done.
    bool is_of_scheduler = false;
    /// The event may know the job by a pointer only.
    bool may_lack_fence = false;
    /// A driver's own event of a job of which the scheduler tells in the same thread, just before
    /// or after.
    bool is_beside_scheduler = false;
    /// Tells on the ring of which device the job is, where names do not.
    bool tells_ring = false;
};

class JobSteps {
public:
    /// The tracker's own, which fences tell.
    static constexpr Step fence_made{0};
    static constexpr Step fence_scheduled{1}; // drm_sched's, signaled when the job is run
    static constexpr Step fence_signaled{2};

    Step add(const StepTraits& traits)
    {
        if (m_count == 64) {
            throw std::length_error{"more than 64 steps of jobs"}; // a set is one word
        }
        const Step step{static_cast<std::uint8_t>(m_count++)};
        const StepSet bit = set_of(step);
        const auto add_if = [bit](StepSet& set, bool is_in) { set |= is_in ? bit : 0; };
        const bool is_queued = traits.stage == Stage::Queued;
        const bool is_submitted = traits.stage == Stage::Submitted;
        const bool is_completed = traits.stage == Stage::Completed;
        add_if(queued, is_queued);
        if (traits.is_of_scheduler) {
            of_scheduler |= bit;
            add_if(scheduler_queued, is_queued);
            add_if(scheduler_run, is_submitted);
            add_if(scheduler_done, is_completed);
            add_if(traits.may_lack_fence ? queued_by_pointer : queued_by_fence, is_queued);
            add_if(traits.may_lack_fence ? run_by_pointer : run_by_fence, is_submitted);
        }
        add_if(beside_scheduler, traits.is_beside_scheduler);
        add_if(tells_ring, traits.tells_ring);
        return step;
    }

    StepSet scheduler_jobs() const { return scheduler_queued | scheduler_run; }

    StepSet queued = 0;
    StepSet of_scheduler = set_of(fence_scheduled);
    StepSet scheduler_queued = 0;
    StepSet scheduler_run = 0;
    StepSet scheduler_done = 0;
    StepSet queued_by_pointer = 0;
    StepSet queued_by_fence = 0;
    StepSet run_by_pointer = 0;
    StepSet run_by_fence = 0;
    StepSet beside_scheduler = 0;
    StepSet tells_ring = 0;

private:
    unsigned m_count = 3;
};

} // namespace lttng_gpu::model
