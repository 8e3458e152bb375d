// SPDX-License-Identifier: MIT
//
// How the events of one class are read: steps over the body, and for nearly all of them a
// shorter way, segments of fixed size with texts between them.
#pragma once

#include "../raw_event.hpp"
#include "record_form.hpp"
#include "structure_plan.hpp"

#include <string>

namespace lttng_gpu::trace::ctf {

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
    StructurePlan body;                     // common context, specific context, payload
    std::string name;
};

} // namespace lttng_gpu::trace::ctf
