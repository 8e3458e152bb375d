// SPDX-License-Identifier: MIT
//
// See lane_stream.hpp.
#include "lane_stream.hpp"

#include "perfetto.pb.h"

#include <algorithm>
#include <utility>

namespace lttng_gpu::trace::perfetto {
namespace {

namespace proto = lttng_gpu::perfetto;

std::optional<std::uint64_t> time_of_error(Bytes error)
{
    WireReader fields{error};
    while (fields.next()) {
        if (fields.number() == proto::FtraceEventBundle::Error::kTimestampFieldNumber) {
            return fields.value();
        }
    }
    return {};
}

} // namespace

bool LaneStream::next(LaneEvent& event)
{
    for (;;) {
        while (!m_waiting && m_next_event < m_events.size()) {
            LaneEvent read;
            if (read_event(m_events[m_next_event++], read)) {
                m_waiting = read;
            } else {
                damage();
            }
        }
        const bool has_compact = m_next_compact < m_compact.size();
        if (has_compact && (!m_waiting || is_compact_next(*m_waiting))) {
            take_compact(event);
            return true;
        }
        if (m_waiting) {
            event = *std::exchange(m_waiting, std::nullopt);
            return true;
        }
        if (!open_bundle()) {
            if (std::exchange(m_is_end_damaged, false)) {
                damage();
            }
            return false;
        }
    }
}

/// An event of unknown time is missing here.
void LaneStream::damage()
{
    m_is_damaged = true;
    m_head = m_head.value_or(BundleHead{});
    m_head->has_missing = true;
}

bool LaneStream::is_compact_next(const LaneEvent& event) const
{
    return event.ticks && m_compact.time(m_next_compact) <= *event.ticks;
}

void LaneStream::take_compact(LaneEvent& event)
{
    m_end = std::max(m_end, m_compact.time(m_next_compact));
    event = {m_compact.time(m_next_compact),
             {},
             proto::FtraceEvent::kSchedSwitchFieldNumber,
             {},
             m_next_compact};
    ++m_next_compact;
}

std::optional<BundleHead> LaneStream::take_head()
{
    return std::exchange(m_head, std::nullopt);
}

std::uint64_t LaneStream::take_others()
{
    return std::exchange(m_others, 0);
}

bool LaneStream::open_bundle()
{
    if (m_next_bundle == m_index->bundles.size()) {
        return false;
    }
    const BundlePlace& bundle = m_index->bundles[m_next_bundle++];
    const Place& place = bundle.place;
    m_places->load(place, m_bundle);
    const std::uint32_t size = place.packing == Packing::None ? place.size : place.inner_size;
    m_is_end_damaged |= m_bundle.size() < size;
    m_bytes_read += size;
    m_events.clear();
    m_next_event = 0;
    m_compact.clear();
    m_next_compact = 0;
    m_head = m_head.value_or(BundleHead{});
    m_head->has_missing |= std::exchange(m_is_end_damaged, false);
    read_bundle(bundle.is_after_gap);
    return true;
}

/// Fields may stand in any order, so all are looked at before the first event is.
void LaneStream::read_bundle(bool is_after_gap)
{
    using Proto = proto::FtraceEventBundle;
    std::optional<std::uint64_t> written;
    std::optional<std::uint64_t> read;
    WireReader fields{m_bundle};
    while (fields.next()) {
        switch (fields.number()) {
        case Proto::kEventFieldNumber:
            m_events.push_back(fields.bytes());
            break;
        case Proto::kLostEventsFieldNumber:
            m_head->has_lost |= fields.value() != 0;
            break;
        case Proto::kCompactSchedFieldNumber:
            m_is_end_damaged |= !m_compact.read(fields.bytes());
            break;
        case Proto::kErrorFieldNumber:
            m_head->unparsed = std::min(m_head->unparsed.value_or(UINT64_MAX),
                                        time_of_error(fields.bytes()).value_or(0));
            break;
        case Proto::kLastReadEventTimestampFieldNumber:
            read = fields.value();
            break;
        case Proto::kPreviousBundleEndTimestampFieldNumber:
            written = fields.value();
            break;
        default:
            break;
        }
    }
    m_is_end_damaged |= fields.is_damaged();
    m_is_damaged |= m_is_end_damaged;
    compare_ends(written, read, is_after_gap);
    if (m_compact.wakings() > 0) {
        m_others += m_compact.wakings();
        m_end = std::max(m_end, m_compact.last_waking());
    }
}

/// Since v47 Perfetto tells when the last event was written before this bundle: whether that
/// is here tells exactly whether a bundle is missing. v44 to v46 tell what was read, which may
/// not have been wanted; older ones tell nothing.
void LaneStream::compare_ends(std::optional<std::uint64_t> written,
                              std::optional<std::uint64_t> read, bool is_after_gap)
{
    if (m_next_bundle == 1) {
        m_head->previous_end = written ? written : read;
        m_head->has_missing |= is_after_gap && !m_head->previous_end;
    } else if (written) {
        if (*written > m_end) {
            m_head->has_missing = true;
            m_head->resumed = written;
        }
    } else {
        m_head->has_missing |= is_after_gap;
    }
}

bool LaneStream::read_event(Bytes bytes, LaneEvent& event)
{
    WireReader fields{bytes};
    while (fields.next()) {
        if (fields.number() == proto::FtraceEvent::kTimestampFieldNumber) {
            event.ticks = fields.value();
            m_end = std::max(m_end, fields.value());
        } else if (fields.number() == proto::FtraceEvent::kPidFieldNumber) {
            event.tid = static_cast<std::uint32_t>(fields.value());
        } else if (fields.field().has_bytes && event.number == 0) {
            event.number = fields.number();
            event.body = fields.bytes();
        }
    }
    return !fields.is_damaged();
}

} // namespace lttng_gpu::trace::perfetto
