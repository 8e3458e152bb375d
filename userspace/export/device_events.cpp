// SPDX-License-Identifier: MIT
//
// See device_events.hpp.
#include "device_events.hpp"

#include "../correlate/base/apis.hpp"
#include "../correlate/trace/open_traces.hpp"

namespace lttng_gpu::exporting {
namespace {

/// Ends when the command is to end.
class InterruptedSource final : public trace::EventSource {
public:
    InterruptedSource(trace::EventSource& source, const Interruption& interruption)
        : x_source{source}, x_interruption{interruption}
    {
    }
    Expected<bool> read_some(trace::EventConsumer& consumer) override
    {
        return x_interruption.is_requested() ? Expected<bool>{false} : x_source.read_some(consumer);
    }
    const trace::SourceTotals& totals() const override { return x_source.totals(); }
    std::vector<std::pair<TraceId, Duration>> clock_offsets() const override
    {
        return x_source.clock_offsets();
    }

private:
    trace::EventSource& x_source;
    const Interruption& x_interruption;
};

} // namespace

Expected<std::unique_ptr<DeviceEvents>>
DeviceEvents::open(const std::vector<std::filesystem::path>& paths,
                   const Interruption& interruption)
{
    std::unique_ptr<DeviceEvents> made{new DeviceEvents{interruption}};
    if (const auto started = made->start(paths); !started) {
        return Failure{started.error()};
    }
    return made;
}

Expected<void> DeviceEvents::start(const std::vector<std::filesystem::path>& paths)
{
    trace::ReadOptions read;
    read.enumerations = &x_correlation.enumerations();
    auto source = trace::open_traces(paths, cli::Correlation::wanted(), read);
    if (!source) {
        return Failure{source.error()};
    }
    x_source = std::move(*source);
    if (cli::Correlation::has_clocks(*x_source)) {
        const auto clocks = trace::open_traces(paths, cli::Correlation::wanted_for_clocks(), read);
        if (!clocks) {
            return Failure{clocks.error()};
        }
        InterruptedSource watched{**clocks, x_interruption};
        x_correlation.learn_clocks(watched);
        if (x_interruption.is_requested()) {
            return interrupted();
        }
    }
    x_pass = std::make_unique<cli::Correlation::Pass>(x_correlation, x_source->totals(), x_window,
                                                      *this);
    for (const auto& [trace, offset] : x_source->clock_offsets()) {
        x_pass->on_clock_offset(trace, offset);
    }
    for (const auto& [trace, release] : x_source->kernel_releases()) {
        x_pass->on_kernel_release(trace, release);
    }
    return {};
}

void DeviceEvents::on_job(const model::Job& job)
{
    const Timestamp first = model::first_time(job);
    x_row_begin = std::max(x_row_begin.value_or(first), first);
    add(job, 0, job.queued, model::Basis::Observed);
    add(job, 1, job.submitted, model::Basis::Observed);
    add(job, 2, job.started, job.started_basis);
    const bool is_preempted = job.ending == model::Ending::Preempted;
    add(job, is_preempted ? preempted_stage : 3, job.completed, job.completed_basis);
}

void DeviceEvents::add(const model::Job& job, std::size_t stage,
                       const std::optional<Timestamp>& time, model::Basis basis)
{
    if (!time) {
        return;
    }
    DeviceEvent event;
    event.time = *time;
    event.stage = stage;
    event.basis = basis;
    event.job = job;
    const auto& rings = x_correlation.rings();
    event.is_command = job.ring && find_api(rings.text(rings.at(*job.ring).driver)) != nullptr;
    x_pending.push({event, x_serial++});
}

bool DeviceEvents::is_first_safe() const
{
    return x_is_over ||
           (!x_pending.empty() && x_row_begin && x_pending.top().event.time <= *x_row_begin);
}

Expected<void> DeviceEvents::read_on()
{
    if (x_interruption.is_requested()) {
        return interrupted();
    }
    const auto has_more = x_source->read_some(*x_pass);
    if (!has_more) {
        return Failure{has_more.error()};
    }
    if (!*has_more) {
        x_pass->finish();
        x_is_over = true;
    }
    return {};
}

Expected<std::optional<Timestamp>> DeviceEvents::next_time()
{
    while (!is_first_safe()) {
        if (const auto read = read_on(); !read) {
            return Failure{read.error()};
        }
    }
    return x_pending.empty() ? std::optional<Timestamp>{}
                             : std::optional{x_pending.top().event.time};
}

Expected<std::vector<trace::Bt2MessageRef>> DeviceEvents::take(bt_self_message_iterator* iterator,
                                                               bt_self_component* component,
                                                               OutputTrace& output)
{
    if (!x_stream) {
        auto stream = DeviceStream::create(component, output);
        if (!stream) {
            return Failure{stream.error()};
        }
        x_stream = std::move(*stream);
    }
    const DeviceEvent event = x_pending.top().event;
    x_pending.pop();
    return x_stream->write(iterator, event, x_names);
}

Expected<std::vector<trace::Bt2MessageRef>> DeviceEvents::finish(bt_self_message_iterator* iterator)
{
    return x_stream ? x_stream->finish(iterator) : std::vector<trace::Bt2MessageRef>{};
}

} // namespace lttng_gpu::exporting
