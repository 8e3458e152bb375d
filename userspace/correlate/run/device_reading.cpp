// SPDX-License-Identifier: MIT
//
// See device_reading.hpp.
#include "device_reading.hpp"

#include "../base/apis.hpp"
#include "../device/collector.hpp"
#include "../device/launch_times.hpp"
#include "../trace/open/recognise.hpp"
#include "reading.hpp"

#include <algorithm>

namespace lttng_gpu::run {
namespace {

using Paths = std::vector<std::filesystem::path>;
using OnProgress = std::function<void(const trace::EventSource&)>;
/// Process and number.
using CommandKey = std::pair<std::int64_t, std::uint64_t>;

/// Keeps the times of the commands that launches are.
class CommandSink final : public model::JobSink {
public:
    CommandSink(const device::DeviceTrace& trace, const model::RingTable& rings) : m_rings{rings}
    {
        for (const device::LaunchSum& launch : trace.launches) {
            if (launch.command && launch.has_interval()) {
                m_wanted.try_emplace({launch.pid, *launch.command});
            }
        }
    }

    bool wants_any() const { return !m_wanted.empty(); }
    void on_job(const model::Job& job) override
    {
        if (!job.fence.seqno || !job.actor.pid || !job.started || !job.completed) {
            return;
        }
        const auto wanted = m_wanted.find({job.actor.pid->value(), job.fence.seqno->value()});
        if (wanted != m_wanted.end() && is_of_opencl(job) && *job.started <= *job.completed) {
            wanted->second = {*job.started, *job.completed, job.clock_error.value_or(Duration{})};
        }
    }
    void give(device::DeviceTrace& trace) const
    {
        for (device::LaunchSum& launch : trace.launches) {
            const auto found =
                launch.command ? m_wanted.find({launch.pid, *launch.command}) : m_wanted.end();
            if (found != m_wanted.end()) {
                launch.command_times = found->second;
            }
        }
    }

private:
    bool is_of_opencl(const model::Job& job) const
    {
        const Api* const api =
            job.ring ? find_api(m_rings.text(m_rings.at(*job.ring).driver)) : nullptr;
        return api != nullptr && api->name == "opencl";
    }

    const model::RingTable& m_rings;
    std::map<CommandKey, std::optional<device::CommandTimes>> m_wanted;
};

std::optional<Error> read_all(trace::EventSource& source, trace::EventConsumer& consumer,
                              const OnProgress& on_progress)
{
    for (bool has_more = true; has_more;) {
        const auto read = source.read_some(consumer);
        if (!read) {
            return read.error();
        }
        has_more = *read;
        if (on_progress) {
            on_progress(source);
        }
    }
    return {};
}

/// What cannot be read leaves launches with the bounds of their calls.
void bound_by_commands(device::DeviceTrace& trace, const Paths& paths,
                       const trace::ReadOptions& options, const OnProgress& on_progress)
{
    const auto reading = open_reading(paths, options);
    if (!reading) {
        return;
    }
    CommandSink commands{trace, reading->pipeline->rings()};
    if (!commands.wants_any()) {
        return;
    }
    report::Window window{{}};
    reading->pipeline->run(*reading->source, window, commands, nullptr, [&] {
        if (on_progress) {
            on_progress(*reading->source);
        }
        return false;
    });
    commands.give(trace);
    place_launches(trace);
}

} // namespace

bool may_have_device_trace(const trace::EventSource& source, trace::Reader reader)
{
    const auto events = device::Collector::wanted();
    return reader == trace::Reader::Babeltrace2 || // which learns it on the way only
           std::ranges::any_of(events, [&](const trace::WantedEvent& event) {
               return event.name.starts_with("lttng_gpu_devicetrace:") &&
                      source.has_event(event.name);
           });
}

Expected<std::optional<DeviceReading>>
read_device_trace(const Paths& traces, trace::ReadOptions options, const OnProgress& on_progress)
{
    options.begin.reset();
    options.end.reset();
    options.enumerations = nullptr;
    auto source = trace::open_traces(traces, device::Collector::wanted(), options);
    if (!source) {
        return Failure{source.error()};
    }
    if (!may_have_device_trace(**source, options.reader)) {
        return std::optional<DeviceReading>{};
    }
    DeviceReading result;
    device::Collector collector;
    for (const auto& [trace, facts] : (*source)->trace_facts()) {
        collector.on_trace(trace, facts);
    }
    result.stopped = read_all(**source, collector, on_progress);
    if (result.stopped && (*source)->totals().events == 0) {
        return Failure{*result.stopped};
    }
    result.trace = collector.finish();
    result.losses = collector.losses();
    if (result.trace.launches.empty() && result.trace.untraced.empty() && !result.stopped) {
        return std::optional<DeviceReading>{};
    }
    const bool is_live = std::ranges::any_of(traces, trace::is_live);
    const bool has_intervals =
        !is_live && std::ranges::any_of(result.trace.launches, [](const device::LaunchSum& launch) {
            return launch.has_interval() && launch.command;
        });
    if (has_intervals) {
        bound_by_commands(result.trace, traces, options, on_progress);
    }
    return std::optional{std::move(result)};
}

} // namespace lttng_gpu::run
