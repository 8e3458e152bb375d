// SPDX-License-Identifier: MIT
//
// The events of one lane, one after the other, with what the bundles say of gaps between
// them. One bundle is in memory. Switches in the compact form take their places among the
// other events by their times.
#pragma once

#include "compact_sched.hpp"
#include "trace_index.hpp"

namespace lttng_gpu::trace::perfetto {

/// What bundles say of themselves and of what is before their first event. Times are ticks.
struct BundleHead {
    bool has_lost = false; // the kernel's buffer was overwritten
    /// Bundles are missing since the one before; until when, if that is told.
    bool has_missing = false;
    std::optional<std::uint64_t> resumed;
    /// Of the lane's first bundle: the last event before it, 0 when there was none.
    std::optional<std::uint64_t> previous_end;
    std::optional<std::uint64_t> unparsed; // from then on events of some page are missing
};

struct LaneEvent {
    std::optional<std::uint64_t> ticks;
    std::optional<std::uint32_t> tid;
    std::uint32_t number = 0;           // 0: an event of no kind
    Bytes body;                         // good until the next call
    std::optional<std::size_t> compact; // a switch of compact()
};

class LaneStream {
public:
    /// What is given must outlive this.
    LaneStream(const LaneIndex& index, PlaceReader& places) : x_index{&index}, x_places{&places} {}

    /// False at the end.
    bool next(LaneEvent& event);
    /// What was said before the event that came last, since the last call; nothing when no
    /// bundle began there.
    std::optional<BundleHead> take_head();
    const CompactSched& compact() const { return x_compact; }
    /// How many events that are of no interest there were since the last call.
    std::uint64_t take_others();

    bool is_damaged() const { return x_is_damaged; }
    std::uint64_t bytes_read() const { return x_bytes_read; }

private:
    bool open_bundle();
    void damage();
    void read_bundle(bool is_after_gap);
    void compare_ends(std::optional<std::uint64_t> written, std::optional<std::uint64_t> read,
                      bool is_after_gap);
    bool read_event(Bytes bytes, LaneEvent& event);
    void take_compact(LaneEvent& event);
    bool is_compact_next(const LaneEvent& event) const;

    const LaneIndex* x_index;
    PlaceReader* x_places;
    std::size_t x_next_bundle = 0;
    std::vector<std::uint8_t> x_bundle;
    std::vector<Bytes> x_events;
    std::size_t x_next_event = 0;
    CompactSched x_compact;
    std::size_t x_next_compact = 0;
    std::optional<LaneEvent> x_waiting; // an event that is later than a switch
    std::optional<BundleHead> x_head;
    std::uint64_t x_others = 0;
    std::uint64_t x_end = 0; // ticks of the latest event so far
    std::uint64_t x_bytes_read = 0;
    bool x_is_damaged = false;
    bool x_is_end_damaged = false; // events behind those of the bundle may be missing
};

} // namespace lttng_gpu::trace::perfetto
