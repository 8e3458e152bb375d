// SPDX-License-Identifier: MIT
//
// Trace system i915: requests of Intel GPUs, by execlists or by the GuC. Fence
// context and seqno are final when the request is made, __i915_request_create(),
// so the first event of the ioctl, `queue` in eb_submit(), is when it is queued;
// requests of the kernel have `add` only. `retire` is bookkeeping and never an
// end. What the ports of an engine do is in i915_ports.cpp.
#include "i915_ports.hpp"

#include <charconv>

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
    HardwareId,
};
constexpr std::array<std::string_view, 13> names{
    "dev",          "ctx",      "class", "instance",  "ring",       "seqno", "global",
    "global_seqno", "dev_name", "port",  "completed", "completed?", "hw_id"};
} // namespace field

/// A retired request's end may come a little later, from the interrupt.
constexpr Duration longest_wait_for_end{100'000'000};
constexpr std::size_t most_numbered = 65536;

constexpr std::uint32_t low_half(std::uint64_t value)
{
    return static_cast<std::uint32_t>(value);
}

I915Engine& engine_of(I915& state, const trace::RawEvent& event, bool is_gem_event,
                      bool is_numbered = false)
{
    I915Engines::Name name{
        event.trace,           low_half(find_unsigned(event, field::Device).value_or(0)),
        I915Engines::no_class, 0,
        is_gem_event,          is_numbered};
    if (const auto engine_class = find_unsigned(event, field::Class)) {
        name.engine_class = low_half(*engine_class);
        name.instance = low_half(find_unsigned(event, field::Instance).value_or(0));
        name.is_gem_event = false;
    } else {
        name.instance = low_half(find_unsigned(event, field::Ring).value_or(0));
    }
    return state.engines.at(state.rings, name);
}

/// Before v4.12 a request has no fence context; the engine's numbers name it.
JobKey number_key(I915& state, TraceId trace, const I915Engine& engine, std::uint64_t seqno)
{
    return {trace, state.number, false, engine.ring.value(), low_half(seqno)};
}

FenceId shown(const JobKey& key)
{
    return key.space == KeySpace::Fence ? fence_id(key) : FenceId{{}, FenceSeqno{key.seqno}};
}

std::optional<I915Request> find_request(I915& state, const trace::RawEvent& event,
                                        bool is_gem_event)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (is_gem_event && !context && seqno) {
        I915Engine& engine = engine_of(state, event, true, true);
        return I915Request{number_key(state, event.trace, engine, *seqno), engine};
    }
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    return I915Request{fence_key(event.trace, *context, *seqno),
                       engine_of(state, event, is_gem_event)};
}

/// Up to v5.1 the engine numbers what it executes; intel_engine_notify counts so.
void note_number(I915& state, const trace::RawEvent& event, I915Engine& engine, JobIndex job)
{
    const auto named = find_unsigned(event, field::Global);
    const auto global = named ? named : find_unsigned(event, field::GlobalSeqno);
    I915Job& request = state.requests.of(job);
    if (low_half(global.value_or(0)) == 0 || request.global_seqno == low_half(*global)) {
        return;
    }
    request.global_seqno = low_half(*global);
    if (engine.numbered.size() == most_numbered) {
        engine.numbered.pop_front();
    }
    engine.numbered.push_back({state.jobs.jobs().ref(job), low_half(*global)});
}

template <Step I915::*step, bool is_gem_event>
void on_queue(I915& state, const trace::RawEvent& event)
{
    if constexpr (step == &I915::queue) {
        state.engines.set_device_name(state.rings, event.trace,
                                      low_half(find_unsigned(event, field::Device).value_or(0)),
                                      find_text(event, field::DeviceName));
    }
    const auto request = find_request(state, event, is_gem_event);
    if (!request) {
        return;
    }
    state.jobs.note_seen(event.trace, state.*step);
    const JobIndex job = state.keep(state.jobs.queued(
        event.time, state.*step,
        {request->key, shown(request->key), request->engine.ring, state.actor_of(event)}));
    // there the ring's tail is moved right before, __i915_add_request()
    if (job != no_job && step == &I915::add && request->key.space == state.number &&
        state.jobs.at(job).state == JobState::Open && !state.jobs.at(job).job.submitted) {
        state.jobs.submit(job, event.time, request->engine.ring);
        auto& numbered = state.engines.numbered;
        constexpr std::size_t most_open = 4096; // without any event of an end they all stay
        if (numbered.size() == most_open) {
            numbered.erase(numbered.begin(), numbered.begin() + most_open / 2);
        }
        numbered.push_back({state.jobs.jobs().ref(job), request->key});
    }
}

