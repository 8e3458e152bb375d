// SPDX-License-Identifier: MIT
//
// Trace system amdxdna: AMD's NPUs, on drm_sched. amdxdna_job (xdna_job, as the kernel calls it)
// names the finished fence of drm_sched and says what was done: "sent to device", or "job run" and
// then that (v7.2), just after drm_sched_job_run in the same worker, aie2_sched_job_run(), and,
// when the device has answered, "signaling fence" (up to v6.19 "signaled fence"),
// aie2_sched_notify(). Messages of the mailbox name no job, but that by which the worker has a job
// executed (mbox_set_tail) comes just before "sent to device", or after "job run", and its answer
// (mbox_set_head) has its number. The thread that reads answers signals the fence, mainline's
// before mbox_set_head, mailbox_get_msg(). A fence that another thread signals without an answer is
// not signaled by the device: its context goes.
#include "../base/per_trace.hpp"
#include "event_family.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { What, Context, Seqno };
constexpr std::array<std::string_view, 3> names{"str", "fence_context", "fence_seqno"};
} // namespace field

namespace message {
enum : std::size_t { Mailbox, Channel, Number, Operation };
constexpr std::array<std::string_view, 4> names{"name", "chann_id", "msg_id", "opcode"};
} // namespace message

/// Messages that have a job executed: SYNC_BO, EXECUTE_BUFFER_CF, EXEC_DPU, CHAIN_EXEC_BUFFER_CF,
/// CHAIN_EXEC_DPU, CONFIG_DEBUG_BO and CHAIN_EXEC_NPU, aie2_msg_priv.h.
constexpr std::array<std::uint64_t, 7> executing{0x07, 0x0c, 0x10, 0x12, 0x13, 0x14, 0x18};

struct Message {
    TraceId trace;
    StringId mailbox;
    std::uint64_t channel = 0;
    std::uint64_t number = 0;

    friend bool operator==(const Message&, const Message&) = default;
};

/// A job, and what the device was asked for it.
struct AskedJob {
    JobRef job;
    Message message;
    bool is_answered = false;
};

/// What a worker did last.
struct Worker {
    JobRef unasked; // run, and not asked for yet
    Message sent;   // for a job that is not told of yet
    bool has_sent = false;
    bool reads_answers = false;
};

struct Amdxdna : FamilyState {
    explicit Amdxdna(EventContext& context)
        : FamilyState{context}, run{jobs.add_step({Stage::Submitted, true})},
          answer{jobs.add_step({Stage::Completed})}
    {
        rings.add_firmware_driver("amdxdna");
    }

    Step run;
    Step answer;
    PerThread<Worker> workers;
    std::vector<AskedJob> asked; // open ones
    /// Who reads answers is seen before the fences are signaled: mbox_rx_worker (not in v6.14), or
    /// mbox_set_head first.
    PerTrace<bool> tells_readers;
};

constexpr std::size_t most_asked = 4096;

/// What drm_sched's events call it, aie2_hwctx_init().
RingId ring_of(Amdxdna& state, TraceId trace)
{
    const RingId ring = state.rings.intern(trace, "", "amdxdna_js");
    state.rings.set_driver(ring, "amdxdna");
    return ring;
}

/// Each hardware context has a scheduler of that name, and they run side by side.
void note_ring(Amdxdna& state, JobIndex job)
{
    if (job == no_job || !state.jobs.at(job).job.ring) {
        return;
    }
    const RingId ring = *state.jobs.at(job).job.ring;
    state.rings.set_driver(ring, "amdxdna");
    state.jobs.fifo(ring).set_unordered();
}

/// drm_sched told of it by its pointer just before.
void join_run(Amdxdna& state, const trace::RawEvent& event, const JobKey& fence)
{
    const ThreadNote* note = state.find_note(event);
    const JobIndex run = note != nullptr ? state.jobs.jobs().get(note->last_run) : no_job;
    if (run == no_job || state.jobs.at(run).state != JobState::Open ||
        state.jobs.at(run).timeline != no_job ||
        state.jobs.is_lost_since(event.trace, state.jobs.at(run).last_event)) {
        return;
    }
    join(state, run, fence);
}

/// Its message to the device was seen, and no answer.
bool is_unanswered(Amdxdna& state, JobIndex job)
{
    const auto found = std::ranges::find_if(state.asked, [&](const AskedJob& asked) {
        return state.jobs.jobs().get(asked.job) == job;
    });
    return found != state.asked.end() && !found->is_answered &&
           !state.jobs.is_lost_since(state.jobs.at(job).trace, state.jobs.at(job).begun);
}

void note_asked(Amdxdna& state, JobRef job, const Message& message)
{
    std::erase_if(state.asked, [&](const AskedJob& asked) {
        const JobIndex other = state.jobs.jobs().get(asked.job);
        return other == no_job || state.jobs.at(other).state != JobState::Open;
    });
    if (state.asked.size() < most_asked) {
        state.asked.push_back({job, message, false});
    }
}

Message message_of(Amdxdna& state, const trace::RawEvent& event)
{
    return {event.trace, state.texts.of(find_text(event, message::Mailbox)),
            find_unsigned(event, message::Channel).value_or(0),
            find_unsigned(event, message::Number).value_or(0)};
}

