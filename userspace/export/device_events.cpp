// SPDX-License-Identifier: MIT
//
// See device_events.hpp.
#include "device_events.hpp"

#include "../correlate/base/apis.hpp"

namespace lttng_gpu::exporting {
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
    read.may_mix_boots = true; // what is written has a trace for each
    auto reading =
        run::open_reading(paths, read, nullptr, [this] { return x_interruption.is_requested(); });
    if (!reading) {
        return Failure{reading.error()};
    }
    if (x_interruption.is_requested()) {
        return interrupted();
    }
    x_reading = std::move(*reading);
    x_names.emplace(x_reading.pipeline->rings());
    x_reading.pipeline->start(*x_reading.source, x_window, *this);
    auto kernels = KernelEvents::open(paths, x_interruption);
    if (!kernels) {
        return Failure{kernels.error()};
    }
    x_kernels = std::move(*kernels);
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
    const auto& rings = x_reading.pipeline->rings();
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
    const auto has_more = x_reading.source->read_some(*x_reading.pipeline);
    if (!has_more) {
        return Failure{has_more.error()};
    }
    if (!*has_more) {
        x_reading.pipeline->finish();
        x_is_over = true;
    }
    return {};
}

Expected<std::optional<Timestamp>> DeviceEvents::next_step()
{
    while (!is_first_safe()) {
        if (const auto read = read_on(); !read) {
            return Failure{read.error()};
        }
    }
    return x_pending.empty() ? std::optional<Timestamp>{}
                             : std::optional{x_pending.top().event.time};
}

Expected<std::optional<Timestamp>> DeviceEvents::next_time()
{
    auto step = next_step();
    if (!step || x_kernels == nullptr) {
        return step;
    }
    auto inside = x_kernels->next_time();
    x_is_kernel_next = inside && *inside && (!*step || **inside < **step);
    return x_is_kernel_next || !inside ? inside : step;
}

Expected<std::vector<trace::Bt2MessageRef>> DeviceEvents::take(bt_self_message_iterator* iterator,
                                                               bt_self_component* component,
                                                               OutputTrace& output)
{
    if (!x_stream) {
        auto stream = DeviceStream::create(component, output, x_kernels != nullptr);
        if (!stream) {
            return Failure{stream.error()};
        }
        x_stream = std::move(*stream);
    }
    if (x_is_kernel_next) {
        return x_stream->write(iterator, x_kernels->take());
    }
    const DeviceEvent event = x_pending.top().event;
    x_pending.pop();
    return x_stream->write(iterator, event, *x_names);
}

Expected<std::vector<trace::Bt2MessageRef>> DeviceEvents::finish(bt_self_message_iterator* iterator)
{
    return x_stream ? x_stream->finish(iterator) : std::vector<trace::Bt2MessageRef>{};
}

} // namespace lttng_gpu::exporting
