// SPDX-License-Identifier: MIT
//
// Trace systems rocm_hsa and rocm_hip: LTTng providers that ROCm proposes for its own libraries
// (schema 1, docs/hsa-events.md). They tell when HIP was asked for a kernel, when a packet was
// written and when its doorbell rang, but not when the device ran it. A packet is known by its
// queue's number and its index in it.
#include "common_events.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace lttng_gpu::model {
namespace {

constexpr ApiTraits hsa{*find_api("hsa"), {}};

/// A packet that was written, or a kernel that HIP was asked for, whose doorbell has not rung.
struct Written {
    Actor actor;
    Timestamp queued;
    std::string kernel; // empty: not told
    std::string_view type{"packet"};
};

struct OpenCall {
    Timestamp begin;
    std::size_t function = 0;
};

class RocmEvents : public ApiEvents {
public:
    using ApiEvents::ApiEvents;

    std::map<ApiProcess, std::map<std::pair<std::uint64_t, std::uint64_t>, Written>> written;
    /// What the thread asked HIP for last.
    PerThread<std::optional<Written>> asked;
    PerThread<std::optional<OpenCall>> calls;
};

/// Of a program whose doorbells are not recorded.
constexpr std::size_t most_written = 65536;

namespace dispatch {
enum : std::size_t { Kernel };
constexpr std::array<std::string_view, 1> names{"kernel_name"};
} // namespace dispatch

namespace submit {
enum : std::size_t { Queue, Index };
constexpr std::array<std::string_view, 2> names{"queue_id", "write_idx"};
} // namespace submit

namespace intercept {
enum : std::size_t { Queue, Index, Count, Type };
constexpr std::array<std::string_view, 4> names{"queue_id", "pkt_index", "pkt_count",
                                                "packet_type"};
} // namespace intercept

namespace doorbell {
enum : std::size_t { Queue, Index, Type };
constexpr std::array<std::string_view, 3> names{"queue_id", "write_idx", "packet_type"};
} // namespace doorbell

constexpr std::array<std::string_view, 1> call_names{"phase"};

std::string_view type_name(std::optional<std::uint64_t> type)
{
    constexpr std::array<std::string_view, 6> known{"vendor_specific", "invalid",
                                                    "kernel_dispatch", "barrier_and",
                                                    "agent_dispatch",  "barrier_or"};
    return type && *type < known.size() ? known[*type] : "packet";
}

RocmEvents& rocm(ApiEvents& state)
{
    return static_cast<RocmEvents&>(state);
}

/// Queues are numbered from 0 in a process, and so are packets in a queue.
std::uint64_t command_of(std::uint64_t queue, std::uint64_t index)
{
    return ((queue + 1) << 40U) | (index + 1);
}

void add_written(RocmEvents& state, const trace::RawEvent& event, std::uint64_t queue,
                 std::uint64_t index, Written written)
{
    auto& of_process = state.written[process_of(hsa, state, event, written.actor)];
    if (of_process.size() == most_written) {
        of_process.erase(of_process.begin());
        state.anomalies.count(Anomaly::CommandForgotten);
    }
    // Written by HIP, and then seen by the runtime: the earlier event says more.
    of_process.try_emplace({queue, index}, std::move(written));
}

void on_dispatch(ApiEvents& events, const trace::RawEvent& event)
{
    RocmEvents& state = rocm(events);
    if (auto* const asked = state.note_of(state.asked, event)) {
        *asked = Written{state.actor_of(event), event.time,
                         std::string{find_text(event, dispatch::Kernel)}, "kernel_dispatch"};
    }
}

void on_submit(ApiEvents& events, const trace::RawEvent& event)
{
    RocmEvents& state = rocm(events);
    const auto queue = find_unsigned(event, submit::Queue);
    const auto index = find_unsigned(event, submit::Index);
    if (!queue || !index) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    Written written{state.actor_of(event), event.time, {}, "kernel_dispatch"};
    auto* const asked = state.find_note(state.asked, event);
    if (asked != nullptr && *asked) {
        written = std::move(**asked);
        asked->reset();
    }
    add_written(state, event, *queue, *index, std::move(written));
}

void on_intercept(ApiEvents& events, const trace::RawEvent& event)
{
    RocmEvents& state = rocm(events);
    const auto queue = find_unsigned(event, intercept::Queue);
    const auto index = find_unsigned(event, intercept::Index);
    if (!queue || !index) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    const std::uint64_t count =
        std::min<std::uint64_t>(find_unsigned(event, intercept::Count).value_or(1), most_written);
    const std::string_view type = type_name(find_unsigned(event, intercept::Type));
    for (std::uint64_t packet = 0; packet < count; ++packet) {
        add_written(state, event, *queue, *index + packet,
                    {state.actor_of(event), event.time, {}, type});
    }
}

void enqueue(RocmEvents& state, const trace::RawEvent& event, const ApiProcess& process,
             std::uint64_t queue, std::uint64_t index, const Written& written)
{
    CommandEnqueued enqueued;
    enqueued.command = command_of(queue, index);
    enqueued.queue = queue;
    enqueued.returned = event.time;
    enqueued.actor = written.actor;
    enqueued.api_call = state.texts.of(fmt::format(
        "hsa_doorbell_ring({})", written.kernel.empty() ? written.type : written.kernel));
    enqueued.queued = std::min(written.queued, event.time);
    enqueued.submitted = event.time;
    enqueued.is_timed = false; // no event of the schema has them
    state.api().on_enqueue(process, enqueued);
}

/// All packets up to that index are the device's.
void on_doorbell(ApiEvents& events, const trace::RawEvent& event)
{
    RocmEvents& state = rocm(events);
    const auto queue = find_unsigned(event, doorbell::Queue);
    const auto index = find_signed(event, doorbell::Index);
    if (!queue || !index || *index < 0) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    const auto last = static_cast<std::uint64_t>(*index);
    const Actor actor = state.actor_of(event);
    const ApiProcess process = process_of(hsa, state, event, actor);
    auto& of_process = state.written[process];
    // Only the doorbell is recorded.
    const std::string_view type = type_name(find_unsigned(event, doorbell::Type));
    of_process.try_emplace({*queue, last}, Written{actor, event.time, {}, type});
    const auto begin = of_process.lower_bound({*queue, 0});
    const auto end = of_process.upper_bound({*queue, last});
    for (auto packet = begin; packet != end; ++packet) {
        enqueue(state, event, process, *queue, packet->first.second, packet->second);
    }
    of_process.erase(begin, end);
}

/// Of the many functions, those that wait, and those that give the device work.
struct Function {
    std::string_view event;
    std::string_view name;
    bool is_wait;
};
constexpr std::array<Function, 12> functions{{
    {"rocm_hsa:hsa_signal_wait_scacquire", "hsa_signal_wait_scacquire", true},
    {"rocm_hsa:hsa_signal_wait_relaxed", "hsa_signal_wait_relaxed", true},
    {"rocm_hsa:hsa_amd_signal_wait_any", "hsa_amd_signal_wait_any", true},
    {"rocm_hsa:hsa_queue_create", "hsa_queue_create", false},
    {"rocm_hsa:hsa_queue_destroy", "hsa_queue_destroy", false},
    {"rocm_hsa:hsa_amd_memory_async_copy", "hsa_amd_memory_async_copy", false},
    {"rocm_hip:hipDeviceSynchronize", "hipDeviceSynchronize", true},
    {"rocm_hip:hipStreamSynchronize", "hipStreamSynchronize", true},
    {"rocm_hip:hipEventSynchronize", "hipEventSynchronize", true},
    {"rocm_hip:hipLaunchKernel", "hipLaunchKernel", false},
    {"rocm_hip:hipModuleLaunchKernel", "hipModuleLaunchKernel", false},
    {"rocm_hip:hipMemcpy", "hipMemcpy", false},
}};

/// A call is two events: phase 0 is its beginning, 1 its end.
template <std::size_t function> void on_rocm_call(ApiEvents& events, const trace::RawEvent& event)
{
    RocmEvents& state = rocm(events);
    const Actor actor = state.actor_of(event);
    auto* const open = state.note_of(state.calls, event);
    if (open == nullptr) {
        return;
    }
    if (find_unsigned(event, 0).value_or(0) == 0) {
        *open = OpenCall{event.time, function};
        state.api().on_call_begin(actor, event.time);
    } else if (*open && (*open)->function == function) {
        const Function& called = functions[function];
        state.api().on_call(process_of(hsa, state, event, actor),
                            {actor, (*open)->begin, event.time,
                             state.texts.of(std::string{called.name}), called.is_wait, 0});
        open->reset();
    }
}

template <void (*function)(ApiEvents&, const trace::RawEvent&)>
void handle(FamilyState& state, const trace::RawEvent& event)
{
    function(static_cast<ApiEvents&>(state), event);
}

template <std::size_t... number>
constexpr std::array<EventSpec, 4 + sizeof...(number)> all_events(std::index_sequence<number...>)
{
    return {{{"rocm_hip:hip_kernel_dispatch_enqueue", dispatch::names, handle<on_dispatch>},
             {"rocm_hip:hip_aql_kernel_dispatch_submit", submit::names, handle<on_submit>},
             {"rocm_hsa:hsa_intercept_packets", intercept::names, handle<on_intercept>},
             {"rocm_hsa:hsa_doorbell_ring", doorbell::names, handle<on_doorbell>},
             {functions[number].event, call_names, handle<on_rocm_call<number>>}...}};
}

constexpr auto events = all_events(std::make_index_sequence<functions.size()>{});

} // namespace

EventFamily rocm_family()
{
    return {"rocm", events, {}, make_state<RocmEvents>};
}

} // namespace lttng_gpu::model
