// SPDX-License-Identifier: MIT
//
// Everything that decoding one trace needs to know, worked out once from its
// schema and from what the consumer wants: plans for packet header, packet
// context and event header, and one plan for each event class.
#pragma once

#include "../enumeration_table.hpp"
#include "../event_source.hpp"
#include "decode_plan.hpp"
#include "record_form.hpp"

#include <memory>
#include <unordered_map>

namespace lttng_gpu::trace::ctf {

/// How an event header is read. The two forms of LTTng (lttng-modules,
/// src/lttng-abi.c and include/lttng/tracer.h: compact and large) have a way of
/// their own when they are little endian and byte aligned; anything else is steps.
enum class HeaderForm : std::uint8_t { Steps, Compact, Large };

/// A whole little-endian integer of a segment: the low bits of the eight bytes at
/// its offset, without a branch: ((bytes & mask) ^ sign) - sign, where sign is its
/// highest bit or zero.
struct IntegerRead {
    std::uint32_t offset = 0; // bytes from the beginning of the segment
    std::uint32_t slot = 0;
    std::uint64_t tag = 0; // FieldValue::tag_of()
    std::uint64_t mask = 0;
    std::uint64_t sign = 0;
};

/// An array of characters in a segment.
struct TextRead {
    std::uint32_t offset = 0;
    std::uint32_t slot = 0;
    std::uint32_t length = 0; // bytes
};

/// Bytes of fixed size, then perhaps a text that ends with a zero.
struct Segment {
    std::uint64_t bytes = 0;
    std::uint32_t integer_count = 0; // of EventPlan::integer_reads, in order
    std::uint32_t text_count = 0;    // of EventPlan::text_reads, in order
    std::uint32_t string_slot = 0;
    bool has_string = false;
    bool is_string_wanted = false;
};

// The same places once more, from the beginning of the body: so many bytes besides the texts
// before, and the lane of TextSums that says how many they have.

struct LocatedInteger {
    std::uint32_t offset = 0;
    std::uint32_t lane = 0;
    std::uint32_t slot = 0;
    std::uint64_t mask = 0;
    std::uint64_t sign = 0;
};

struct LocatedString {
    std::uint32_t offset = 0;
    std::uint32_t lane = 0;
    std::uint32_t slot = 0;
    std::uint32_t length = 0; // where it begins in RecordForm::lengths(), in bits
};

struct LocatedText {
    std::uint32_t offset = 0;
    std::uint32_t lane = 0;
    std::uint32_t slot = 0;
    std::uint32_t length = 0; // bytes of the array
};

struct LocatedReads {
    std::vector<LocatedInteger> integers;
    std::vector<LocatedString> strings;
    std::vector<LocatedText> texts;
};

struct EventPlace;

struct EventPlan {
    static constexpr std::uint32_t none = UINT32_MAX;

    // What is looked at for every event comes first.
    std::uint32_t wanted = none;
    /// All of the body is byte aligned and consists of little-endian integers and
    /// texts, as with nearly all events of LTTng: segments instead of steps.
    bool is_simple = false;
    /// All that is wanted are integers of the first segment, one for each slot in order.
    bool is_dense = false;
    bool is_any_signed = false;      // of the integers
    EventPlace* place = nullptr;     // the source's, for handing out
    std::uint32_t context_count = 0; // slots of the contexts come first,
    std::uint32_t field_count = 0;   // then those of the wanted fields
    std::uint32_t slot_count = 0;
    std::uint32_t wanted_segments = 0; // how many of them must be looked at for values
    std::vector<Segment> segments;     // at least one when simple
    std::vector<IntegerRead> integer_reads;
    std::vector<TextRead> text_reads;
    LocatedReads located; // empty where there are more texts than RecordForm has places for

    std::uint32_t pid_slot = none;
    std::uint32_t tid_slot = none;
    std::uint32_t procname_slot = none;
    std::uint32_t pid_ns_slot = none;
    std::uint32_t vpid_slot = none;
    std::uint32_t vtid_slot = none;
    bool has_namespace = false; // one of the last three is there
    std::uint32_t name_slot = none;
    std::vector<std::uint32_t> empty_slots; // fields that this class does not have
    DecodePlan body;                        // common context, specific context, payload
    std::string name;
};

/// Cycles to nanoseconds since the origin.
class ClockMap {
public:
    ClockMap() = default;
    explicit ClockMap(const ClockClass& clock);

    /// Cycles up to this one are nanoseconds but for the offset, and fit.
    std::uint64_t simple_limit() const
    {
        return m_is_nanoseconds
                   ? static_cast<std::uint64_t>(INT64_MAX - (m_offset > 0 ? m_offset : 0))
                   : 0;
    }
    std::int64_t offset() const { return m_offset; }

    /// False when the time does not fit into 64 bits.
    bool to_time(std::uint64_t cycles, std::int64_t& nanoseconds) const
    {
        if (m_is_nanoseconds) {
            return cycles <= INT64_MAX && !__builtin_add_overflow(static_cast<std::int64_t>(cycles),
                                                                  m_offset, &nanoseconds);
        }
        return scale(cycles, nanoseconds);
    }
    /// The offset itself does not fit.
    bool is_usable() const { return m_is_usable; }

private:
    bool scale(std::uint64_t cycles, std::int64_t& nanoseconds) const;

    std::uint64_t m_frequency = 1'000'000'000;
    std::uint64_t m_offset_cycles = 0; // only when not nanoseconds
    std::int64_t m_offset = 0;
    bool m_is_nanoseconds = true;
    bool m_is_usable = true;
};

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
    DecodePlan packet_context;
    HeaderForm header_form = HeaderForm::Steps;
    /// An event depends on a value of packet header, packet context or event header.
    bool needs_outer_values = false;
    DecodePlan event_header;
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
    DecodePlan packet_header;
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
