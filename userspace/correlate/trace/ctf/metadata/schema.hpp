// SPDX-License-Identifier: MIT
//
// What the metadata of one CTF trace says, in plain structures: the same for
// CTF 1.8 (TSDL) and CTF 2 (JSON). The metadata readers make it, the plan
// compiler takes it; nothing here is looked at while events are read.
//
// Field classes form trees. A variant, a sequence or an optional field depends
// on a field that was decoded before it; the metadata reader resolves that
// reference, and both ends carry the same register number.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lttng_gpu::trace::ctf {

enum class ByteOrder : std::uint8_t { Little, Big };

struct FieldClass;
using FieldClassPtr = std::shared_ptr<const FieldClass>;

/// Number of the place where a decoded value is kept for a later field.
using Register = std::uint32_t;

/// What a reader must do with a field besides skipping it. CTF 2 says it by
/// roles, CTF 1.8 by names (trace and stream scopes) and by `map` (clocks).
enum class Role : std::uint8_t {
    None,
    Magic,
    TraceUuid, // an array of 16 bytes
    StreamClassId,
    StreamId,
    PacketContentLength, // bits
    PacketTotalLength,   // bits
    PacketBegin,         // timestamp_begin
    PacketEnd,           // timestamp_end
    EventsDiscarded,
    PacketSequenceNumber,
    EventClassId,
    Timestamp, // advances the clock of the stream: the low `bits` of its value
};

/// An inclusive range of values, as the bits of a 64-bit number. Signed when the
/// tag or enumeration that it belongs to is signed.
struct ValueRange {
    std::uint64_t lower = 0;
    std::uint64_t upper = 0;

    bool operator==(const ValueRange&) const = default;
};

/// The ranges of an enumeration's labels.
using Labels = std::map<std::string, std::vector<ValueRange>, std::less<>>;

/// CTF 2 tells these apart; all are read alike.
enum class IntegerKind : std::uint8_t { Number, Bits, Boolean };

/// Fixed-length integers, enumerations, booleans and bit maps.
struct IntegerClass {
    std::uint32_t bits = 0;      // 1 to 64
    std::uint32_t alignment = 1; // in bits, a power of two
    ByteOrder byte_order = ByteOrder::Little;
    bool is_signed = false;
    /// A character of a text when it is an element of an array (8 bits, UTF-8 or ASCII).
    bool is_character = false;
    IntegerKind kind = IntegerKind::Number;
    std::uint8_t base = 10; // to be shown in (CTF 2)
    Role role = Role::None;
    /// Where a later field finds this value.
    std::optional<Register> keeps;
    std::shared_ptr<const Labels> labels; // of an enumeration, else null
};

/// LEB128 (CTF 2).
struct VariableIntegerClass {
    bool is_signed = false;
    Role role = Role::None;
    std::optional<Register> keeps;
    std::shared_ptr<const Labels> labels; // of an enumeration, else null
};

/// IEEE 754 of 16, 32, 64 or 128 bits; 16 and 128 are skipped, never read.
struct RealClass {
    std::uint32_t bits = 0;
    std::uint32_t alignment = 1;
    ByteOrder byte_order = ByteOrder::Little;
};

/// Up to and with a code unit of zero; `unit_bytes` is 1 for UTF-8, 2 or 4 for UTF-16/32.
struct StringClass {
    std::uint32_t unit_bytes = 1;
};

struct Member {
    std::string name; // as written; a leading underscore of CTF 1.8 is removed
    FieldClassPtr type;
};

struct StructureClass {
    std::vector<Member> members;
    std::uint32_t alignment = 1; // the declared minimum; members may need more
};

/// `length` elements. As a text or blob: bytes.
struct ArrayClass {
    FieldClassPtr element;
    std::uint64_t length = 0;
    std::uint32_t alignment = 1; // the declared minimum
    Role role = Role::None;      // TraceUuid only
};

/// As many elements as the register says.
struct SequenceClass {
    FieldClassPtr element;
    Register length = 0;
    std::uint32_t alignment = 1;
};

/// CTF 2: text of a fixed or a kept number of bytes (ends earlier at a zero unit).
struct StaticTextClass {
    std::uint64_t bytes = 0;
    std::uint32_t unit_bytes = 1;
};
struct DynamicTextClass {
    Register bytes = 0;
    std::uint32_t unit_bytes = 1;
};
/// CTF 2: raw bytes.
struct StaticBlobClass {
    std::uint64_t bytes = 0;
    Role role = Role::None; // TraceUuid only
};
struct DynamicBlobClass {
    Register bytes = 0;
};

struct VariantOption {
    std::string name;
    std::vector<ValueRange> ranges;
    FieldClassPtr type;
};

/// The option whose ranges hold the tag; none is an error of the packet.
struct VariantClass {
    Register tag = 0;
    bool is_tag_signed = false;
    std::vector<VariantOption> options;
};

/// CTF 2: there when the selector is in a range (a boolean: not zero).
struct OptionalClass {
    Register selector = 0;
    bool is_selector_signed = false;
    std::vector<ValueRange> ranges;
    FieldClassPtr type;
};

struct FieldClass {
    std::variant<IntegerClass, VariableIntegerClass, RealClass, StringClass, StructureClass,
                 ArrayClass, SequenceClass, StaticTextClass, DynamicTextClass, StaticBlobClass,
                 DynamicBlobClass, VariantClass, OptionalClass>
        kind;
};

struct ClockClass {
    std::string name;
    std::string uid;                         // CTF 1.8: the uuid
    std::uint64_t frequency = 1'000'000'000; // Hz
    std::int64_t offset_seconds = 0;
    std::uint64_t offset_cycles = 0;
    bool is_origin_unix_epoch = true;
    std::string description; // CTF 2
};

struct EventClass {
    std::uint64_t id = 0;
    std::string name;
    FieldClassPtr specific_context; // may be null
    FieldClassPtr payload;          // may be null
    std::string log_level;          // CTF 2: LTTng's name of it; else empty
    std::string model_uri;          // CTF 2: LTTng's "emf-uri"; else empty
};

struct EnvironmentValue {
    std::string text; // of a number its digits
    bool is_number = false;
};
using Environment = std::map<std::string, EnvironmentValue, std::less<>>;

/// Empty when there is no such entry.
inline std::string_view text_of(const Environment& environment, std::string_view name)
{
    const auto found = environment.find(name);
    return found == environment.end() ? std::string_view{} : found->second.text;
}

struct StreamClass {
    std::uint64_t id = 0;
    std::optional<std::size_t> clock; // index into Schema::clocks
    FieldClassPtr packet_context;     // may be null
    FieldClassPtr event_header;       // may be null
    FieldClassPtr common_context;     // may be null
    std::vector<EventClass> events;
};

struct Schema {
    std::optional<std::array<std::uint8_t, 16>> uuid;
    std::string identity;        // CTF 2: namespace, name and uid; else empty
    FieldClassPtr packet_header; // may be null
    std::vector<ClockClass> clocks;
    std::vector<StreamClass> streams;
    /// One more than the largest register used anywhere.
    Register register_count = 0;
    Environment environment;
};

} // namespace lttng_gpu::trace::ctf
