// SPDX-License-Identifier: MIT
//
// Trace system lttng_gpu_opencl: what the OpenCL layer records in the application
// (docs/opencl-events.md). Values that end in _ns are the own nanoseconds of the
// trace's clock; where its offset is unknown they are of no use and left out.
#include "event_family.hpp"

#include "opencl/function_names.hpp"
#include "opencl/opencl_jobs.hpp"

#include <fmt/format.h>

namespace lttng_gpu::model {
namespace {

namespace enqueue {
enum : std::size_t { Command, Queue, Begin, Type, Blocking, WaitsFor, Name };
constexpr std::array<std::string_view, 7> names{"command",  "queue",     "begin_ns", "type",
                                                "blocking", "waits_for", "name"};
} // namespace enqueue

namespace times {
enum : std::size_t { Command, Queue, Type, Status, Validity, Queued, Submit, Start, End, Observed };
constexpr std::array<std::string_view, 10> names{"command",  "queue",      "type",   "status",
                                                 "validity", "queued",     "submit", "start",
                                                 "end",      "observed_ns"};
} // namespace times

namespace device {
enum : std::size_t { Handle, Parent, Name, Resolution };
constexpr std::array<std::string_view, 4> names{"device", "parent", "name", "timer_resolution"};
} // namespace device

namespace queue {
enum : std::size_t { Handle, Context, Device, Properties, Profiling };
constexpr std::array<std::string_view, 5> names{"queue", "context", "device", "properties",
                                                "profiling"};
constexpr std::uint64_t profiling_off = 0;
} // namespace queue

namespace clock_reading {
enum : std::size_t { Device, DeviceTime, Before, After };
constexpr std::array<std::string_view, 4> names{"device", "device_time", "before_ns", "after_ns"};
} // namespace clock_reading

namespace object {
/// The first two are where they are in call_names.
enum : std::size_t { Function, Begin, Handle, Kind, Result };
constexpr std::array<std::string_view, 5> names{"function", "begin_ns", "object", "kind", "result"};
constexpr std::uint64_t kind_queue = 2;
} // namespace object

constexpr std::array<std::string_view, 3> untimed_names{"queue", "count", "reason"};
constexpr std::array<std::string_view, 2> status_names{"command", "status"};
/// Of retaining and releasing, too: the event is that of the call.
constexpr std::array<std::string_view, 2> call_names{"function", "begin_ns"};
constexpr std::array<std::string_view, 1> call_begin_names{"function"};

class OpenClEvents : public FamilyState {
public:
    explicit OpenClEvents(EventContext& context)
        : FamilyState{context}, clock_offsets{context.clock_offsets}, x_context{context}
    {
    }

    PerTrace<std::optional<Duration>>& clock_offsets;

    /// Made by the first event of OpenCL; traces without any pay nothing.
    OpenClJobs& opencl()
    {
        if (!x_opencl) {
            x_opencl = std::make_unique<OpenClJobs>(rings, anomalies, jobs, x_context.clocks,
                                                    x_context.sink, x_context.strings);
        }
        return *x_opencl;
    }

