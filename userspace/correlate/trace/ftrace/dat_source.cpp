// SPDX-License-Identifier: MIT
//
// See dat_source.hpp.
#include "dat_source.hpp"

#include <algorithm>
#include <array>

namespace lttng_gpu::trace::ftrace {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t events_at_once = 4096;
/// Of all lanes together; a file may claim that it has many and that each is large.
constexpr std::uint64_t most_unpacked = std::uint64_t{24} << 20;
constexpr std::uint64_t pages_in_chunk = 12; // trace-cmd packs 10 (PAGES_IN_CHUNK)

/// Clocks that count something else than nanoseconds (kernel/trace/trace.c, trace_clocks[]).
bool counts_nanoseconds(std::string_view clock)
{
    constexpr std::array<std::string_view, 4> others{"counter", "x86-tsc", "ppc-tb", "s390-tod"};
    return std::find(others.begin(), others.end(), clock) == others.end();
}

} // namespace

Expected<std::unique_ptr<EventSource>> DatSource::open(File file,
                                                       const std::vector<WantedEvent>& wanted)
{
    DatPlans plans{wanted};
    auto dat = read_dat_file(file, [&](std::string_view format) { plans.add(format); });
    if (!dat) {
        return Failure{dat.error()};
    }
    std::unique_ptr<DatSource> source{
        new DatSource{std::move(file), std::move(*dat), std::move(plans)}};
    if (const auto added = source->add_lanes(); !added) {
        return Failure{added.error()};
    }
    return source;
}

DatSource::DatSource(File file, DatFile dat, DatPlans plans)
    : m_file{std::move(file)}, m_dat{std::move(dat)}, m_plans{std::move(plans)}, m_reader{m_dat}
{
}

Expected<void> DatSource::add_lanes()
{
    const auto layout = find_page_layout(m_dat);
    std::uint64_t count = 0;
    for (const DatBuffer& buffer : m_dat.buffers) {
        for (const DatCpu& cpu : buffer.cpus) {
            m_bytes += cpu.size;
            ++count;
        }
    }
    if (!layout || m_bytes > m_file.size()) {
        return Failure{{ErrorKind::UnreadableTrace,
                        m_file.path().string() + ": the header of the trace.dat file is damaged"}};
    }
    for (const DatBuffer& buffer : m_dat.buffers) {
        const bool is_scaled = buffer.clock == "x86-tsc" && m_dat.ticks;
        const std::uint64_t largest_chunk = std::max(
            most_unpacked / std::max<std::uint64_t>(count, 1), pages_in_chunk * buffer.page_size);
        for (const DatCpu& cpu : buffer.cpus) {
            m_coverage.expect(cpu.cpu + 1);
            Lane lane{DatStream{m_file, m_dat, buffer, cpu, *layout, largest_chunk}};
            lane.has_clock = is_scaled || counts_nanoseconds(buffer.clock);
            const auto lost = m_dat.losses.find(cpu.cpu);
            if (buffer.name.empty() && lost != m_dat.losses.end()) {
                lane.lost_by_statistics = lost->second;
                lane.has_statistics = true;
            }
            m_lanes.push_back(std::move(lane));
        }
    }
    return {};
}

std::optional<double> DatSource::progress() const
{
    std::uint64_t read = 0;
    for (const Lane& lane : m_lanes) {
        read += lane.stream.bytes_read();
    }
    return m_bytes == 0 ? 1.0 : static_cast<double>(read) / static_cast<double>(m_bytes);
}

std::optional<Timestamp> DatSource::time_of(std::uint64_t ticks) const
{
    std::uint64_t time = ticks;
    if (m_dat.ticks) {
        const Wide product = static_cast<Wide>(ticks) * m_dat.ticks->mult;
        time = static_cast<std::uint64_t>(product >> m_dat.ticks->shift);
    }
    std::int64_t nanoseconds = 0;
    if (time > INT64_MAX ||
        __builtin_add_overflow(static_cast<std::int64_t>(time), m_dat.time_offset, &nanoseconds)) {
        return {};
    }
    return Timestamp{nanoseconds};
}

/// Goes on to the lane's next record that has a time. False at its end.
bool DatSource::advance(std::size_t number)
{
    Lane& lane = m_lanes[number];
    bool has_lost = false;
    std::optional<std::uint64_t> lost = 0;
    while (lane.stream.next(lane.record)) {
        if (lane.record.has_lost_before) {
            lost =
                lost && lane.record.lost ? std::optional{*lost + *lane.record.lost} : std::nullopt;
            has_lost = true;
        }
        const auto time = lane.has_clock ? time_of(lane.record.ticks) : std::nullopt;
        if (!time) {
            ++m_totals.events;
            ++m_totals.events_without_clock;
            continue;
        }
        lane.time = *time;
        lane.record.has_lost_before = has_lost;
        lane.record.lost = lost;
        m_heap.push(*time, number);
        return true;
    }
    return false;
}

