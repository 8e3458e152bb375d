// SPDX-License-Identifier: MIT
//
// What one trace system contributes to the normaliser: for each of its events
// the name, the fields it needs and the function that turns a raw event into
// normalised ones. One .cpp file per trace system; a new driver adds one.
#pragma once

#include "../base/anomaly.hpp"
#include "../trace/raw_event.hpp"
#include "gpu_event.hpp"
#include "ring_table.hpp"
#include "thread_table.hpp"
#include "virtio_fences.hpp"

#include <initializer_list>

namespace lttng_gpu::model {

/// What handlers may look at and change.
struct NormaliserState {
    StringPool& strings;
    RingTable& rings;
    AnomalyCounters& anomalies;
    ThreadTable threads;
    VirtioFences virtio_fences;
};

using EventHandler = void (*)(NormaliserState&, const trace::RawEvent&, GpuEvents& out);

struct EventSpec {
    std::string_view name;
    std::span<const std::string_view> fields;
    EventHandler handler;
};

std::span<const EventSpec> drm_sched_events();
std::span<const EventSpec> virtio_gpu_events();
std::span<const EventSpec> gpu_fence_events();
std::span<const EventSpec> sched_events();

/// The value of a wanted field by its position; nothing when absent.
std::optional<std::uint64_t> find_unsigned(const trace::RawEvent& event, std::size_t field);
std::optional<std::int64_t> find_signed(const trace::RawEvent& event, std::size_t field);
std::string_view find_text(const trace::RawEvent& event, std::size_t field);

/// Where a virtio_gpu submission is under way.
VirtioFences::Place place_of(const trace::RawEvent& event, const Actor& actor);

} // namespace lttng_gpu::model
