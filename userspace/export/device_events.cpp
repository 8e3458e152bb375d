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
        run::open_reading(paths, read, nullptr, [this] { return m_interruption.is_requested(); });
    if (!reading) {
        return Failure{reading.error()};
    }
    if (m_interruption.is_requested()) {
        return interrupted();
    }
    m_reading = std::move(*reading);
    m_names.emplace(m_reading.pipeline->rings());
    m_reading.pipeline->start(*m_reading.source, m_window, *this);
    auto kernels = KernelEvents::open(paths, m_interruption);
    if (!kernels) {
        return Failure{kernels.error()};
    }
    m_kernels = std::move(*kernels);
    return {};
}

void DeviceEvents::on_job(const model::Job& job)
{
    const Timestamp first = model::first_time(job);
    m_row_begin = std::max(m_row_begin.value_or(first), first);
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
    const auto& rings = m_reading.pipeline->rings();
    event.is_command = job.ring && find_api(rings.text(rings.at(*job.ring).driver)) != nullptr;
    m_pending.push({event, m_serial++});
}

bool DeviceEvents::is_first_safe() const
{
    return m_is_over ||
           (!m_pending.empty() && m_row_begin && m_pending.top().event.time <= *m_row_begin);
}

Expected<void> DeviceEvents::read_on()
{
    if (m_interruption.is_requested()) {
        return interrupted();
    }
    const auto has_more = m_reading.source->read_some(*m_reading.pipeline);
    if (!has_more) {
        return Failure{has_more.error()};
    }
    if (!*has_more) {
        m_reading.pipeline->finish();
        m_is_over = true;
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
    return m_pending.empty() ? std::optional<Timestamp>{}
                             : std::optional{m_pending.top().event.time};
}

Expected<std::optional<Timestamp>> DeviceEvents::next_time()
{
    auto step = next_step();
    if (!step || m_kernels == nullptr) {
        return step;
    }
    auto inside = m_kernels->next_time();
    m_is_kernel_next = inside && *inside && (!*step || **inside < **step);
    return m_is_kernel_next || !inside ? inside : step;
}

Expected<std::vector<trace::Bt2MessageRef>> DeviceEvents::take(bt_self_message_iterator* iterator,
                                                               bt_self_component* component,
                                                               OutputTrace& output)
{
    if (!m_stream) {
        auto stream = DeviceStream::create(component, output, m_kernels != nullptr);
        if (!stream) {
            return Failure{stream.error()};
        }
        m_stream = std::move(*stream);
    }
    if (m_is_kernel_next) {
        return m_stream->write(iterator, m_kernels->take());
    }
    const DeviceEvent event = m_pending.top().event;
    m_pending.pop();
    return m_stream->write(iterator, event, *m_names);
}

Expected<std::vector<trace::Bt2MessageRef>> DeviceEvents::finish(bt_self_message_iterator* iterator)
{
    return m_stream ? m_stream->finish(iterator) : std::vector<trace::Bt2MessageRef>{};
}

} // namespace lttng_gpu::exporting
