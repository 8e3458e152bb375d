// SPDX-License-Identifier: MIT
//
// See collector.hpp.
#include "collector.hpp"

#include "../model/clock/device_clock.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace lttng_gpu::device {
namespace {

enum Wanted : std::size_t { Location, Untraced_, Launch, Records, End, Command };

std::uint64_t number(const trace::RawEvent& event, std::size_t field)
{
    return event.fields[field].as_unsigned_or(0);
}

std::string text(const trace::RawEvent& event, std::size_t field)
{
    return std::string{event.fields[field].as_text()};
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
    explicit Adder(Open& open) : x_open{open} {}

    void on_chunk(const Chunk& chunk) override
    {
        if (x_open.launch.has_warps) {
            x_open.warps.on_chunk(chunk);
        }
    }
    void on_record(const Chunk& chunk, const Record& record) override
    {
        const LaunchSum& launch = x_open.launch;
        if (launch.has_warps) {
            x_open.warps.on_record(chunk, record, launch.has_times ? &x_open.locations : nullptr);
        }
        if (record.location == end_location) {
            return;
        }
        ++x_open.launch.records;
        LocationSum& sum = x_open.locations[record.location];
        sum.executions += record.count;
        if (launch.has_warps) {
            sum.lanes += static_cast<std::uint64_t>(std::popcount(record.lanes)) * record.count;
        }
    }

private:
    Open& x_open;
};

std::vector<trace::WantedEvent> Collector::wanted()
{
    const std::string provider = "lttng_gpu_devicetrace:";
    return {
        {provider + "location", {"program", "location", "line", "column", "kind", "function"}},
        {provider + "untraced", {"reason", "name"}},
        {provider + "launch", {"launch", "program", "kernel", "queue", "name", "warps", "times"}},
        {provider + "records", {"launch", "part", "bytes", "words"}},
        {provider + "launch_end",
         {"launch", "parts", "lost", "status", "local_size", "groups", "completed"}},
        {"lttng_gpu_opencl:kernel_enqueue", {"command", "queue", "kernel"}}};
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
    x_named[{number(event, 0), static_cast<std::uint32_t>(number(event, 1))}] = location;
}

void Collector::on_untraced(const trace::RawEvent& event)
{
    Untraced& untraced = x_result.untraced[text(event, 0)];
    ++untraced.count;
    untraced.example = text(event, 1);
}

void Collector::on_launch(const trace::RawEvent& event)
{
    LaunchSum& launch = x_open[number(event, 0)].launch;
    launch.number = number(event, 0);
    launch.program = number(event, 1);
    launch.queue = number(event, 3);
    launch.name = text(event, 4);
    launch.has_warps = number(event, 5) != 0;
    launch.has_times = number(event, 6) != 0;
    launch.called = event.time;
    x_called[thread_of(event)] = {launch.number, number(event, 2)};
}

void Collector::on_records(const trace::RawEvent& event)
{
    const auto open = x_open.find(number(event, 0));
    if (open == x_open.end()) {
        return; // its launch was lost, which its end tells
    }
    ++open->second.parts_seen;
    const trace::NumberList words = event.fields[3].as_numbers();
    const std::size_t bytes = std::min<std::size_t>(number(event, 2), words.size() * 8);
    x_bytes.resize(words.size() * 8);
    for (std::size_t place = 0; place < words.size(); ++place) {
        for (unsigned byte = 0; byte < 8; ++byte) {
            x_bytes[place * 8 + byte] = static_cast<std::uint8_t>(words[place] >> (8 * byte));
        }
    }
    Adder adder{open->second};
    if (!unpack(std::span{x_bytes}.first(bytes), open->second.launch.has_times, adder)) {
        ++x_result.parts_damaged;
    }
}

void Collector::on_end(const trace::RawEvent& event)
{
    const auto found = x_open.find(number(event, 0));
    if (found == x_open.end()) {
        ++x_result.launches_unread;
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
    const Timestamp completed{static_cast<std::int64_t>(number(event, 6))};
    // Another clock than the trace's says nothing.
    const bool is_known = completed >= launch.called && completed <= launch.observed;
    launch.completed = is_known ? completed : launch.observed;
    close(found->second);
    x_open.erase(found);
}

void Collector::on_command(const trace::RawEvent& event)
{
    const auto called = x_called.find(thread_of(event));
    if (called == x_called.end()) {
        return;
    }
    const auto [launch, kernel] = called->second;
    x_called.erase(called);
    if (kernel != number(event, 2)) {
        return;
    }
    if (const auto open = x_open.find(launch); open != x_open.end()) {
        open->second.launch.command = number(event, 0);
    } else if (const auto closed = x_closed.find(launch); closed != x_closed.end()) {
        x_result.launches[closed->second].command = number(event, 0);
    }
}

KernelSum& Collector::kernel_of(const LaunchSum& launch)
{
    const auto [place, is_new] =
        x_kernels.try_emplace({launch.program, launch.name}, x_result.kernels.size());
    if (is_new) {
        KernelSum& kernel = x_result.kernels.emplace_back();
        kernel.program = launch.program;
        kernel.name = launch.name;
        kernel.has_warps = launch.has_warps;
        kernel.has_times = launch.has_times;
    }
    return x_result.kernels[place->second];
}

/// No launch begins before its call, and none ends after it was known to be complete.
void Collector::map_times()
{
    constexpr std::uint64_t coarsest = 1U << 20U;
    std::uint64_t step = coarsest;
    for (const LaunchSum& launch : x_result.launches) {
        if (launch.has_interval()) {
            step = std::gcd(step, std::gcd(launch.begin, launch.end));
        }
    }
    model::DeviceClock clock{{.resolution = static_cast<std::int64_t>(step)}};
    for (const LaunchSum& launch : x_result.launches) {
        if (launch.has_interval() && launch.is_read) {
            const std::array readings{model::ClockReading{launch.begin, launch.called, {}},
                                      model::ClockReading{launch.end, {}, launch.completed}};
            clock.add(readings, launch.observed);
        }
    }
    for (LaunchSum& launch : x_result.launches) {
        if (!launch.has_interval() || !launch.is_read) {
            continue;
        }
        const auto begin = clock.map(launch.begin, launch.observed);
        const auto end = clock.map(launch.end, launch.observed);
        if (begin && end) {
            launch.begin_on_trace = begin->time;
            launch.end_on_trace = end->time;
            launch.error = std::max(begin->error, end->error);
        }
    }
}

void Collector::close(Open& open)
{
    LaunchSum& launch = open.launch;
    open.warps.finish(launch);
    KernelSum& kernel = kernel_of(launch);
    ++kernel.launches;
    kernel.records += launch.records;
    kernel.lost_records += launch.lost_records;
    for (const auto& [place, sum] : open.locations) {
        LocationSum& location = kernel.locations[place];
        location.executions += sum.executions;
        location.lanes += sum.lanes;
        location.ns += sum.ns;
    }
    x_result.parts_lost += launch.parts_lost;
    x_closed[launch.number] = x_result.launches.size();
    x_result.launches.push_back(launch);
}

DeviceTrace Collector::finish()
{
    for (auto& [number, open] : x_open) {
        ++x_result.launches_unread;
        close(open);
    }
    x_open.clear();
    for (KernelSum& kernel : x_result.kernels) {
        for (auto& [place, location] : kernel.locations) {
            if (const auto named = x_named.find({kernel.program, place}); named != x_named.end()) {
                location.kind = named->second.kind;
                location.function = named->second.function;
                location.line = named->second.line;
                location.column = named->second.column;
            }
        }
    }
    std::ranges::stable_sort(x_result.kernels, [](const auto& one, const auto& other) {
        return one.records > other.records;
    });
    map_times();
    return std::move(x_result);
}

} // namespace lttng_gpu::device
