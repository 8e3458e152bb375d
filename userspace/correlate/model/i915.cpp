// SPDX-License-Identifier: MIT
//
// Trace system i915: requests of Intel GPUs, by execlists or by the GuC. Fence
// context and seqno are final when the request is made, __i915_request_create(),
// so the first event of the ioctl, `queue` in eb_submit(), is when it is queued;
// requests of the kernel have `add` only. `in` gives a request to a port of the
// engine; of several requests of a context that go together only the last has it,
// the others are carried. `retire` is bookkeeping and never an end.
#include "event_spec.hpp"

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t {
    Device,
    Context,
    Class,
    Instance,
    Ring,
    Seqno,
    Global,
    GlobalSeqno,
    DeviceName,
    Port,
    Completed,
    CompletedAsked,
};
constexpr std::array<std::string_view, 12> names{"dev",      "ctx",   "class",     "instance",
                                                 "ring",     "seqno", "global",    "global_seqno",
                                                 "dev_name", "port",  "completed", "completed?"};
} // namespace field

/// A retired request's end may come a little later, from the interrupt.
constexpr Duration longest_wait_for_end{100'000'000};
constexpr std::size_t most_numbered = 65536;
/// Requests of one context that are looked through.
constexpr int most_of_context = 1024;

constexpr std::uint32_t low_half(std::uint64_t value)
{
    return static_cast<std::uint32_t>(value);
}

I915Engine& engine_of(NormaliserState& state, const trace::RawEvent& event, bool is_gem_event)
{
    I915Engines::Name name{event.trace, low_half(find_unsigned(event, field::Device).value_or(0)),
                           I915Engines::no_class, 0, is_gem_event};
    if (const auto engine_class = find_unsigned(event, field::Class)) {
        name.engine_class = low_half(*engine_class);
        name.instance = low_half(find_unsigned(event, field::Instance).value_or(0));
        name.is_gem_event = false;
    } else {
        name.instance = low_half(find_unsigned(event, field::Ring).value_or(0));
    }
    return state.i915.at(state.rings, name);
}

struct Request {
    JobKey key;
    I915Engine& engine;
};

std::optional<Request> find_request(NormaliserState& state, const trace::RawEvent& event,
                                    bool is_gem_event)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    return Request{fence_key(event.trace, *context, *seqno), engine_of(state, event, is_gem_event)};
}

/// Up to v5.1 the engine numbers what it executes; intel_engine_notify counts so.
void note_number(NormaliserState& state, const trace::RawEvent& event, I915Engine& engine,
                 JobIndex job)
{
    const auto named = find_unsigned(event, field::Global);
    const auto global = named ? named : find_unsigned(event, field::GlobalSeqno);
    TrackedJob& tracked = state.jobs.at(job);
    if (low_half(global.value_or(0)) == 0 || tracked.global_seqno == low_half(*global)) {
        return;
    }
    tracked.global_seqno = low_half(*global);
    if (engine.numbered.size() == most_numbered) {
        engine.numbered.pop_front();
    }
    engine.numbered.push_back({state.jobs.jobs().ref(job), low_half(*global)});
}

/// Requests of the job's context, on its ring, that come before it and are open.
/// The list is in order of arrival, which at the begin of a trace is not that of
/// the seqnos.
template <typename Visit>
void for_each_before(NormaliserState& state, JobIndex job, RingId ring, Visit visit)
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

/// Gives the job to the ring, and before it those of its context that it carries:
/// executed, but without an event of their own.
void submit(NormaliserState& state, JobIndex job, Timestamp time, RingId ring)
{
    if (state.jobs.at(job).job.submitted) {
        return;
    }
    for_each_before(state, job, ring, [&](JobIndex other) {
        const TrackedJob& carried = state.jobs.at(other);
        if (carried.executed && !carried.job.submitted) {
            state.jobs.submit(other, *carried.executed, ring);
        }
    });
    state.jobs.submit(job, time, ring);
}

template <Step step, bool is_gem_event>
void on_queue(NormaliserState& state, const trace::RawEvent& event)
{
    if constexpr (step == Step::I915Queue) {
        state.i915.set_device_name(state.rings, event.trace,
                                   low_half(find_unsigned(event, field::Device).value_or(0)),
                                   find_text(event, field::DeviceName));
    }
    const auto request = find_request(state, event, is_gem_event);
    if (!request) {
        return;
    }
    state.jobs.note(event.trace, Teller::I915);
    state.jobs.queued(
        event.time, step,
        {request->key, fence_id(request->key), request->engine.ring, state.actor_of(event)});
}

