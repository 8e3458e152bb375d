// SPDX-License-Identifier: MIT
//
// See collector.hpp.
#include "collector.hpp"

#include "../base/printable_text.hpp"
#include "launch_times.hpp"
#include "record_reader.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lttng_gpu::device {
namespace {

enum Wanted : std::size_t { Location, Untraced_, Launch, Records, End, Command, Queue };

std::uint64_t number(const trace::RawEvent& event, std::size_t field)
{
    return event.fields[field].as_unsigned_or(0);
}

/// A program may call its kernels anything.
std::string text(const trace::RawEvent& event, std::size_t field)
{
    return printable_text(event.fields[field].as_text());
}

std::vector<std::uint64_t> numbers(const trace::RawEvent& event, std::size_t field)
{
    const trace::NumberList list = event.fields[field].as_numbers();
    std::vector<std::uint64_t> values;
    for (std::size_t place = 0; place < std::min<std::size_t>(list.size(), 3); ++place) {
        values.push_back(list[place]);
    }
    return values;
}

std::pair<std::uint64_t, std::uint64_t> thread_of(const trace::RawEvent& event)
{
    return {event.context.vpid.as_unsigned_or(event.context.pid.as_unsigned_or(0)),
            event.context.vtid.as_unsigned_or(event.context.tid.as_unsigned_or(0))};
}

} // namespace

/// Adds one part's records to their launch.
class Collector::Adder final : public RecordConsumer {
public:
    explicit Adder(Open& open) : m_open{open} {}

    void on_chunk(const Chunk& chunk) override
    {
        if (m_open.launch.has_warps) {
            m_open.warps.on_chunk(chunk);
        }
    }
    void on_record(const Chunk& chunk, const Record& record) override
    {
        const LaunchSum& launch = m_open.launch;
        if (launch.has_warps) {
            m_open.warps.on_record(chunk, record, launch.has_times ? &m_open.locations : nullptr);
        }
        if (record.location == end_location) {
            return;
        }
        ++m_open.launch.records;
        LocationSum& sum = m_open.locations[record.location];
        sum.executions += record.count;
        if (launch.has_warps) {
            sum.lanes += static_cast<std::uint64_t>(std::popcount(record.lanes)) * record.count;
        }
    }

private:
    Open& m_open;
};

std::vector<trace::WantedEvent> Collector::wanted()
{
    const std::string provider = "lttng_gpu_devicetrace:";
    return {{provider + "location", {"program", "location", "line", "column", "kind", "function"}},
            {provider + "untraced", {"reason", "name"}},
            {provider + "launch",
             {"launch", "program", "kernel", "queue", "name", "warps", "times", "device"}},
            {provider + "records", {"launch", "part", "bytes", "words"}},
            {provider + "launch_end",
             {"launch", "parts", "lost", "status", "local_size", "groups", "completed"}},
            {"lttng_gpu_opencl:kernel_enqueue", {"command", "queue", "kernel"}},
            {"lttng_gpu_opencl:queue", {"queue", "device"}}};
}

void Collector::on_event(const trace::RawEvent& event)
{
    switch (event.wanted) {
    case Location:
        on_location(event);
        break;
    case Untraced_:
        on_untraced(event);
        break;
    case Launch:
        on_launch(event);
        break;
    case Records:
        on_records(event);
        break;
    case End:
        on_end(event);
        break;
    case Command:
        on_command(event);
        break;
    case Queue:
        m_devices[{thread_of(event).first, number(event, 0)}] = number(event, 1);
        break;
    default:
        break;
    }
}

void Collector::on_location(const trace::RawEvent& event)
{
    LocationSum location;
    location.line = number(event, 2);
    location.column = number(event, 3);
    location.kind = text(event, 4);
    location.function = text(event, 5);
    m_named[{number(event, 0), static_cast<std::uint32_t>(number(event, 1))}] = location;
}

void Collector::on_untraced(const trace::RawEvent& event)
{
    Untraced& untraced = m_result.untraced[text(event, 0)];
    if (++untraced.count == 1) {
        untraced.example = text(event, 1);
    }
}

void Collector::on_launch(const trace::RawEvent& event)
{
    LaunchSum& launch = m_open[number(event, 0)].launch;
    launch.number = number(event, 0);
    launch.program = number(event, 1);
    launch.pid = static_cast<std::int64_t>(thread_of(event).first);
    launch.queue = number(event, 3);
    launch.device = number(event, 7);
    const auto known = m_devices.find({thread_of(event).first, launch.queue});
    if (launch.device == 0 && known != m_devices.end()) { // of an older recording
        launch.device = known->second;
    }
    launch.name = text(event, 4);
    launch.has_warps = number(event, 5) != 0;
    launch.has_times = number(event, 6) != 0;
    launch.called = event.time;
    m_called[thread_of(event)] = {launch.number, number(event, 2)};
}

