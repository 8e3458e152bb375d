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
        while (!x_waiting && x_next_event < x_events.size()) {
            LaneEvent read;
            if (read_event(x_events[x_next_event++], read)) {
                x_waiting = read;
            } else {
                damage();
            }
        }
        const bool has_compact = x_next_compact < x_compact.size();
        if (has_compact && (!x_waiting || is_compact_next(*x_waiting))) {
            take_compact(event);
            return true;
        }
        if (x_waiting) {
            event = *std::exchange(x_waiting, std::nullopt);
            return true;
        }
        if (!open_bundle()) {
            if (std::exchange(x_is_end_damaged, false)) {
                damage();
            }
            return false;
        }
    }
}

/// An event of unknown time is missing here.
void LaneStream::damage()
{
    x_is_damaged = true;
    x_head = x_head.value_or(BundleHead{});
    x_head->has_missing = true;
}

bool LaneStream::is_compact_next(const LaneEvent& event) const
{
    return event.ticks && x_compact.time(x_next_compact) <= *event.ticks;
}

void LaneStream::take_compact(LaneEvent& event)
{
    x_end = std::max(x_end, x_compact.time(x_next_compact));
    event = {x_compact.time(x_next_compact),
             {},
             proto::FtraceEvent::kSchedSwitchFieldNumber,
             {},
             x_next_compact};
    ++x_next_compact;
}

std::optional<BundleHead> LaneStream::take_head()
{
    return std::exchange(x_head, std::nullopt);
}

std::uint64_t LaneStream::take_others()
{
    return std::exchange(x_others, 0);
}

bool LaneStream::open_bundle()
{
    if (x_next_bundle == x_index->bundles.size()) {
        return false;
    }
    const BundlePlace& bundle = x_index->bundles[x_next_bundle++];
    const Place& place = bundle.place;
    x_places->load(place, x_bundle);
    const std::uint32_t size = place.packing == Packing::None ? place.size : place.inner_size;
    x_is_end_damaged |= x_bundle.size() < size;
    x_bytes_read += size;
    x_events.clear();
    x_next_event = 0;
    x_compact.clear();
    x_next_compact = 0;
    x_head = x_head.value_or(BundleHead{});
    x_head->has_missing |= std::exchange(x_is_end_damaged, false);
    read_bundle(bundle.is_after_gap);
    return true;
}

/// Fields may stand in any order, so all are looked at before the first event is.
void LaneStream::read_bundle(bool is_after_gap)
{
    using Proto = proto::FtraceEventBundle;
    std::optional<std::uint64_t> written;
    std::optional<std::uint64_t> read;
    WireReader fields{x_bundle};
    while (fields.next()) {
        switch (fields.number()) {
        case Proto::kEventFieldNumber:
            x_events.push_back(fields.bytes());
            break;
        case Proto::kLostEventsFieldNumber:
            x_head->has_lost |= fields.value() != 0;
            break;
        case Proto::kCompactSchedFieldNumber:
            x_is_end_damaged |= !x_compact.read(fields.bytes());
            break;
        case Proto::kErrorFieldNumber:
            x_head->unparsed = std::min(x_head->unparsed.value_or(UINT64_MAX),
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
    x_is_end_damaged |= fields.is_damaged();
    x_is_damaged |= x_is_end_damaged;
    compare_ends(written, read, is_after_gap);
    if (x_compact.wakings() > 0) {
        x_others += x_compact.wakings();
        x_end = std::max(x_end, x_compact.last_waking());
    }
}

/// Since v47 Perfetto tells when the last event was written before this bundle: whether that
/// is here tells exactly whether a bundle is missing. v44 to v46 tell what was read, which may
/// not have been wanted; older ones tell nothing.
void LaneStream::compare_ends(std::optional<std::uint64_t> written,
                              std::optional<std::uint64_t> read, bool is_after_gap)
{
    if (x_next_bundle == 1) {
        x_head->previous_end = written ? written : read;
        x_head->has_missing |= is_after_gap && !x_head->previous_end;
    } else if (written) {
        if (*written > x_end) {
            x_head->has_missing = true;
            x_head->resumed = written;
        }
    } else {
        x_head->has_missing |= is_after_gap;
    }
}

bool LaneStream::read_event(Bytes bytes, LaneEvent& event)
{
    WireReader fields{bytes};
    while (fields.next()) {
        if (fields.number() == proto::FtraceEvent::kTimestampFieldNumber) {
            event.ticks = fields.value();
            x_end = std::max(x_end, fields.value());
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
