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
    LaneStream(const LaneIndex& index, PlaceReader& places) : m_index{&index}, m_places{&places} {}

    /// False at the end.
    bool next(LaneEvent& event);
    /// What was said before the event that came last, since the last call; nothing when no
    /// bundle began there.
    std::optional<BundleHead> take_head();
    const CompactSched& compact() const { return m_compact; }
    /// How many events that are of no interest there were since the last call.
    std::uint64_t take_others();

    bool is_damaged() const { return m_is_damaged; }
    std::uint64_t bytes_read() const { return m_bytes_read; }

private:
    bool open_bundle();
    void damage();
    void read_bundle(bool is_after_gap);
    void compare_ends(std::optional<std::uint64_t> written, std::optional<std::uint64_t> read,
                      bool is_after_gap);
    bool read_event(Bytes bytes, LaneEvent& event);
    void take_compact(LaneEvent& event);
    bool is_compact_next(const LaneEvent& event) const;

    const LaneIndex* m_index;
    PlaceReader* m_places;
    std::size_t m_next_bundle = 0;
    std::vector<std::uint8_t> m_bundle;
    std::vector<Bytes> m_events;
    std::size_t m_next_event = 0;
    CompactSched m_compact;
    std::size_t m_next_compact = 0;
    std::optional<LaneEvent> m_waiting; // an event that is later than a switch
    std::optional<BundleHead> m_head;
    std::uint64_t m_others = 0;
    std::uint64_t m_end = 0; // ticks of the latest event so far
    std::uint64_t m_bytes_read = 0;
    bool m_is_damaged = false;
    bool m_is_end_damaged = false; // events behind those of the bundle may be missing
};

} // namespace lttng_gpu::trace::perfetto