void on_sent(Amdxdna& state, const trace::RawEvent& event)
{
    const std::uint64_t operation = find_unsigned(event, message::Operation).value_or(0);
    Worker* worker = std::ranges::find(executing, operation) != executing.end()
                         ? state.note_of(state.workers, event)
                         : nullptr;
    if (worker == nullptr) {
        return;
    }
    const JobIndex job = state.jobs.jobs().get(worker->unasked);
    if (job != no_job && state.jobs.at(job).state == JobState::Open) {
        note_asked(state, worker->unasked, message_of(state, event));
        worker->has_sent = false;
    } else {
        worker->sent = message_of(state, event);
        worker->has_sent = true;
    }
    worker->unasked = {};
    worker->reads_answers = false;
}

/// mailbox_rx_worker()
void on_reading(Amdxdna& state, const trace::RawEvent& event)
{
    if (Worker* worker = state.note_of(state.workers, event)) {
        worker->reads_answers = true;
        state.tells_readers[event.trace] = true;
    }
}

void on_received(Amdxdna& state, const trace::RawEvent& event)
{
    if (Worker* worker = state.note_of(state.workers, event)) {
        worker->reads_answers = true;
    }
    const Message message = message_of(state, event);
    for (AskedJob& asked : state.asked) {
        const bool is_its = asked.message == message;
        const JobIndex job = is_its ? state.jobs.jobs().get(asked.job) : no_job;
        if (job != no_job && state.jobs.at(job).state == JobState::Open) {
            state.tells_readers[event.trace] = true; // not signaled yet
        }
        asked.is_answered = asked.is_answered || is_its;
    }
}

/// "job run" comes before the message, "sent to device" after it.
void note_run(Amdxdna& state, const trace::RawEvent& event, JobIndex job, bool is_sent)
{
    Worker* worker = job != no_job ? state.note_of(state.workers, event) : nullptr;
    if (worker == nullptr) {
        return;
    }
    worker->unasked = is_sent ? JobRef{} : state.jobs.jobs().ref(job);
    if (is_sent && worker->has_sent) {
        note_asked(state, state.jobs.jobs().ref(job), worker->sent);
    }
    worker->has_sent = false;
    worker->reads_answers = false;
}

void on_answer(Amdxdna& state, const trace::RawEvent& event, const JobKey& key)
{
    const JobIndex job = state.jobs.find(key);
    const Worker* worker = state.find_note(state.workers, event);
    const bool is_by_reader =
        !state.tells_readers[event.trace] || (worker != nullptr && worker->reads_answers);
    if (job != no_job && state.jobs.at(job).state == JobState::Open && !is_by_reader &&
        is_unanswered(state, job)) {
        state.jobs.set_end_untold(job);
    }
    if (job != no_job && state.jobs.at(job).has_pointer) {
        return; // drm_sched_process_job comes next and has nothing but that
    }
    state.jobs.completed(event.time, state.answer, {key, fence_id(key), {}});
}

void on_job(Amdxdna& state, const trace::RawEvent& event)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    const JobKey key = fence_key(event.trace, *context, *seqno);
    const std::string_view what = find_text(event, field::What);
    if (what == "sent to device" || what == "job run") {
        const JobIndex known = state.jobs.find_open(key);
        if (known != no_job && (state.jobs.at(known).steps & set_of(state.run)) != 0) {
            note_run(state, event, known, what == "sent to device");
            return; // "job run" told of it
        }
        state.jobs.note_seen(event.trace, state.run);
        join_run(state, event, key);
        const JobIndex job = state.jobs.submitted(
            event.time, state.run, {key, fence_id(key), ring_of(state, event.trace)});
        note_ring(state, job);
        note_run(state, event, job, what == "sent to device");
    } else if (what == "signaling fence" || what == "signaled fence") {
        on_answer(state, event, key);
    } else if (what == "job timedout") {
        if (const JobIndex job = state.jobs.find_open(key); job != no_job) {
            state.jobs.set_fault(job, Fault::TimedOut);
        }
    }
}

void on_interrupt(Amdxdna&, const trace::RawEvent&) {}

constexpr std::array<EventSpec, 10> events{{
    {"amdxdna_job", field::names, handler<on_job>},
    {"amdxdna_mbox_set_tail", message::names, handler<on_sent>},
    {"amdxdna_mbox_set_head", message::names, handler<on_received>},
    {"amdxdna_mbox_irq_handle", message::names, handler<on_interrupt>, false, false},
    {"amdxdna_mbox_rx_worker", message::names, handler<on_reading>},
    {"xdna_job", field::names, handler<on_job>}, // as in ftrace, and so on
    {"mbox_set_tail", message::names, handler<on_sent>},
    {"mbox_set_head", message::names, handler<on_received>},
    {"mbox_irq_handle", message::names, handler<on_interrupt>, false, false},
    {"mbox_rx_worker", message::names, handler<on_reading>},
}};

} // namespace

EventFamily amdxdna_family()
{
    return {"amdxdna", events, {}, make_state<Amdxdna>};
}

} // namespace lttng_gpu::model
