// SPDX-License-Identifier: MIT
//
// See frame_rows.hpp. Times of a frame are differences from its end, because most are near it.
#include "frame_rows.hpp"

#include <algorithm>

namespace lttng_gpu::view {
namespace {

/// Numbers that may be unknown: a bit of the flags for each, in the order of frameTimes and
/// frameLengths of packed.js.
class Knowns {
public:
    void add_time(KnownTime time, Timestamp end)
    {
        add(time.has_value(), time ? (*time - end).value() : 0);
    }
    void add_length(KnownDuration length) { add(length.has_value(), length ? length->value() : 0); }
    std::uint64_t flags() const { return m_flags; }
    const std::vector<std::int64_t>& values() const { return m_values; }

private:
    void add(bool is_known, std::int64_t value)
    {
        m_flags |= is_known ? std::uint64_t{1} << m_values.size() : 0;
        m_values.push_back(value);
    }

    std::uint64_t m_flags = 0;
    std::vector<std::int64_t> m_values;
};

Knowns knowns_of(const model::Frame& frame)
{
    Knowns all;
    for (const KnownTime time :
         {frame.begin, KnownTime{frame.call_begin}, frame.first_queued, frame.completed,
          frame.observed, frame.gpu_begin, frame.gpu_end, frame.learned}) {
        all.add_time(time, frame.end);
    }
    for (const KnownDuration length :
         {frame.cadence, frame.in_calls, frame.host_queue, frame.device_queue, frame.execution,
          frame.execution_wall, frame.gpu, frame.gpu_error, frame.in_calls_on_cpu}) {
        all.add_length(length);
    }
    for (const Duration part : frame.parts) {
        all.add_length(frame.in_calls ? KnownDuration{part} : KnownDuration{});
    }
    return all;
}

constexpr std::size_t known_numbers = 17 + model::frame_parts;
/// Besides: the end, flags, what the frame is, counts, its jobs.
constexpr std::size_t first_known = 15;

} // namespace

void FrameRows::add(const model::Frame& frame)
{
    if (m_all.size() >= most) {
        ++m_left_out;
        return;
    }
    Row row;
    row.frame = frame;
    row.actor = m_names.actor(frame.actor);
    row.function = m_names.text(frame.function);
    const std::uint32_t process = m_names.process_number(row.actor);
    const auto [place, is_new] = m_surface_numbers.try_emplace(
        {process, frame.api, frame.surface}, static_cast<std::uint32_t>(m_surfaces.size()));
    if (is_new) {
        m_surfaces.push_back({process, frame.api, frame.surface, 0});
    }
    row.surface = place->second;
    ++m_surfaces[row.surface].frames;
    const Timestamp begin = frame.begin.value_or(frame.call_begin);
    m_first = m_first ? std::min(*m_first, begin) : begin;
    m_all.push_back(std::move(row));
}

void FrameRows::finish(Blobs& blobs, Timestamp origin, const Relations& jobs)
{
    std::ranges::stable_sort(m_all, {}, [](const Row& row) { return row.frame.end; });
    for (std::size_t first = 0; first < m_all.size(); first += jobs_of_chunk) {
        const std::size_t last = std::min<std::size_t>(first + jobs_of_chunk, m_all.size());
        std::array<Packed, first_known + known_numbers> columns;
        std::int64_t previous = 0;
        std::int64_t earliest = INT64_MAX;
        for (std::size_t place = first; place < last; ++place) {
            const auto& [frame, actor, surface, function] = m_all[place];
            const std::int64_t end = (frame.end - origin).value();
            const Knowns knowns = knowns_of(frame);
            columns[0].add_signed(end - previous);
            columns[1].add(knowns.flags());
            columns[2].add(static_cast<std::uint64_t>(frame.lateness));
            columns[3].add(static_cast<std::uint64_t>(frame.late_by));
            columns[4].add(actor);
            columns[5].add(surface);
            columns[6].add(frame.number);
            columns[7].add(function);
            columns[8].add(frame.jobs);
            columns[9].add(frame.jobs_by_time);
            columns[10].add(frame.draws);
            columns[11].add(frame.dispatches);
            columns[12].add(frame.uploads);
            columns[13].add(frame.gpu_commands);
            columns[14].add(frame.made.size());
            for (const model::FrameJob& job : frame.made) {
                const auto number = jobs.number_of(job.ring, job.fence);
                columns[14].add_signed(number ? static_cast<std::int64_t>(*number) : -1);
            }
            for (std::size_t number = 0; number < known_numbers; ++number) {
                columns[first_known + number].add_signed(knowns.values()[number]);
            }
            previous = end;
            earliest =
                std::min(earliest, (frame.begin.value_or(frame.call_begin) - origin).value());
        }
        Packed whole;
        whole.add(last - first);
        std::ranges::for_each(columns, [&](const Packed& column) { whole.append(column); });
        m_chunks.push_back({blobs.add(whole.bytes()), last - first, earliest,
                            (m_all[first].frame.end - origin).value(), previous});
    }
    m_all = {};
}

} // namespace lttng_gpu::view