    void on_loss(const trace::Loss& loss) override
    {
        if (x_opencl) {
            x_opencl->on_loss(loss.trace);
        }
    }
    void release(Timestamp now) override
    {
        if (x_opencl) {
            x_opencl->release(now);
        }
    }
    void finish() override
    {
        if (x_opencl) {
            x_opencl->finish();
        }
    }

private:
    EventContext& x_context;
    std::unique_ptr<OpenClJobs> x_opencl;
};

/// A moment inside an event as a time of the trace.
std::optional<Timestamp> find_moment(OpenClEvents& state, const trace::RawEvent& event,
                                     std::size_t field)
{
    const auto value = find_unsigned(event, field);
    const auto offset = state.clock_offsets[event.trace];
    std::int64_t moment = 0;
    if (!value || *value == 0 || !offset ||
        __builtin_add_overflow(*value, offset->value(), &moment)) {
        return {};
    }
    return Timestamp{moment};
}

StringId call_name(OpenClEvents& state, const trace::RawEvent& event, std::uint64_t type)
{
    const std::string_view function = opencl_enqueue_name(type);
    const std::string_view kernel = find_text(event, enqueue::Name);
    if (function.empty()) {
        return state.texts.of(fmt::format("OpenCL command {:#x}", type));
    }
    return state.texts.of(kernel.empty() ? std::string{function}
                                         : fmt::format("{}({})", function, kernel));
}

void on_enqueue(OpenClEvents& state, const trace::RawEvent& event)
{
    const auto number = find_unsigned(event, enqueue::Command);
    const auto queue = find_unsigned(event, enqueue::Queue);
    if (!number || *number == 0 || !queue) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    CommandEnqueued enqueued;
    enqueued.command = *number;
    enqueued.queue = *queue;
    enqueued.type = find_unsigned(event, enqueue::Type).value_or(0);
    enqueued.begin = find_moment(state, event, enqueue::Begin);
    enqueued.returned = event.time;
    enqueued.is_blocking = find_unsigned(event, enqueue::Blocking).value_or(0) != 0;
    enqueued.actor = state.actor_of(event);
    enqueued.api_call = call_name(state, event, enqueued.type);
    const trace::NumberList waits = event.fields[enqueue::WaitsFor].as_numbers();
    for (std::size_t index = 0; index < waits.size(); ++index) {
        if (waits[index] != 0) {
            enqueued.waits_for.push_back(waits[index]);
        }
    }
    state.opencl().on_enqueue(event.trace, enqueued);
}

/// The commands of one event share their outcome.
void on_times(OpenClEvents& state, const trace::RawEvent& event)
{
    const auto queue = find_unsigned(event, times::Queue);
    const trace::NumberList commands = event.fields[times::Command].as_numbers();
    const trace::NumberList types = event.fields[times::Type].as_numbers();
    std::array<trace::NumberList, 4> stages;
    bool is_whole = queue && commands.size() != 0;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        stages[stage] = event.fields[times::Queued + stage].as_numbers();
        is_whole = is_whole && stages[stage].size() == commands.size();
    }
    if (!is_whole) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    CommandReported reported;
    reported.queue = *queue;
    reported.has_failed = find_signed(event, times::Status).value_or(0) < 0;
    reported.validity = static_cast<TimesValidity>(
        std::min<std::uint64_t>(find_unsigned(event, times::Validity).value_or(1), 3));
    reported.observed = find_moment(state, event, times::Observed);
    reported.seen = event.time;
    reported.actor = state.actor_of(event);
    for (std::size_t index = 0; index < commands.size(); ++index) {
        if (commands[index] == 0) {
            state.anomalies.count(Anomaly::EventWithoutIdentity);
            continue;
        }
        reported.command = commands[index];
        reported.type = index < types.size() ? types[index] : 0;
        for (std::size_t stage = 0; stage < stages.size(); ++stage) {
            reported.device[stage] = stages[stage][index];
        }
        state.opencl().on_times(event.trace, reported);
    }
}

void on_untimed(OpenClEvents& state, const trace::RawEvent& event)
{
    state.opencl().on_untimed(event.trace, state.actor_of(event).pid,
                              find_unsigned(event, 0).value_or(0),
                              find_unsigned(event, 1).value_or(0));
}

void on_user_event(OpenClEvents& state, const trace::RawEvent& event)
{
    if (const auto number = find_unsigned(event, 0)) {
        state.opencl().on_user_event(event.trace, state.actor_of(event).pid, *number, event.time);
    }
}

void on_call(OpenClEvents& state, const trace::RawEvent& event)
{
    const auto function = find_unsigned(event, 0);
    const auto begin = find_moment(state, event, 1);
    if (!function || !begin) {
        return;
    }
    const Actor actor = state.actor_of(event);
    state.opencl().on_call(actor, *begin, event.time,
                           state.texts.of(opencl_function_name(*function)),
                           is_opencl_wait(*function));
}

void on_call_begin(OpenClEvents& state, const trace::RawEvent& event)
{
    state.opencl().on_call_begin(state.actor_of(event), event.time);
}

void on_device(OpenClEvents& state, const trace::RawEvent& event)
{
    const auto handle = find_unsigned(event, device::Handle);
    if (!handle) {
        return;
    }
    const auto resolution = find_unsigned(event, device::Resolution).value_or(0);
    state.opencl()
        .objects(event.trace, state.actor_of(event).pid)
        .describe_device(*handle, find_text(event, device::Name),
                         find_unsigned(event, device::Parent).value_or(0),
                         static_cast<std::int64_t>(std::min<std::uint64_t>(resolution, INT64_MAX)));
}

void on_queue(OpenClEvents& state, const trace::RawEvent& event)
{
    const auto handle = find_unsigned(event, queue::Handle);
    if (!handle) {
        return;
    }
    OpenClQueue described;
    described.device = find_unsigned(event, queue::Device).value_or(0);
    described.context = find_unsigned(event, queue::Context).value_or(0);
    described.properties = find_unsigned(event, queue::Properties).value_or(0);
    described.is_timed = find_unsigned(event, queue::Profiling) != queue::profiling_off;
    state.opencl()
        .objects(event.trace, state.actor_of(event).pid)
        .describe_queue(*handle, described);
}

void on_device_clock(OpenClEvents& state, const trace::RawEvent& event)
{
    const auto handle = find_unsigned(event, clock_reading::Device);
    const auto time = find_unsigned(event, clock_reading::DeviceTime);
    if (handle && time && *time != 0) {
        state.opencl().on_device_clock(event.trace, state.actor_of(event).pid, *handle,
                                       {*time, find_moment(state, event, clock_reading::Before),
                                        find_moment(state, event, clock_reading::After)},
                                       event.time);
    }
}

void change_references(OpenClEvents& state, const trace::RawEvent& event, std::int64_t change)
{
    if (find_unsigned(event, object::Kind) == object::kind_queue &&
        find_signed(event, object::Result) == 0) {
        state.opencl()
            .objects(event.trace, state.actor_of(event).pid)
            .retain_queue(find_unsigned(event, object::Handle).value_or(0), change);
    }
}

void on_retain(OpenClEvents& state, const trace::RawEvent& event)
{
    on_call(state, event);
    change_references(state, event, 1);
}

void on_release(OpenClEvents& state, const trace::RawEvent& event)
{
    on_call(state, event);
    change_references(state, event, -1);
}

constexpr std::array<EventSpec, 13> events{{
    {"lttng_gpu_opencl:kernel_enqueue", enqueue::names, handler<on_enqueue>},
    // The position of the name is there in all of them, empty.
    {"lttng_gpu_opencl:transfer_enqueue", enqueue::names, handler<on_enqueue>},
    {"lttng_gpu_opencl:command_enqueue", enqueue::names, handler<on_enqueue>},
    {"lttng_gpu_opencl:command_times", times::names, handler<on_times>},
    {"lttng_gpu_opencl:commands_untimed", untimed_names, handler<on_untimed>},
    {"lttng_gpu_opencl:user_event_status", status_names, handler<on_user_event>},
    {"lttng_gpu_opencl:call", call_names, handler<on_call>},
    {"lttng_gpu_opencl:call_begin", call_begin_names, handler<on_call_begin>},
    {"lttng_gpu_opencl:device", device::names, handler<on_device>},
    {"lttng_gpu_opencl:queue", queue::names, handler<on_queue>},
    {"lttng_gpu_opencl:device_clock", clock_reading::names, handler<on_device_clock>},
    {"lttng_gpu_opencl:object_retain", object::names, handler<on_retain>},
    {"lttng_gpu_opencl:object_release", object::names, handler<on_release>},
}};

} // namespace

EventFamily opencl_family()
{
    return {"opencl", events, {}, make_state<OpenClEvents>, true};
}

} // namespace lttng_gpu::model