/// Before v4.12: the engine has come so far (notify_ring()). Requests before it have ended, too,
/// but nobody asked for an interrupt at their ends.
void on_complete(I915& state, const trace::RawEvent& event)
{
    const auto request = find_request(state, event, true);
    if (!request || request->key.space != state.number) {
        return;
    }
    auto& numbered = state.engines.numbered;
    bool has_passed = false;
    std::erase_if(numbered, [&](const I915Engines::NumberedRequest& other) {
        const JobIndex job = state.jobs.jobs().get(other.job);
        if (job == no_job || state.jobs.at(job).state != JobState::Open) {
            return true;
        }
        const bool is_passed =
            other.key.trace == event.trace && other.key.timeline == request->key.timeline &&
            static_cast<std::int32_t>(low_half(other.key.seqno) - low_half(request->key.seqno)) < 0;
        if (is_passed) {
            state.jobs.at(job).job.completed_by = event.time;
            state.jobs.give_up(job, Anomaly::CompletionNeverSeen);
            has_passed = true;
        }
        return is_passed;
    });
    if (const JobIndex job = state.jobs.find_open(request->key); job != no_job) {
        // it began when the one before it ended
        state.jobs.at(job).has_start_doubt |= has_passed;
        state.jobs.complete(job, event.time, Basis::Observed);
    } else if (state.jobs.find(request->key) == no_job) {
        state.jobs.unseen_completion(request->engine.ring, event.trace, event.time);
    }
}

/// submit_notify(): nothing it depends on is open any more.
template <bool is_gem_event> void on_submit(I915& state, const trace::RawEvent& event)
{
    const auto request = find_request(state, event, is_gem_event);
    const JobIndex job = request ? state.jobs.find_open(request->key) : no_job;
    if (job != no_job && !state.jobs.at(job).job.runnable) {
        state.jobs.at(job).job.runnable = event.time;
    }
}

template <bool is_gem_event> void on_execute(I915& state, const trace::RawEvent& event)
{
    const auto request = find_request(state, event, is_gem_event);
    if (!request) {
        return;
    }
    state.jobs.note_seen(event.trace, state.execute);
    const JobIndex job = on_i915_execute(state, event.time, *request);
    if (job != no_job) {
        note_number(state, event, request->engine, job);
    }
}

template <bool is_gem_event> void on_in(I915& state, const trace::RawEvent& event)
{
    const auto request = find_request(state, event, is_gem_event);
    if (!request) {
        return;
    }
    state.jobs.note_seen(event.trace, state.in);
    // the field went with v5.5
    request->engine.outs_each = find_unsigned(event, field::Class).has_value() &&
                                !find_unsigned(event, field::HardwareId).has_value();
    const JobIndex job =
        on_i915_in(state, event.time, *request, find_unsigned(event, field::Port).value_or(0));
    if (job != no_job) {
        note_number(state, event, request->engine, job);
    }
}

void on_guc_submit(I915& state, const trace::RawEvent& event)
{
    if (const auto request = find_request(state, event, false)) {
        state.jobs.note_seen(event.trace, state.guc_submit);
        on_i915_guc_submit(state, event.time, *request);
    }
}

/// Before v4.18 it had no `completed` and came only for complete requests
/// (process_csb() asserted it).
template <bool is_gem_event> void on_out(I915& state, const trace::RawEvent& event)
{
    if (const auto request = find_request(state, event, is_gem_event)) {
        state.jobs.note_seen(event.trace, state.out);
        const auto asked = find_unsigned(event, field::CompletedAsked);
        const bool is_complete =
            asked ? *asked != 0 : find_unsigned(event, field::Completed).value_or(1) != 0;
        on_i915_out(state, event.time, *request, is_complete);
    }
}

/// i915_request_retire(), any time after completion. The signal or `out` may
/// still follow; if none does, the end stays unknown.
template <bool is_gem_event> void on_retire(I915& state, const trace::RawEvent& event)
{
    auto& retired = state.engines.retired;
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
        if (state.has_signals(event.trace) || request->key.space == state.number) {
            state.jobs.at(job).job.completed_by = event.time; // its fence is signaled by then
        }
        retired.push_back({state.jobs.jobs().ref(job), event.time});
    }
}

/// notify_ring() and gen8_cs_irq_handler() up to v5.0: the engine has completed
/// all up to this number of its own.
void on_notify(I915& state, const trace::RawEvent& event)
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
                state.requests.of(job).global_seqno != first.global) {
                continue;
            }
            if (state.requests.of(job).executed) {
                submit_i915(state, job, *state.requests.of(job).executed, engine.ring);
            }
            if (first.global != low_half(*seqno) &&
                state.jobs.is_lost_on_ring_since(state.jobs.at(job),
                                                 state.jobs.at(job).last_event)) {
                state.jobs.give_up(job, Anomaly::CompletionNeverSeen); // its own may be lost
            } else {
                state.jobs.complete(job, event.time, Basis::Observed);
            }
        }
    }
}

template <bool is_gem_event> void on_wait_begin(I915& state, const trace::RawEvent& event)
{
    if (const auto request = find_request(state, event, is_gem_event)) {
        state.jobs.note_ring(request->key, request->engine.ring);
        state.waits.on_begin(event.time, state.actor_of(event), request->key, state.wait_source,
                             {"i915", {}});
    }
}