/// submit_notify(): nothing it depends on is open any more.
template <bool is_gem_event> void on_submit(NormaliserState& state, const trace::RawEvent& event)
{
    const auto request = find_request(state, event, is_gem_event);
    const JobIndex job = request ? state.jobs.find_open(request->key) : no_job;
    if (job != no_job && !state.jobs.at(job).job.runnable) {
        state.jobs.at(job).job.runnable = event.time;
    }
}

/// The same event told twice comes at once; a request that is taken back and
/// written again was in the ports in between.
bool is_long_ago(const std::optional<Timestamp>& before, Timestamp now)
{
    constexpr Duration longest_repetition{5'000};
    return before && now - *before > longest_repetition;
}

/// __i915_request_submit(): written to the ring buffer.
template <bool is_gem_event> void on_execute(NormaliserState& state, const trace::RawEvent& event)
{
    const auto request = find_request(state, event, is_gem_event);
    if (!request) {
        return;
    }
    state.jobs.note(event.trace, Teller::I915);
    JobIndex job = state.jobs.find(request->key);
    if (job == no_job) {
        job = state.jobs.open_executed(event.time, request->key, request->engine.ring);
    }
    if (state.jobs.at(job).state != JobState::Open) {
        return;
    }
    TrackedJob& tracked = state.jobs.at(job);
    if (tracked.executed && tracked.unwound && tracked.given == 0) {
        submit(state, job, *tracked.executed, request->engine.ring);
        state.jobs.preempt(job, *state.jobs.at(job).unwound, Basis::Inferred);
    } else if (is_long_ago(tracked.executed, event.time) ||
               is_long_ago(tracked.job.submitted, event.time)) {
        tracked.is_rewritten = true;
    }
    if (!state.jobs.at(job).executed) {
        state.jobs.at(job).executed = event.time;
    }
    note_number(state, event, request->engine, job);
}

/// execlists_schedule_in(); with the GuC, guc_dequeue_one_context().
template <bool is_gem_event> void on_in(NormaliserState& state, const trace::RawEvent& event)
{
    const auto request = find_request(state, event, is_gem_event);
    if (!request) {
        return;
    }
    state.jobs.note(event.trace, Teller::I915);
    I915Engine& engine = request->engine;
    const std::uint64_t port = find_unsigned(event, field::Port).value_or(0);
    JobIndex job = state.jobs.find_open(request->key);
    if (job == no_job) {
        job = state.jobs.submitted(event.time, Step::I915In,
                                   {request->key, fence_id(request->key), engine.ring});
        if (job == no_job) {
            return;
        }
    }
    TrackedJob& tracked = state.jobs.at(job);
    tracked.given = static_cast<std::uint8_t>(std::min(tracked.given + 1, 255));
    tracked.port = static_cast<std::uint8_t>(std::min<std::uint64_t>(port, 255));
    tracked.steps |= static_cast<std::uint32_t>(Step::I915In);
    const bool is_new = !tracked.job.submitted;
    if (tracked.is_tentative) {
        state.jobs.adopt(job, false);
    }
    submit(state, job, event.time, engine.ring);
    note_number(state, event, engine, job);

    // what stands in a later port, given in the same moment, comes after this one
    if (!engine.just_given.empty() && engine.just_given.back().port <= port) {
        engine.just_given.clear();
    }
    for (auto later = engine.just_given.rbegin(); later != engine.just_given.rend(); ++later) {
        const JobIndex other = state.jobs.jobs().get(later->job);
        if (other != no_job && state.jobs.at(other).is_in_fifo) {
            state.jobs.move_to(other, engine.ring);
        }
    }
    if (port == 0) {
        engine.just_given.clear();
    } else if (is_new) {
        engine.just_given.push_back({state.jobs.jobs().ref(job), port});
    }
}

/// __guc_add_request().
void on_guc_submit(NormaliserState& state, const trace::RawEvent& event)
{
    const auto request = find_request(state, event, false);
    if (!request) {
        return;
    }
    state.jobs.note(event.trace, Teller::I915);
    const JobIndex job = state.jobs.find_open(request->key);
    if (job != no_job && !state.jobs.at(job).is_tentative) {
        submit(state, job, event.time, request->engine.ring);
        return;
    }
    state.jobs.submitted(event.time, Step::I915GucSubmit,
                         {request->key, fence_id(request->key), request->engine.ring});
}

/// Requests of a context end in order. Those carried by one that is complete have
/// ended too, but nothing says when, and so not when their carrier began.
void end_carried(NormaliserState& state, JobIndex carrier, Timestamp time, RingId ring)
{
    for_each_before(state, carrier, ring, [&](JobIndex other) {
        const TrackedJob& carried = state.jobs.at(other);
        if (!carried.job.submitted && !carried.executed) {
            return;
        }
        state.jobs.at(carrier).has_start_doubt = true;
        if (!carried.job.submitted) {
            state.jobs.submit(other, *carried.executed, ring);
        }
        if (state.jobs.is_lost_since(carried.trace, carried.last_event)) {
            state.jobs.give_up(other, Anomaly::CompletionNeverSeen); // its own end may be lost
        } else {
            state.jobs.complete(other, time, Basis::Inferred);
        }
    });
}

bool is_carried(NormaliserState& state, JobIndex job)
{
    OpenJobs& jobs = state.jobs.jobs();
    if (jobs[job].timeline == no_job) {
        return false;
    }
    JobIndex later = jobs.oldest_of(jobs[job].timeline);
    for (int count = 0; later != no_job && count < most_of_context; ++count) {
        if (jobs[later].state == JobState::Open && jobs[later].given > 0 &&
            jobs[later].job.ring == jobs[job].job.ring && jobs.is_before(job, later)) {
            return true;
        }
        later = jobs[later].newer;
    }
    return false;
}

/// Its requests are taken back with it, unless they are complete already; that
/// shows when they are executed again, before or after this event.
void take_back(NormaliserState& state, JobIndex job, Timestamp time, RingId ring)
{
    for_each_before(state, job, ring, [&](JobIndex other) {
        const bool is_carried_job =
            state.jobs.at(other).executed && state.jobs.at(other).given == 0;
        if (is_carried_job &&
            state.jobs.is_lost_since(state.jobs.at(other).trace, state.jobs.at(other).begun)) {
            state.jobs.at(other).has_submit_doubt = true;
        } else if (is_carried_job && state.jobs.at(other).is_rewritten) {
            submit(state, other, *state.jobs.at(other).executed, ring);
            state.jobs.preempt(other, time, Basis::Inferred);
            state.jobs.at(other).executed = time;
        } else if (is_carried_job) {
            state.jobs.at(other).unwound = time;
        }
    });
    state.jobs.preempt(job, time);
}

/// Off the ports before it was complete. It may have been put back at once, next
/// to other requests: ports are always written together and the old ones given
/// back when the hardware has taken the new (process_csb(), since v5.4). A later
/// request of its context in the port carries it on.
void on_unfinished_out(NormaliserState& state, JobIndex job, Timestamp time, RingId ring)
{
    TrackedJob& tracked = state.jobs.at(job);
    const bool is_count_sure =
        tracked.job.queued && !state.jobs.is_lost_since(tracked.trace, tracked.begun);
    if (!is_count_sure) {
        // it may still stand in a port: then it goes on, else nobody knows when it began
        if (tracked.is_in_fifo) {
            state.jobs.fifo(ring).forget(tracked.place);
            tracked.is_in_fifo = false;
        }
        tracked.has_submit_doubt = state.jobs.is_lost_since(tracked.trace, tracked.begun);
        tracked.has_start_doubt = true;
        return;
    }
    if (tracked.given > 0) {
        const bool was_executing =
            tracked.is_in_fifo && state.jobs.fifo(ring).is_executing(tracked.place);
        if (tracked.port > 0 && was_executing && state.jobs.fifo(ring).depth() > 1) {
            take_back(state, job, time, ring);
            state.jobs.submit(job, time, ring);
        }
        return;
    }
    if (!is_carried(state, job)) {
        take_back(state, job, time, ring);
    }
}

/// execlists_schedule_out(). Before v4.18 it had no `completed` and came only for
/// complete requests (process_csb() asserted it).
template <bool is_gem_event> void on_out(NormaliserState& state, const trace::RawEvent& event)
{
    const auto request = find_request(state, event, is_gem_event);
    if (!request) {
        return;
    }
    I915Engine& engine = request->engine;
    engine.just_given.clear();
    const auto asked = find_unsigned(event, field::CompletedAsked);
    const bool is_complete =
        asked ? *asked != 0 : find_unsigned(event, field::Completed).value_or(1) != 0;
    const JobIndex job = state.jobs.find(request->key);
    if (job == no_job) {
        if (is_complete) {
            state.jobs.completed(event.time, Step::I915Out,
                                 {request->key, fence_id(request->key), engine.ring});
        } else {
            state.jobs.unseen_completion(engine.ring, event.trace, event.time);
        }
        return;
    }
    TrackedJob& tracked = state.jobs.at(job);
    if (tracked.given > 0) {
        --tracked.given;
    }
    if (tracked.state != JobState::Open) {
        return; // it was signaled before, or stood in the ports twice
    }
    if (!tracked.job.submitted && tracked.executed) {
        submit(state, job, *tracked.executed, engine.ring);
    }
    if (!is_complete) {
        on_unfinished_out(state, job, event.time, engine.ring);
        return;
    }
    end_carried(state, job, event.time, engine.ring);
    state.jobs.completed(event.time, Step::I915Out,
                         {request->key, fence_id(request->key), engine.ring});
}

/// i915_request_retire(), any time after completion. The signal or `out` may
/// still follow; if none does, the end stays unknown.
template <bool is_gem_event> void on_retire(NormaliserState& state, const trace::RawEvent& event)
{
    auto& retired = state.i915.retired;
    while (!retired.is_empty() && event.time - retired.front().time > longest_wait_for_end) {
        const JobIndex old = state.jobs.jobs().get(retired.front().job);
        retired.pop_front();
        if (old != no_job && state.jobs.at(old).state == JobState::Open) {
            state.jobs.give_up(old, Anomaly::RetiredUnended);
        }
    }
    const auto request = find_request(state, event, is_gem_event);
    const JobIndex job = request ? state.jobs.find_open(request->key) : no_job;
    if (job != no_job && !state.jobs.at(job).is_retired) {
        state.jobs.at(job).is_retired = true;
        retired.push_back({state.jobs.jobs().ref(job), event.time});
    }
}

/// notify_ring() and gen8_cs_irq_handler() up to v5.0: the engine has completed
/// all up to this number of its own.
void on_notify(NormaliserState& state, const trace::RawEvent& event)
{
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    // both generations of the name share their numbers, but not their fields
    for (const bool is_gem_event : {true, false}) {
        I915Engine& engine = engine_of(state, event, is_gem_event);
        while (!engine.numbered.is_empty()) {
            const I915Engine::Numbered first = engine.numbered.front();
            if (static_cast<std::int32_t>(first.global - low_half(*seqno)) > 0) {
                break;
            }
            engine.numbered.pop_front();
            const JobIndex job = state.jobs.jobs().get(first.job);
            if (job == no_job || state.jobs.at(job).state != JobState::Open ||
                state.jobs.at(job).global_seqno != first.global) {
                continue;
            }
            if (state.jobs.at(job).executed) {
                submit(state, job, *state.jobs.at(job).executed, engine.ring);
            }
            if (first.global != low_half(*seqno) &&
                state.jobs.is_lost_since(event.trace, state.jobs.at(job).last_event)) {
                state.jobs.give_up(job, Anomaly::CompletionNeverSeen); // its own may be lost
            } else {
                state.jobs.complete(job, event.time, Basis::Observed);
            }
        }
    }
}

template <bool is_gem_event>
void on_wait_begin(NormaliserState& state, const trace::RawEvent& event)
{
    if (const auto request = find_request(state, event, is_gem_event)) {
        state.waits.on_begin(event.time, state.actor_of(event), request->key, WaitFamily::I915);
    }
}

template <bool is_gem_event> void on_wait_end(NormaliserState& state, const trace::RawEvent& event)
{
    if (const auto request = find_request(state, event, is_gem_event)) {
        state.waits.on_end(event.time, state.threads.tid_of(event), request->key, WaitFamily::I915);
    }
}

constexpr std::array<EventSpec, 19> events{{
    {"i915_request_queue", field::names, on_queue<Step::I915Queue, false>},
    {"i915_request_add", field::names, on_queue<Step::I915Add, false>},
    {"i915_request_submit", field::names, on_submit<false>},
    {"i915_request_execute", field::names, on_execute<false>},
    {"i915_request_in", field::names, on_in<false>},
    {"i915_request_guc_submit", field::names, on_guc_submit},
    {"i915_request_out", field::names, on_out<false>},
    {"i915_request_retire", field::names, on_retire<false>},
    {"i915_request_wait_begin", field::names, on_wait_begin<false>},
    {"i915_request_wait_end", field::names, on_wait_end<false>},
    {"i915_gem_request_queue", field::names, on_queue<Step::I915Queue, true>},
    {"i915_gem_request_add", field::names, on_queue<Step::I915Add, true>},
    {"i915_gem_request_submit", field::names, on_submit<true>},
    {"i915_gem_request_execute", field::names, on_execute<true>},
    {"i915_gem_request_in", field::names, on_in<true>},
    {"i915_gem_request_out", field::names, on_out<true>},
    {"i915_gem_request_retire", field::names, on_retire<true>},
    {"i915_gem_request_wait_begin", field::names, on_wait_begin<true>},
    {"i915_gem_request_wait_end", field::names, on_wait_end<true>},
}};
constexpr std::array<EventSpec, 1> notify_events{{
    {"intel_engine_notify", field::names, on_notify},
}};

} // namespace

std::span<const EventSpec> i915_events()
{
    return events;
}

std::span<const EventSpec> intel_events()
{
    return notify_events;
}

} // namespace lttng_gpu::model