void Collector::on_records(const trace::RawEvent& event)
{
    const auto open = m_open.find(number(event, 0));
    if (open == m_open.end()) {
        return; // its launch was lost, which its end tells
    }
    ++open->second.parts_seen;
    Adder adder{open->second};
    const auto bytes = bytes_of(event.fields[3].as_numbers(), number(event, 2), m_bytes);
    if (!unpack(bytes, open->second.launch.has_times, adder)) {
        ++m_result.parts_damaged;
    }
}

void Collector::on_end(const trace::RawEvent& event)
{
    const auto found = m_open.find(number(event, 0));
    if (found == m_open.end()) {
        ++m_result.launches_unread;
        return;
    }
    LaunchSum& launch = found->second.launch;
    launch.is_read = true;
    launch.observed = event.time;
    launch.parts = number(event, 1);
    launch.parts_lost = launch.parts - std::min(launch.parts, found->second.parts_seen);
    launch.lost_records = number(event, 2);
    launch.status = event.fields[3].as_signed().value_or(0);
    launch.local_size = numbers(event, 4);
    launch.groups = numbers(event, 5);
    const auto completed = moment(event, number(event, 6));
    // Another clock than the trace's says nothing.
    const bool is_known = completed && *completed >= launch.called && *completed <= launch.observed;
    launch.completed = is_known ? *completed : launch.observed;
    close(found->second);
    m_open.erase(found);
}

std::optional<Timestamp> Collector::moment(const trace::RawEvent& event, std::uint64_t ns) const
{
    const auto offset = m_clock_offsets.find(event.trace);
    std::int64_t time = 0;
    if (ns == 0 || offset == m_clock_offsets.end() || !offset->second ||
        __builtin_add_overflow(ns, offset->second->value(), &time)) {
        return {};
    }
    return Timestamp{time};
}

void Collector::on_command(const trace::RawEvent& event)
{
    const auto called = m_called.find(thread_of(event));
    if (called == m_called.end()) {
        return;
    }
    const auto [launch, kernel] = called->second;
    m_called.erase(called);
    if (kernel != number(event, 2)) {
        return;
    }
    if (const auto open = m_open.find(launch); open != m_open.end()) {
        open->second.launch.command = number(event, 0);
    } else if (const auto closed = m_closed.find(launch); closed != m_closed.end()) {
        m_result.launches[closed->second].command = number(event, 0);
    }
}

std::size_t Collector::kernel_of(const LaunchSum& launch)
{
    const auto [place, is_new] =
        m_kernels.try_emplace({launch.program, launch.name}, m_result.kernels.size());
    if (is_new) {
        KernelSum& kernel = m_result.kernels.emplace_back();
        kernel.program = launch.program;
        kernel.name = launch.name;
        kernel.has_warps = launch.has_warps;
        kernel.has_times = launch.has_times;
    }
    return place->second;
}

void Collector::close(Open& open)
{
    LaunchSum& launch = open.launch;
    open.warps.finish(launch);
    launch.kernel = kernel_of(launch);
    KernelSum& kernel = m_result.kernels[launch.kernel];
    ++kernel.launches;
    kernel.records += launch.records;
    kernel.lost_records += launch.lost_records;
    for (const auto& [place, sum] : open.locations) {
        LocationSum& location = kernel.locations[place];
        location.executions += sum.executions;
        location.lanes += sum.lanes;
        location.ns += sum.ns;
        launch.locations.push_back({place, sum.executions, sum.lanes, sum.ns});
    }
    m_result.parts_lost += launch.parts_lost;
    m_closed[launch.number] = m_result.launches.size();
    m_result.launches.push_back(launch);
}

void Collector::sort_kernels()
{
    std::vector<std::size_t> order(m_result.kernels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [this](std::size_t place) { return m_result.kernels[place].records; });
    std::vector<KernelSum> sorted;
    std::vector<std::size_t> places(order.size());
    for (const std::size_t place : order) {
        places[place] = sorted.size();
        sorted.push_back(std::move(m_result.kernels[place]));
    }
    m_result.kernels = std::move(sorted);
    for (LaunchSum& launch : m_result.launches) {
        launch.kernel = places[launch.kernel];
    }
}

DeviceTrace Collector::finish()
{
    for (auto& [number, open] : m_open) {
        ++m_result.launches_unread;
        close(open);
    }
    m_open.clear();
    for (KernelSum& kernel : m_result.kernels) {
        for (auto& [place, location] : kernel.locations) {
            if (const auto named = m_named.find({kernel.program, place}); named != m_named.end()) {
                location.kind = named->second.kind;
                location.function = named->second.function;
                location.line = named->second.line;
                location.column = named->second.column;
            }
        }
    }
    sort_kernels();
    place_launches(m_result);
    return std::move(m_result);
}

} // namespace lttng_gpu::device
