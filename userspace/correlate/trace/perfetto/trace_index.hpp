// SPDX-License-Identifier: MIT
//
// What a first walk over a Perfetto file finds: where the bundles of events are, and all
// that is said once (clocks, processes, losses, descriptions of events).
//
// The packets of a file are in order only within one sequence (one writer), and its events
// only within one CPU of that. A lane is one CPU of one sequence. Sorting all events would
// take memory as large as the trace. So the walk notes the place of each bundle, 40 bytes
// for what are mostly some kilobytes of events, and the second walk merges the lanes with
// one bundle of each in memory.
#pragma once

#include "event_form.hpp"
#include "packet_file.hpp"
#include "thread_names.hpp"

#include <map>
#include <optional>

namespace lttng_gpu::trace::perfetto {

struct BundlePlace {
    Place place;
    std::uint64_t first = 0;   // ticks of its first event
    bool is_after_gap = false; // packets of its sequence were dropped before it
};

struct LaneIndex {
    std::uint32_t cpu = 0;
    std::size_t sequence = 0; // index
    std::vector<BundlePlace> bundles;
    bool is_before_gap = false; // packets were dropped after the last bundle
};

/// One writer of ftrace's events.
struct Sequence {
    std::uint32_t id = 0;
    EventForms forms; // of events that the trace itself describes
    /// Its clock is another one than CLOCK_BOOTTIME: what to add, by its first bundle.
    std::int64_t to_boot_time = 0;
    bool counts_nanoseconds = true;
    bool has_lost_begin = false;                 // the buffer no longer had its first packets
    bool has_old_events = false;                 // of before the recording, on purpose
    std::map<std::uint32_t, std::uint64_t> lost; // events of a CPU, by the kernel's statistics
};

struct TraceIndex {
    std::vector<Sequence> sequences;
    std::vector<LaneIndex> lanes;
    ThreadNames threads;
    std::optional<std::int64_t> boot_to_epoch; // CLOCK_REALTIME - CLOCK_BOOTTIME
    std::string kernel_release;
    std::uint64_t packets_lost = 0;   // by the statistics of the service
    bool has_lost_end = false;        // the last packets did not get into the trace
    std::uint64_t foreign_events = 0; // of other machines, whose clock is unknown
    bool is_damaged = false;
};

TraceIndex make_index(const ftrace::File& file);

} // namespace lttng_gpu::trace::perfetto