Expected<bool> DatSource::read_some(EventConsumer& consumer)
{
    if (!m_is_started) {
        m_is_started = true;
        for (std::size_t number = 0; number < m_lanes.size(); ++number) {
            advance(number);
        }
    }
    for (std::size_t count = 0; count < events_at_once; ++count) {
        if (m_heap.is_empty()) {
            return finish();
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

void DatSource::take(Lane& lane, EventConsumer& consumer)
{
    ++m_totals.events;
    if (!m_totals.first) {
        m_totals.first = lane.time;
    }
    if (lane.record.has_lost_before) {
        tell_loss(lane, consumer);
    }
    lane.has_begun = true;
    lane.last = std::max(lane.last, lane.time);
    m_totals.last = std::max(m_totals.last.value_or(lane.time), lane.time);
    m_coverage.note(lane.stream.cpu(), lane.time);
    const std::uint64_t type =
        m_reader.read(lane.record.data, m_plans.type_field()).as_unsigned().value_or(UINT64_MAX);
    if (const DatPlan* plan = m_plans.find(type)) {
        hand_out(lane, *plan, consumer);
    }
}

void DatSource::hand_out(const Lane& lane, const DatPlan& plan, EventConsumer& consumer)
{
    if (m_handed_out && lane.time < *m_handed_out) { // the CPU's clock went back
        ++m_totals.events_out_of_order;
        return;
    }
    m_handed_out = lane.time;
    m_reader.clear();
    m_fields.clear();
    for (const RecordField& field : plan.fields) {
        m_fields.push_back(m_reader.read(lane.record.data, field));
    }
    for (const std::size_t place : plan.name_places) {
        m_fields[place] = FieldValue{std::string_view{plan.name}};
    }
    ContextValues context;
    context.tid = m_reader.read(lane.record.data, m_plans.pid_field());
    if (const auto tid = context.tid.as_signed()) {
        if (const auto comm = m_dat.comms.find(*tid); comm != m_dat.comms.end()) {
            context.procname = FieldValue{std::string_view{comm->second}};
        }
        if (const auto pid = m_dat.pids.find(*tid); pid != m_dat.pids.end()) {
            context.pid = FieldValue{pid->second};
        }
    }
    consumer.on_event({lane.time, {}, Cpu{lane.stream.cpu()}, plan.wanted, m_fields, context});
}

/// Before a CPU's first event it was overwritten, later it was not read in time.
void DatSource::tell_loss(Lane& lane, EventConsumer& consumer)
{
    const Cpu cpu{lane.stream.cpu()};
    const std::optional<std::uint64_t> lost = lane.record.lost;
    lane.lost += lost.value_or(0);
    lane.has_unknown_loss = lane.has_unknown_loss || !lost;
    if (lane.has_begun) {
        consumer.on_loss(
            {std::min(lane.last, lane.time), lane.time, {}, cpu, LossUnit::Events, lost});
    } else if (lane.time > *m_totals.first) {
        consumer.on_loss({*m_totals.first, lane.time, {}, cpu, LossUnit::LateBegin, lost});
    }
}

/// The kernel's statistics may know of more than the pages: of events that did not go in
/// because the buffer was full, and of those after the last page.
void DatSource::end_lane(Lane& lane, EventConsumer& consumer)
{
    if (lane.has_begun && !lane.has_unknown_loss && lane.lost_by_statistics > lane.lost) {
        consumer.on_loss({lane.last,
                          lane.last,
                          {},
                          Cpu{lane.stream.cpu()},
                          LossUnit::Events,
                          lane.lost_by_statistics - lane.lost});
    }
}

bool DatSource::has_told_losses() const
{
    return std::all_of(m_lanes.begin(), m_lanes.end(), [](const Lane& lane) {
        return lane.has_statistics && !lane.stream.is_damaged();
    });
}

std::vector<CpuCoverage> DatSource::coverage() const
{
    std::vector<CpuCoverage> cpus = m_coverage.cpus();
    for (CpuCoverage& cpu : cpus) {
        const auto is_of_cpu = [&](const Lane& lane) {
            return lane.stream.cpu() == cpu.cpu.value();
        };
        cpu.is_whole =
            std::any_of(m_lanes.begin(), m_lanes.end(), is_of_cpu) &&
            std::all_of(m_lanes.begin(), m_lanes.end(), [&](const Lane& lane) {
                return !is_of_cpu(lane) || (lane.has_statistics && lane.lost_by_statistics == 0 &&
                                            lane.lost == 0 && !lane.has_unknown_loss);
            });
    }
    return cpus;
}

Expected<bool> DatSource::finish()
{
    const bool is_damaged = std::any_of(m_lanes.begin(), m_lanes.end(),
                                        [](const Lane& lane) { return lane.stream.is_damaged(); });
    if (!is_damaged || m_is_finished) {
        return false;
    }
    m_is_finished = true;
    return Failure{{ErrorKind::DamagedTrace, m_file.path().string() +
                                                 ": pages of the trace.dat file are damaged or cut "
                                                 "off"}};
}

} // namespace lttng_gpu::trace::ftrace
