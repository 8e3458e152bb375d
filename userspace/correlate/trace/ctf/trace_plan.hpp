// SPDX-License-Identifier: MIT
//
// Everything that decoding one trace needs to know, worked out once from its
// schema and from what the consumer wants: plans for packet header, packet
// context and event header, and one plan for each event class.
#pragma once

#include "../enumeration_table.hpp"
#include "../event_source.hpp"
#include "clock_map.hpp"
#include "event_plan.hpp"

#include <memory>
#include <unordered_map>

namespace lttng_gpu::trace::ctf {

/// How an event header is read. The two forms of LTTng (lttng-modules,
/// src/lttng-abi.c and include/lttng/tracer.h: compact and large) have a way of
/// their own when they are little endian and byte aligned; anything else is steps.
enum class HeaderForm : std::uint8_t { Steps, Compact, Large };

/// The few facts about an event class that the fast loop of the decoder needs: its
/// body is so many bytes, and perhaps some texts that end with a zero.
struct FastEvent {
    static constexpr std::size_t most_strings = RecordForm::most_texts;
    static constexpr std::uint64_t most_bytes = 4096; // of a segment

    const EventPlan* plan = nullptr; // null: the class needs more than that
    std::uint16_t bytes = 0;         // before the first text, or in all
    std::uint8_t strings = 0;
    bool is_wanted = false;
    std::array<std::uint16_t, most_strings> bytes_behind{}; // each of the texts
};

struct StreamPlan {
    std::uint64_t id = 0;
    StructurePlan packet_context;
    HeaderForm header_form = HeaderForm::Steps;
    /// An event depends on a value of packet header, packet context or event header.
    bool needs_outer_values = false;
    StructurePlan event_header;
    std::optional<ClockMap> clock;
    std::vector<EventPlan> events;
    std::vector<const EventPlan*> by_small_id; // null: no such class
    std::unordered_map<std::uint64_t, const EventPlan*> by_large_id;
    std::uint32_t max_slot_count = 0;
    std::vector<FastEvent> fast_events; // by small id
    bool needs_lengths = false;         // of texts: not all that is wanted lies before them
    std::uint32_t max_fast_bytes = 0;   // before a first text, or in all
    std::uint32_t max_bytes_behind = 0; // a text

    const EventPlan* find(std::uint64_t event) const
    {
        if (event < by_small_id.size()) {
            return by_small_id[event];
        }
        const auto found = by_large_id.find(event);
        return found == by_large_id.end() ? nullptr : found->second;
    }
};

struct TracePlan {
    std::optional<std::array<std::uint8_t, 16>> uuid;
    StructurePlan packet_header;
    std::vector<StreamPlan> streams;
    Register register_count = 0;
    /// Event times never exceed the packet's end (not so in old LTTng versions).
    bool is_packet_end_binding = false;
    /// Every wanted event comes with pid, tid and procname.
    bool has_contexts = true;

    const StreamPlan* find(std::uint64_t stream_class) const;
};

/// Slots of packet header and context are numbered by role; the CPU comes after.
constexpr std::uint32_t cpu_slot = static_cast<std::uint32_t>(Role::Timestamp) + 1;
constexpr std::uint32_t packet_slot_count = cpu_slot + 1;

/// Streams of the result are never moved: events point to each other's plans. `enumerations`
/// gets those of wanted fields; without it their values are just numbers.
std::unique_ptr<TracePlan> make_trace_plan(const Schema& schema,
                                           const std::vector<WantedEvent>& wanted,
                                           EnumerationTable* enumerations = nullptr);

} // namespace lttng_gpu::trace::ctf
