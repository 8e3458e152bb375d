// SPDX-License-Identifier: MIT
//
// See i915_ports.hpp. Of several requests of a context that go together only the
// last has `in` and `out`; the others are carried by it. Ports are always written
// together, and what stood in them is given back when the hardware has taken the
// new (process_csb(), since v5.4): so `out` of an unfinished request may only mean
// that it was put back at once. A request was really taken back if it is executed
// again: __unwind_incomplete_requests() takes all that are incomplete off the ring,
// and __i915_request_submit() writes a request once for each time that it is there.
#include "i915_ports.hpp"

namespace lttng_gpu::model {
namespace {

/// Both ports are written in one go, which takes no longer.
constexpr Duration longest_giving{1000};

/// Requests of one context that are looked through.
constexpr int most_of_context = 1024;

/// Requests of the job's context, on its ring, that come before it and are open.
template <typename Visit> void for_each_before(I915& state, JobIndex job, RingId ring, Visit visit)
{
    OpenJobs& jobs = state.jobs.jobs();
    if (jobs[job].timeline == no_job) {
        return;
    }
    JobIndex other = jobs.oldest_of(jobs[job].timeline);
    for (int count = 0; other != no_job && count < most_of_context; ++count) {
        const JobIndex next = jobs[other].newer;
        if (other != job && jobs[other].state == JobState::Open && jobs[other].job.ring == ring &&
            jobs.is_before(other, job)) {
            visit(other);
        }
        other = next;
    }
}

/// Whether a later request of its context stands in a port.
bool is_carried(I915& state, JobIndex job)
{
    OpenJobs& jobs = state.jobs.jobs();
    if (jobs[job].timeline == no_job) {
        return false;
    }
    JobIndex later = jobs.oldest_of(jobs[job].timeline);
    for (int count = 0; later != no_job && count < most_of_context; ++count) {
        if (jobs[later].state == JobState::Open && state.requests.of(later).given > 0 &&
            jobs[later].job.ring == jobs[job].job.ring && jobs.is_before(job, later)) {
            return true;
        }
        later = jobs[later].newer;
    }
    return false;
}

/// It stands in a port itself, so its `out` has to come: when it does not, it was not carried.
/// Before v5.4 each request that was written to a port had `in`, and only the last had `out`.
void await_out(I915& state, JobIndex job, I915Engine& engine)
{
    constexpr std::size_t most_awaited = 64;
    const TrackedJob& tracked = state.jobs.at(job);
    if (engine.outs_each && engine.awaited_outs.size() < most_awaited) {
        engine.awaited_outs.push_back({state.jobs.jobs().ref(job),
                                       {*tracked.job.submitted, *tracked.job.completed},
                                       engine.given});
    }
}

/// Only two requests stand in the ports, and two may be about to be taken.
void note_missing_outs(I915& state, TraceId trace, I915Engine& engine)
{
    constexpr std::uint64_t most_given = 8;
    std::erase_if(engine.awaited_outs, [&](const I915Engine::AwaitedOut& out) {
        const JobIndex job = state.jobs.jobs().get(out.job);
        if (job == no_job || state.requests.of(job).given == 0) {
            return true;
        }
        if (engine.given - out.given_before < most_given) {
            return false;
        }
        state.jobs.note_missing_end(trace, engine.ring, out.when);
        return true;
    });
}

/// Requests of a context end in order. Those carried by one that is complete have
/// ended too, but nothing says when, and so not when their carrier began.
void end_carried(I915& state, JobIndex carrier, Timestamp time, I915Engine& engine)
{
    const RingId ring = engine.ring;
    for_each_before(state, carrier, ring, [&](JobIndex other) {
        const TrackedJob& carried = state.jobs.at(other);
        const I915Job& own = state.requests.of(other);
        if (!carried.job.submitted && !own.executed) {
            return;
        }
        state.jobs.at(carrier).has_start_doubt = true;
        if (!carried.job.submitted) {
            state.jobs.submit(other, *own.executed, ring);
        }
        if (state.jobs.is_lost_on_ring_since(carried, carried.last_event)) {
            state.jobs.give_up(other, Anomaly::CompletionNeverSeen); // its own end may be lost
        } else {
            state.jobs.complete(other, time, Basis::Inferred);
            if (own.given > 0) {
                await_out(state, other, engine);
            }
        }
    });
}

/// What was given to the engine after this one, of the same context, comes after it.
void move_later_behind(I915& state, JobIndex job, RingId ring)
{
    OpenJobs& jobs = state.jobs.jobs();
    if (jobs[job].timeline == no_job) {
        return;
    }
    JobIndex later = jobs.oldest_of(jobs[job].timeline);
    for (int count = 0; later != no_job && count < most_of_context; ++count) {
        if (jobs[later].state == JobState::Open && jobs[later].is_in_fifo &&
            jobs[later].job.ring == ring && jobs.is_before(job, later)) {
            state.jobs.move_to(later, ring);
        }
        later = jobs[later].newer;
    }
}

/// Off the hardware; the next interval knows nothing of this one.
void preempt(I915& state, JobIndex job, Timestamp time, Basis basis)
{
    state.jobs.preempt(job, time, basis);
    I915Job& request = state.requests.of(job);
    request.executed.reset();
    request.unwound.reset();
    request.is_unwound_sure = false;
    request.is_rewritten = false;
}

/// Ends the interval; if it was executed again already, the next has begun.
void end_interval(I915& state, JobIndex job, Timestamp time, Basis basis, const I915Engine& engine)
{
    TrackedJob& tracked = state.jobs.at(job);
    const bool is_rewritten = state.requests.of(job).is_rewritten;
    const bool had_doubt = tracked.has_start_doubt;
    tracked.has_start_doubt = had_doubt || engine.has_taken_back;
    preempt(state, job, time, basis);
    state.jobs.at(job).has_start_doubt = had_doubt;
    if (is_rewritten) {
        state.requests.of(job).executed = time;
    }
    if (state.requests.of(job).given > 0 || (is_rewritten && is_carried(state, job))) {
        state.jobs.submit(job, time, engine.ring); // before this one was given back
        move_later_behind(state, job, engine.ring);
    }
}

/// Its interval ends with that of its carrier, and the next has begun.
bool is_taken_back_for_sure(I915& state, JobIndex carried)
{
    const I915Job& own = state.requests.of(carried);
    return own.is_rewritten && own.given_before == 0 && own.executed && !own.has_submit_doubt &&
           !state.jobs.is_lost_on_ring_since(state.jobs.at(carried), *own.executed);
}

/// Carried requests go back with their carrier, unless they are complete already;
/// that shows when they are executed again, before or after this event. Gives the
/// first of those of which it does not show yet.
JobIndex take_back_carried(I915& state, JobIndex carrier, Timestamp time, const I915Engine& engine,
                           bool is_sure)
{
    OpenJobs& jobs = state.jobs.jobs();
    JobIndex first_open = no_job;
    for_each_before(state, carrier, engine.ring, [&](JobIndex other) {
        I915Job& own = state.requests.of(other);
        if (is_sure && is_taken_back_for_sure(state, other)) {
            return;
        }
        if (first_open == no_job || jobs.is_before(other, first_open)) {
            first_open = other;
        }
        const auto given = own.is_rewritten ? own.given_before : own.given;
        if (!own.executed || given > 0 || own.is_unwound_sure) {
            return;
        }
        own.has_submit_doubt = own.has_submit_doubt || own.is_rewritten;
        own.unwound = time;
        own.is_unwound_sure = is_sure;
        jobs[other].has_start_doubt = false;
        state.jobs.leave_ring(other);
    });
    for_each_before(state, carrier, engine.ring, [&](JobIndex other) {
        if (!is_sure || !is_taken_back_for_sure(state, other)) {
            return;
        }
        submit_i915(state, other, *state.requests.of(other).executed, engine.ring);
        if (first_open != no_job && jobs.is_before(first_open, other)) {
            jobs[other].has_start_doubt = true;
        }
        end_interval(state, other, time, Basis::Inferred, engine);
    });
    return first_open;
}

/// A carried request goes on, so it was taken back with its carrier.
void resume(I915& state, JobIndex job, RingId ring)
{
    I915Job& own = state.requests.of(job);
    const bool is_sure = own.is_unwound_sure && !own.has_submit_doubt && own.executed &&
                         !state.jobs.is_lost_on_ring_since(state.jobs.at(job), *own.executed);
    if (!is_sure) {
        own.has_submit_doubt = true;
        own.unwound.reset();
        own.is_unwound_sure = false;
        return;
    }
    submit_i915(state, job, *own.executed, ring);
    preempt(state, job, *state.requests.of(job).unwound, Basis::Inferred);
}

void take_back(I915& state, JobIndex job, Timestamp time, I915Engine& engine)
{
    const bool had_doubt = state.jobs.at(job).has_start_doubt;
    if (take_back_carried(state, job, time, engine, true) != no_job) {
        state.jobs.at(job).has_start_doubt = true; // they may have been complete or not
    }
    end_interval(state, job, time, Basis::Observed, engine);
    state.jobs.at(job).has_start_doubt = had_doubt;
    engine.has_taken_back = true;
}

/// How often it stands in the ports is known only if nothing was lost since it
/// was queued and its dependencies resolved, or since its last interval ended.
bool is_count_sure(I915& state, const TrackedJob& tracked)
{
    const auto& since = tracked.job.runnable ? tracked.job.runnable : tracked.job.queued;
    return tracked.job.queued && !state.jobs.is_lost_on_ring_since(tracked, *since);
}

/// Given before the trace began it may go on, carried by a later one of its context.
void doubt_context(I915& state, const I915Request& request)
{
    OpenJobs& jobs = state.jobs.jobs();
    for (JobIndex job = 0; job < jobs.capacity(); ++job) {
        TrackedJob& tracked = jobs[job];
        if (tracked.state == JobState::Open && tracked.is_in_fifo &&
            tracked.job.ring == request.engine.ring && tracked.trace == request.key.trace &&
            tracked.job.fence.context == FenceContext{request.key.timeline}) {
            tracked.has_start_doubt = true;
        }
    }
}

/// The request was in the ports `before` times when it was executed again.
void on_unfinished_out(I915& state, JobIndex job, Timestamp time, I915Engine& engine,
                       std::uint8_t before)
{
    const RingId ring = engine.ring;
    TrackedJob& tracked = state.jobs.at(job);
    I915Job& own = state.requests.of(job);
    if (!is_count_sure(state, tracked) || own.has_submit_doubt) {
        // it may still stand in a port: then it goes on, else it is executed again
        state.jobs.leave_ring(job);
        tracked.has_start_doubt = true;
        own.has_submit_doubt = own.has_submit_doubt || own.is_rewritten || !own.executed;
        own.unwound = time;
        own.is_unwound_sure = false;
        take_back_carried(state, job, time, engine, false);
        engine.has_taken_back = true;
        return;
    }
    if (own.is_rewritten && before == 0) {
        own.has_submit_doubt = true; // it was carried, but its carrier's `out` did not come
        return;
    }
    // Without events of execution only this shows that another went before it.
    const bool is_pushed_back = own.given > 0 && own.port > 0 && tracked.is_in_fifo &&
                                state.jobs.fifo(ring).is_executing(tracked.place) &&
                                state.jobs.fifo(ring).depth() > 1;
    if (own.is_rewritten || is_pushed_back || (own.given == 0 && !is_carried(state, job))) {
        take_back(state, job, time, engine);
    }
}

/// The `out` that came between may lie in a gap.
bool is_stale(I915& state, const I915Engine::InPort& given, Timestamp time)
{
    const JobIndex job = state.jobs.jobs().get(given.job);
    if (job == no_job) {
        return true;
    }
    const TrackedJob& tracked = state.jobs.at(job);
    return time - tracked.last_event > longest_giving &&
           state.jobs.is_lost_on_ring_since(tracked, tracked.last_event);
}

/// Requests in later ports that were given in the same moment come after this one.
void order_ports(I915& state, I915Engine& engine, JobIndex job, Timestamp time, std::uint64_t port,
                 bool is_new)
{
    if (!engine.just_given.empty() && (engine.just_given.back().port <= port ||
                                       is_stale(state, engine.just_given.back(), time))) {
        engine.just_given.clear();
    }
    for (auto later = engine.just_given.rbegin(); later != engine.just_given.rend(); ++later) {
        const JobIndex other = state.jobs.jobs().get(later->job);
        if (other != no_job && state.jobs.at(other).is_in_fifo) {
            for_each_before(state, other, engine.ring,
                            [&](JobIndex carried) { state.jobs.move_to(carried, engine.ring); });
            state.jobs.move_to(other, engine.ring);
        }
    }
    if (port == 0) {
        engine.just_given.clear();
    } else if (is_new) {
        engine.just_given.push_back({state.jobs.jobs().ref(job), port});
    }
}

} // namespace

void submit_i915(I915& state, JobIndex job, Timestamp time, RingId ring)
{
    if (state.jobs.at(job).job.submitted) {
        return;
    }
    for_each_before(state, job, ring, [&](JobIndex other) {
        const I915Job& own = state.requests.of(other);
        if (own.executed && !state.jobs.at(other).job.submitted) {
            state.jobs.submit(other, *own.executed, ring);
        }
    });
    state.jobs.submit(job, time, ring);
    state.jobs.fifo(ring).set_ties_ordered();
}

JobIndex on_i915_execute(I915& state, Timestamp time, const I915Request& request)
{
    const RingId ring = request.engine.ring;
    const JobIndex job = state.jobs.find(request.key);
    if (job == no_job) {
        const JobIndex executed = state.keep(state.jobs.open_on_ring(time, request.key, ring));
        state.requests.of(executed).executed = time;
        state.jobs.at(executed).steps |= set_of(state.execute);
        return executed;
    }
    state.keep(job);
    if (state.jobs.at(job).is_tentative) {
        state.jobs.adopt(job, false);
        state.jobs.move_to(job, ring); // its fence does not say the engine
    }
    TrackedJob& tracked = state.jobs.at(job);
    if (tracked.state != JobState::Open) {
        return no_job;
    }
    I915Job& own = state.requests.of(job);
    if (own.unwound && own.given == 0) {
        resume(state, job, ring);
    } else if (own.executed || tracked.job.submitted) {
        own.has_submit_doubt = own.has_submit_doubt || own.is_rewritten;
        state.jobs.fifo(ring).set_preemptive();
        own.is_rewritten = true; // `out`, of it or its carrier, tells since when
        own.given_before = own.given;
    }
    TrackedJob& now = state.jobs.at(job);
    now.steps |= set_of(state.execute);
    if (!own.executed) {
        own.executed = time;
        now.last_event = time;
    }
    return job;
}

JobIndex on_i915_in(I915& state, Timestamp time, const I915Request& request, std::uint64_t port)
{
    const RingId ring = request.engine.ring;
    ++request.engine.given;
    if (!request.engine.awaited_outs.empty()) {
        note_missing_outs(state, request.key.trace, request.engine);
    }
    JobIndex job = state.jobs.find_open(request.key);
    if (job == no_job) {
        job = state.jobs.submitted(time, state.in, {request.key, fence_id(request.key), ring});
        if (job == no_job) {
            return no_job;
        }
    }
    state.keep(job);
    if (state.requests.of(job).is_unwound_sure && state.requests.of(job).given == 0) {
        resume(state, job, ring);
    }
    TrackedJob& tracked = state.jobs.at(job);
    I915Job& own = state.requests.of(job);
    own.given = static_cast<std::uint8_t>(std::min(own.given + 1, 255));
    own.port = static_cast<std::uint8_t>(std::min<std::uint64_t>(port, 255));
    tracked.steps |= set_of(state.in);
    const bool is_new = !tracked.job.submitted;
    if (tracked.is_tentative) {
        state.jobs.adopt(job, false);
    }
    // carried when it was executed, before it was taken back or a gap
    const bool is_gap = own.executed && state.jobs.is_lost_on_ring_since(tracked, *own.executed);
    const bool was_carried = own.executed && (own.is_rewritten || is_gap);
    // an `in` at once is that of the execution
    tracked.has_start_doubt =
        tracked.has_start_doubt || (is_new && is_gap && time - *own.executed > longest_giving);
    submit_i915(state, job, was_carried ? *own.executed : time, ring);
    request.engine.has_taken_back = false;
    order_ports(state, request.engine, job, time, port, is_new);
    return job;
}

void on_i915_guc_submit(I915& state, Timestamp time, const I915Request& request)
{
    state.rings.set_firmware_scheduled(request.engine.ring);
    state.jobs.fifo(request.engine.ring).set_unordered();
    const JobIndex job = state.jobs.find_open(request.key);
    if (job != no_job && !state.jobs.at(job).is_tentative) {
        submit_i915(state, state.keep(job), time, request.engine.ring);
        return;
    }
    state.keep(state.jobs.submitted(time, state.guc_submit,
                                    {request.key, fence_id(request.key), request.engine.ring}));
}

void on_i915_out(I915& state, Timestamp time, const I915Request& request, bool is_complete)
{
    I915Engine& engine = request.engine;
    engine.just_given.clear();
    const JobIndex job = state.jobs.find(request.key);
    if (job == no_job) {
        if (is_complete) {
            state.keep(state.jobs.completed(time, state.out,
                                            {request.key, fence_id(request.key), engine.ring}));
        } else {
            engine.has_taken_back = true;
            state.jobs.unseen_completion(engine.ring, request.key.trace, time, true);
            doubt_context(state, request);
        }
        return;
    }
    const TrackedJob& tracked = state.jobs.at(job);
    I915Job& own = state.requests.of(job);
    const std::uint8_t before = own.is_rewritten ? own.given_before : std::uint8_t{0};
    if (own.given > 0) {
        --own.given;
    }
    if (before > 0) {
        --own.given_before;
    }
    if (tracked.state != JobState::Open) {
        return; // it was signaled before, or stood in the ports twice
    }
    if (!tracked.job.submitted && own.executed) {
        submit_i915(state, job, *own.executed, engine.ring);
    }
    if (!is_complete) {
        on_unfinished_out(state, job, time, engine, before);
        return;
    }
    engine.has_taken_back = false;
    end_carried(state, job, time, engine);
    state.keep(
        state.jobs.completed(time, state.out, {request.key, fence_id(request.key), engine.ring}));
}

} // namespace lttng_gpu::model
