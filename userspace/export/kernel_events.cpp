// SPDX-License-Identifier: MIT
//
// See kernel_events.hpp.
#include "kernel_events.hpp"

#include <algorithm>
#include <exception>

namespace lttng_gpu::exporting {
namespace {

using device::LaunchSum;

/// Thrown out of the reading.
struct Stopped final : std::exception {};

bool has_times(const LaunchSum& launch)
{
    return launch.begin_on_trace && launch.end_on_trace;
}

/// Without a time on the device: when it was known to be complete, or at least called.
Timestamp known_time(const LaunchSum& launch)
{
    return launch.is_read ? launch.completed : launch.called;
}

Timestamp first_time(const LaunchSum& launch)
{
    return has_times(launch) ? *launch.begin_on_trace : known_time(launch);
}

Timestamp last_time(const LaunchSum& launch)
{
    return has_times(launch) ? *launch.end_on_trace : known_time(launch);
}

model::Basis basis_of(const LaunchSum& launch)
{
    return has_times(launch) ? model::Basis::Observed : model::Basis::Unknown;
}

/// A time of the device's timer, which lies inside of the launch.
Timestamp on_trace(const LaunchSum& launch, std::uint64_t device)
{
    const std::uint64_t inside = std::clamp(device, launch.begin, launch.end) - launch.begin;
    const Duration length = *launch.end_on_trace - *launch.begin_on_trace;
    const double part =
        static_cast<double>(inside) / static_cast<double>(launch.end - launch.begin);
    const auto since = static_cast<std::uint64_t>(length.value()) == launch.end - launch.begin
                           ? static_cast<std::int64_t>(inside)
                           : static_cast<std::int64_t>(static_cast<double>(length.value()) * part);
    return *launch.begin_on_trace + Duration{since};
}

} // namespace

Expected<std::unique_ptr<KernelEvents>>
KernelEvents::open(const std::vector<std::filesystem::path>& paths,
                   const Interruption& interruption)
{
    try {
        trace::ReadOptions read;
        read.may_mix_boots = true; // what is written has a trace for each
        auto reading =
            run::read_device_trace(paths, read, [&](const trace::EventSource& /*source*/) {
                if (interruption.is_requested()) {
                    throw Stopped{};
                }
            });
        if (!reading) {
            return Failure{reading.error()};
        }
        if (!*reading || (*reading)->trace.launches.empty()) {
            return std::unique_ptr<KernelEvents>{};
        }
        std::unique_ptr<KernelEvents> made{new KernelEvents{std::move(**reading), interruption}};
        auto source = trace::open_traces(paths, device::RecordReader::wanted(), read);
        if (!source) {
            return Failure{source.error()};
        }
        made->m_source = std::move(*source);
        return made;
    } catch (const Stopped&) {
        return interrupted();
    }
}

KernelEvents::KernelEvents(run::DeviceReading reading, const Interruption& interruption)
    : m_reading{std::move(reading)}, m_interruption{interruption}
{
    for (const LaunchSum& launch : m_reading.trace.launches) {
        m_order.push_back(&launch);
        m_records[launch.number].launch = &launch;
    }
    std::ranges::stable_sort(m_order, {},
                             [](const LaunchSum* launch) { return first_time(*launch); });
}

void KernelEvents::on_launch(std::uint64_t launch)
{
    const auto found = m_records.find(launch);
    m_current = found != m_records.end() && !found->second.is_closed ? &found->second : nullptr;
}

void KernelEvents::on_launch_end(std::uint64_t launch)
{
    if (const auto found = m_records.find(launch); found != m_records.end()) {
        close(found->second);
    }
}

void KernelEvents::on_chunk(const device::Chunk& chunk)
{
    if (m_current != nullptr && chunk.is_first && m_current->launch->has_warps) {
        add(KernelStage::WarpBegin, chunk, {0, 0, 0, chunk.time, true}, chunk.time != 0);
    }
}

void KernelEvents::on_record(const device::Chunk& chunk, const device::Record& record)
{
    if (m_current == nullptr) {
        return;
    }
    if (record.location != device::end_location) {
        add(KernelStage::Record, chunk, record,
            m_current->launch->has_times && record.has_own_time && record.time != 0);
    } else if (m_current->launch->has_warps) {
        add(KernelStage::WarpEnd, chunk, record, record.time != 0);
    }
}

void KernelEvents::add(KernelStage stage, const device::Chunk& chunk, const device::Record& record,
                       bool has_own_time)
{
    const LaunchSum& launch = *m_current->launch;
    KernelRecord made;
    made.stage = stage;
    made.location = record.location;
    made.lanes = record.lanes;
    made.count = record.count;
    made.group = chunk.group;
    made.place = static_cast<std::uint16_t>(chunk.place);
    made.warp = static_cast<std::uint8_t>(chunk.warp);
    if (!has_times(launch)) {
        made.time = known_time(launch);
    } else {
        const std::uint64_t shown = record.time != 0 ? record.time : chunk.time;
        made.time = on_trace(launch, shown);
        made.basis = has_own_time ? model::Basis::Observed : model::Basis::Inferred;
    }
    m_current->all.push_back(made);
}

/// Adds what frames the records, and sorts.
void KernelEvents::close(Records& records)
{
    if (records.is_closed) {
        return;
    }
    records.is_closed = true;
    const LaunchSum& launch = *records.launch;
    KernelRecord frame;
    frame.basis = basis_of(launch);
    frame.time = first_time(launch);
    records.all.insert(records.all.begin(), frame);
    frame.time = last_time(launch);
    frame.stage = KernelStage::Location;
    for (std::uint32_t place = 0; place < launch.locations.size(); ++place) {
        frame.location = place;
        records.all.push_back(frame);
    }
    frame.stage = KernelStage::End;
    records.all.push_back(frame);
    std::ranges::stable_sort(records.all, {}, &KernelRecord::time);
    m_ready.push(&records);
}

Expected<void> KernelEvents::load(const LaunchSum& launch)
{
    Records& records = m_records.at(launch.number);
    while (!records.is_closed && !m_is_over) {
        if (m_interruption.is_requested()) {
            return interrupted();
        }
        const auto has_more = m_source->read_some(m_reader);
        // What cannot be read was not added up, either.
        m_is_over = !has_more.value_or(false);
    }
    close(records);
    return {};
}

Expected<std::optional<Timestamp>> KernelEvents::next_time()
{
    while (m_loaded < m_order.size() &&
           (m_ready.empty() || first_time(*m_order[m_loaded]) <= m_ready.top()->front().time)) {
        if (const auto loaded = load(*m_order[m_loaded]); !loaded) {
            return Failure{loaded.error()};
        }
        ++m_loaded;
    }
    return m_ready.empty() ? std::optional<Timestamp>{}
                           : std::optional{m_ready.top()->front().time};
}

KernelEvent KernelEvents::take()
{
    Records* const records = m_ready.top();
    m_ready.pop();
    const KernelEvent event{records->front(), records->launch,
                            &m_reading.trace.kernel_of(*records->launch)};
    if (++records->next < records->all.size()) {
        m_ready.push(records);
    } else {
        std::vector<KernelRecord>{}.swap(records->all);
    }
    return event;
}

} // namespace lttng_gpu::exporting
