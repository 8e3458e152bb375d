// SPDX-License-Identifier: MIT
//
// See source.hpp. What is told of losses is in losses.cpp.
#include "source.hpp"

#include "event_fields.hpp"

#include "perfetto.pb.h"

#include <algorithm>
#include <array>

namespace lttng_gpu::trace::perfetto {
namespace {

namespace proto = lttng_gpu::perfetto;

constexpr std::size_t events_at_once = 4096;

/// Where an event has the id and the name of a thread.
struct NamedThread {
    std::uint32_t event = 0;
    std::uint32_t tid = 0;
    std::uint32_t comm = 0;
};
using Event = proto::FtraceEvent;
constexpr std::array<NamedThread, 5> named_threads{{
    {Event::kSchedSwitchFieldNumber, proto::SchedSwitch::kPrevPidFieldNumber,
     proto::SchedSwitch::kPrevCommFieldNumber},
    {Event::kSchedSwitchFieldNumber, proto::SchedSwitch::kNextPidFieldNumber,
     proto::SchedSwitch::kNextCommFieldNumber},
    {Event::kSchedProcessForkFieldNumber, proto::SchedProcessFork::kChildPidFieldNumber,
     proto::SchedProcessFork::kChildCommFieldNumber},
    {Event::kTaskNewtaskFieldNumber, proto::TaskNewtask::kPidFieldNumber,
     proto::TaskNewtask::kCommFieldNumber},
    {Event::kTaskRenameFieldNumber, proto::TaskRename::kPidFieldNumber,
     proto::TaskRename::kNewcommFieldNumber},
}};

bool tells_names(std::uint32_t event)
{
    return std::any_of(named_threads.begin(), named_threads.end(),
                       [&](const NamedThread& named) { return named.event == event; });
}

/// From a lane's ticks to the time that is shown; nothing when its clock tells no time.
std::optional<std::int64_t> offset_of(const Sequence& sequence,
                                      std::optional<std::int64_t> boot_to_epoch)
{
    std::int64_t offset = 0;
    if (!sequence.counts_nanoseconds ||
        __builtin_add_overflow(sequence.to_boot_time, boot_to_epoch.value_or(0), &offset)) {
        return {};
    }
    return offset;
}

} // namespace

Expected<std::unique_ptr<EventSource>> PerfettoSource::open(ftrace::File file,
                                                            const std::vector<WantedEvent>& wanted)
{
    TraceIndex index = make_index(file);
    std::unique_ptr<PerfettoSource> source{
        new PerfettoSource{std::move(file), std::move(index), wanted}};
    source->add_lanes();
    return source;
}

PerfettoSource::PerfettoSource(ftrace::File file, TraceIndex index,
                               const std::vector<WantedEvent>& wanted)
    : m_file{std::move(file)}, m_index{std::move(index)}, m_places{m_file}, m_plans{
                                                                                wanted,
                                                                                m_index.sequences}
{
    m_totals.events = m_index.foreign_events;
    m_totals.events_without_clock = m_index.foreign_events;
}

void PerfettoSource::add_lanes()
{
    m_lanes.reserve(m_index.lanes.size());
    for (const LaneIndex& index : m_index.lanes) {
        const Sequence& sequence = m_index.sequences[index.sequence];
        Lane& lane = m_lanes.emplace_back(index, m_places);
        lane.offset = offset_of(sequence, m_index.boot_to_epoch);
        if (const auto lost = sequence.lost.find(index.cpu); lost != sequence.lost.end()) {
            lane.lost = lost->second;
        }
        for (const BundlePlace& bundle : index.bundles) {
            const Place& place = bundle.place;
            m_bytes += place.packing == Packing::None ? place.size : place.inner_size;
        }
    }
}

std::vector<std::pair<TraceId, TraceFacts>> PerfettoSource::trace_facts() const
{
    TraceFacts facts;
    facts.kernel_release = m_index.kernel_release;
    return {{TraceId{}, std::move(facts)}};
}

/// Of events that the trace describes; others are not known before they come.
bool PerfettoSource::has_event(std::string_view name) const
{
    return std::any_of(
        m_index.sequences.begin(), m_index.sequences.end(), [&](const Sequence& sequence) {
            return std::any_of(sequence.forms.begin(), sequence.forms.end(),
                               [&](const auto& form) { return form.second.name == name; });
        });
}

std::optional<double> PerfettoSource::progress() const
{
    std::uint64_t read = 0;
    for (const Lane& lane : m_lanes) {
        read += lane.stream.bytes_read();
    }
    return m_bytes == 0 ? 1.0 : static_cast<double>(read) / static_cast<double>(m_bytes);
}

std::optional<Timestamp> PerfettoSource::time_of(const Lane& lane, std::uint64_t ticks)
{
    std::int64_t nanoseconds = 0;
    if (!lane.offset || ticks > INT64_MAX ||
        __builtin_add_overflow(static_cast<std::int64_t>(ticks), *lane.offset, &nanoseconds)) {
        return {};
    }
    return Timestamp{nanoseconds};
}

/// Goes on to the lane's next event that has a time. False at its end.
bool PerfettoSource::advance(std::size_t number)
{
    Lane& lane = m_lanes[number];
    while (lane.stream.next(lane.event)) {
        const auto time = lane.event.ticks ? time_of(lane, *lane.event.ticks) : std::nullopt;
        if (time) {
            lane.time = *time;
            m_heap.push(*time, number);
            return true;
        }
        ++m_totals.events;
        ++m_totals.events_without_clock;
    }
    return false;
}

Expected<bool> PerfettoSource::read_some(EventConsumer& consumer)
{
    if (!m_is_started) {
        m_is_started = true;
        for (std::size_t number = 0; number < m_lanes.size(); ++number) {
            advance(number);
        }
        if (!m_heap.is_empty()) {
            m_totals.first = m_heap.earliest();
        }
    }
    for (std::size_t count = 0; count < events_at_once; ++count) {
        if (m_heap.is_empty()) {
            return finish(consumer);
        }
        const std::size_t number = m_heap.pop().second;
        Lane& lane = m_lanes[number];
        take(lane, consumer);
        if (!advance(number)) {
            end_lane(lane, consumer);
        }
    }
    return true;
}

void PerfettoSource::take(Lane& lane, EventConsumer& consumer)
{
    m_totals.events += 1 + lane.stream.take_others();
    if (const auto head = lane.stream.take_head()) {
        tell_gaps(lane, *head, consumer);
    }
    tell_unparsed(lane, lane.time, consumer);
    lane.last = lane.has_begun ? std::max(lane.last, lane.time) : lane.time;
    lane.has_begun = true;
    m_totals.last = std::max(m_totals.last.value_or(lane.time), lane.time);
    m_coverage.note(lane.index->cpu, lane.time);
    if (const EventPlan* plan = decode(lane)) {
        hand_out(lane, *plan, consumer);
    }
}

/// The event's fields as they stand there, and what is wanted of them; null when nobody wants it.
const EventPlan* PerfettoSource::decode(const Lane& lane)
{
    const LaneEvent& event = lane.event;
    if (event.number == proto::FtraceEvent::kGenericFieldNumber) {
        const std::string_view name = read_generic(event.body, m_wire, m_forms);
        return m_plans.find_generic(name, m_forms);
    }
    const EventPlan* plan = m_plans.find(lane.index->sequence, event.number);
    const bool has_names = tells_names(event.number);
    if (plan == nullptr && !has_names) {
        m_undescribed += m_plans.is_known(lane.index->sequence, event.number) ? 0 : 1;
        return nullptr;
    }
    if (event.compact) {
        lane.stream.compact().get(*event.compact, m_wire);
    } else {
        read_fields(event.body, m_wire);
    }
    if (has_names) {
        note_names(event.number);
    }
    return plan;
}

/// From then on the thread is known by that name.
void PerfettoSource::note_names(std::uint32_t event)
{
    for (const NamedThread& named : named_threads) {
        const WireField* tid = named.event == event ? find_field(m_wire, named.tid) : nullptr;
        const WireField* comm = tid != nullptr ? find_field(m_wire, named.comm) : nullptr;
        if (comm != nullptr) {
            m_index.threads.saw(static_cast<std::int64_t>(tid->value), as_text(comm->bytes));
        }
    }
}

void PerfettoSource::hand_out(const Lane& lane, const EventPlan& plan, EventConsumer& consumer)
{
    if (m_handed_out && lane.time < *m_handed_out) { // the CPU's clock went back
        ++m_totals.events_out_of_order;
        return;
    }
    m_handed_out = lane.time;
    m_values.assign(plan.size, FieldValue{});
    for (const EventPlan::Slot& slot : plan.slots) {
        if (const WireField* field = find_field(m_wire, slot.number)) {
            m_values[slot.place] = value_of(*field, slot.kind);
        }
    }
    for (const std::size_t place : plan.name_places) {
        m_values[place] = FieldValue{std::string_view{plan.name}};
    }
    consumer.on_event(
        {lane.time, {}, Cpu{lane.index->cpu}, plan.wanted, m_values, context_of(lane)});
}

ContextValues PerfettoSource::context_of(const Lane& lane) const
{
    ContextValues context;
    if (!lane.event.tid) {
        return context;
    }
    const auto tid = static_cast<std::int32_t>(*lane.event.tid);
    context.tid = FieldValue{std::int64_t{tid}};
    const std::int64_t to_boot = m_index.sequences[lane.index->sequence].to_boot_time;
    const std::uint64_t time = *lane.event.ticks + static_cast<std::uint64_t>(to_boot);
    const ThreadNames::Who who = m_index.threads.find(tid, time);
    if (who.process) {
        context.pid = FieldValue{*who.process};
    }
    if (!who.name.empty()) {
        context.procname = FieldValue{who.name};
    }
    return context;
}

} // namespace lttng_gpu::trace::perfetto