template <bool is_gem_event> void on_wait_end(I915& state, const trace::RawEvent& event)
{
    if (const auto request = find_request(state, event, is_gem_event)) {
        state.jobs.note_ring(request->key, request->engine.ring);
        state.waits.on_end(event.time, state.threads.tid_of(event), request->key,
                           state.wait_source);
    }
}

bool is_pci_name(std::string_view text)
{
    return text.size() == 12 && text[4] == ':' && text[7] == ':' && text[10] == '.';
}

/// xe's hardware fences bear a PCI name too; only i915's timelines are called
/// after a process, or "signaled" once they are (i915_fence_get_timeline_name()).
bool is_i915_timeline(std::string_view text)
{
    return (!text.empty() && text.back() == ']') || text == "signaled";
}

/// i915_fence_get_driver_name() since v5.6: the PCI name.
bool is_own_fence(std::string_view driver, std::string_view timeline)
{
    return is_pci_name(driver) && is_i915_timeline(timeline);
}

/// i915 calls the timeline of a user's context comm[pid], i915_gem_context.c.
Actor actor_of_timeline(I915& state, std::string_view timeline)
{
    Actor actor;
    const std::size_t open = timeline.rfind('[');
    if (open == std::string_view::npos || open == 0) {
        return actor;
    }
    const char* const end = timeline.data() + timeline.size() - 1;
    std::int64_t pid = 0;
    const auto parsed = std::from_chars(timeline.data() + open + 1, end, pid);
    if (parsed.ec == std::errc{} && parsed.ptr == end) {
        actor.pid = Pid{pid};
        actor.comm = state.texts.of(timeline.substr(0, open));
    }
    return actor;
}

/// __i915_request_create(). The fence does not say the engine.
void on_i915_fence(I915& state, const FenceEvent& fence)
{
    if (state.jobs.has_seen(fence.event.trace, state.told_by())) {
        return;
    }
    const std::string_view device = is_pci_name(fence.driver) ? fence.driver : "";
    const RingId ring = state.rings.intern(fence.event.trace, device, "");
    state.rings.set_driver(ring, "i915");
    state.rings.at(ring).is_fifo = false;
    const JobIndex job = open_fence_job(state, fence, state.told_by(), ring,
                                        actor_of_timeline(state, fence.timeline));
    if (job != no_job) {
        state.jobs.at(job).job.queued = fence.event.time;
    }
}

constexpr std::array<EventSpec, 23> events{{
    {"i915_request_queue", field::names, handler<on_queue<&I915::queue, false>>},
    {"i915_request_add", field::names, handler<on_queue<&I915::add, false>>},
    {"i915_request_submit", field::names, handler<on_submit<false>>},
    {"i915_request_execute", field::names, handler<on_execute<false>>},
    {"i915_request_in", field::names, handler<on_in<false>>},
    {"i915_request_guc_submit", field::names, handler<on_guc_submit>},
    {"i915_request_out", field::names, handler<on_out<false>>},
    {"i915_request_retire", field::names, handler<on_retire<false>>},
    {"i915_request_wait_begin", field::names, handler<on_wait_begin<false>>},
    {"i915_request_wait_end", field::names, handler<on_wait_end<false>>},
    {"i915_gem_request_queue", field::names, handler<on_queue<&I915::queue, true>>},
    {"i915_gem_request_add", field::names, handler<on_queue<&I915::add, true>>},
    {"i915_gem_request_submit", field::names, handler<on_submit<true>>},
    {"i915_gem_request_execute", field::names, handler<on_execute<true>>},
    {"i915_gem_request_in", field::names, handler<on_in<true>>},
    {"i915_gem_request_out", field::names, handler<on_out<true>>},
    {"i915_gem_request_retire", field::names, handler<on_retire<true>>},
    {"i915_gem_request_wait_begin", field::names, handler<on_wait_begin<true>>},
    {"i915_gem_request_wait_end", field::names, handler<on_wait_end<true>>},
    {"i915_gem_ring_dispatch", field::names, handler<on_queue<&I915::queue, true>>},
    {"i915_gem_request_complete", field::names, handler<on_complete>},
    {"i915_gem_request_notify", field::names, handler<on_complete>},
    {"intel_engine_notify", field::names, handler<on_notify>},
}};
constexpr std::array<FenceSpec, 2> fences{{
    {"i915", fence_handler<on_i915_fence>, nullptr, FenceOwner::Job}, // before v5.6
    {"", fence_handler<on_i915_fence>, nullptr, FenceOwner::Job, is_own_fence},
}};

} // namespace

EventFamily i915_family()
{
    return {"i915",
            events,
            fences,
            make_state<I915>,
            false,
            "host queue: fences, and until i915 submits it; device queue: behind others of the "
            "engine"};
}

} // namespace lttng_gpu::model
