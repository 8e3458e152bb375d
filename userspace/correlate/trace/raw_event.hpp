// SPDX-License-Identifier: MIT
//
// What a reader hands out: one event of the trace with the values of the
// fields that were asked for, or one gap in the trace. Texts are views that
// stay valid only until the consumer returns.
#pragma once

#include "../base/ids.hpp"
#include "../base/time.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace lttng_gpu::trace {

/// Numbers of 64 bits, one after the other, as a trace has them: little endian and
/// at any address.
class NumberList {
public:
    constexpr NumberList() = default;
    NumberList(const void* bytes, std::uint32_t count)
        : m_bytes{static_cast<const unsigned char*>(bytes)}, m_count{count}
    {
    }

    std::size_t size() const { return m_count; }
    std::uint64_t operator[](std::size_t index) const
    {
        std::uint64_t number = 0;
        std::memcpy(&number, m_bytes + index * sizeof number, sizeof number);
        return std::endian::native == std::endian::little ? number : __builtin_bswap64(number);
    }
    const unsigned char* bytes() const { return m_bytes; }

private:
    const unsigned char* m_bytes = nullptr;
    std::uint32_t m_count = 0;
};

/// The value of one field, none when the event has no such field. Sixteen
/// bytes and trivially copyable, because readers write millions a second.
class FieldValue {
public:
    /// Integers, and only they, are odd numbers: whether a value is one is asked for nearly
    /// every field of every event.
    enum class Kind : std::uint8_t {
        None = 0,
        Unsigned = 1,
        Signed = 3,
        Real = 2,
        Text = 4,
        Numbers = 6
    };

    constexpr FieldValue() = default;
    constexpr explicit FieldValue(std::uint64_t value)
        : m_bits{value}, m_tag{tag_of(Kind::Unsigned)}
    {
    }
    constexpr explicit FieldValue(std::int64_t value)
        : m_bits{static_cast<std::uint64_t>(value)}, m_tag{tag_of(Kind::Signed)}
    {
    }
    constexpr explicit FieldValue(double value)
        : m_bits{std::bit_cast<std::uint64_t>(value)}, m_tag{tag_of(Kind::Real)}
    {
    }
    /// Of texts beyond 4 GiB the beginning.
    explicit FieldValue(std::string_view text)
        : m_bits{reinterpret_cast<std::uintptr_t>(text.data())}, m_tag{tag_of(Kind::Text) |
                                                                       static_cast<std::uint32_t>(
                                                                           text.size())}
    {
    }

    explicit FieldValue(const NumberList& numbers)
        : m_bits{reinterpret_cast<std::uintptr_t>(numbers.bytes())},
          m_tag{tag_of(Kind::Numbers) | static_cast<std::uint32_t>(numbers.size())}
    {
    }

    /// For readers that settle the kind of a field before they see its values.
    /// `enumeration` is of integers only, see enumeration().
    static constexpr std::uint64_t tag_of(Kind kind, std::uint32_t enumeration = 0)
    {
        return static_cast<std::uint64_t>(kind) << kind_shift | enumeration;
    }
    static constexpr FieldValue of_bits(std::uint64_t bits, std::uint64_t tag)
    {
        FieldValue value{bits};
        value.m_tag = tag;
        return value;
    }

    /// Another number of the same kind.
    constexpr void set_bits(std::uint64_t bits) { m_bits = bits; }

    constexpr Kind kind() const { return static_cast<Kind>(m_tag >> kind_shift); }
    constexpr bool is_integer() const { return (m_tag >> kind_shift & 1U) != 0; }

    /// Integers may have been recorded signed or unsigned; both read either way.
    constexpr std::optional<std::uint64_t> as_unsigned() const
    {
        return is_integer() ? std::optional{m_bits} : std::nullopt;
    }
    constexpr std::uint64_t as_unsigned_or(std::uint64_t other) const
    {
        return is_integer() ? m_bits : other;
    }
    constexpr std::optional<std::int64_t> as_signed() const
    {
        return is_integer() ? std::optional{static_cast<std::int64_t>(m_bits)} : std::nullopt;
    }
    /// The same value, marked as one of that enumeration if it is an integer.
    constexpr FieldValue of_enumeration(std::uint32_t number) const
    {
        return is_integer() ? of_bits(m_bits, tag_of(kind(), number)) : *this;
    }
    /// The number that EnumerationTable gave what the value is of; 0: the value is just a number.
    constexpr std::uint32_t enumeration() const
    {
        return is_integer() ? static_cast<std::uint32_t>(m_tag) : 0;
    }
    constexpr std::optional<double> as_real() const
    {
        return kind() == Kind::Real ? std::optional{std::bit_cast<double>(m_bits)} : std::nullopt;
    }
    /// Empty when the field is no text.
    std::string_view as_text() const
    {
        return kind() == Kind::Text ? std::string_view{reinterpret_cast<const char*>(
                                                           static_cast<std::uintptr_t>(m_bits)),
                                                       static_cast<std::uint32_t>(m_tag)}
                                    : std::string_view{};
    }
    /// Empty when the field is no sequence of 64-bit integers.
    NumberList as_numbers() const
    {
        return kind() == Kind::Numbers
                   ? NumberList{reinterpret_cast<const void*>(static_cast<std::uintptr_t>(m_bits)),
                                static_cast<std::uint32_t>(m_tag)}
                   : NumberList{};
    }

private:
    static constexpr unsigned kind_shift = 32;

    // Two whole words: members of other sizes are copied in pieces that overlap,
    // and a load that spans two stores waits for both.
    std::uint64_t m_bits = 0; // the number, or the address of the text
    /// Kind, and below it the length of the text or list, or the integer's enumeration.
    std::uint64_t m_tag = 0;
};

/// The context fields of LTTng, when recorded.
struct ContextValues {
    FieldValue pid; // without it vpid
    FieldValue tid; // without it vtid
    FieldValue procname;
    /// The thread's pid namespace, by its inode number, and the numbers that it has in there.
    FieldValue pid_ns;
    FieldValue vpid;
    FieldValue vtid;
};

struct RawEvent {
    Timestamp time;
    TraceId trace;
    Cpu cpu;
    std::size_t wanted = 0;             // index into the list of wanted events
    std::span<const FieldValue> fields; // in the order they were asked for
    ContextValues context;
};

enum class LossUnit {
    Events,
    Packets,
    /// Nothing was dropped by the tracer, but this CPU's buffer begins later than
    /// others of the trace because it was overwritten (flight recorder).
    LateBegin,
    /// The tracer said nothing; an earlier reading found that this CPU was not recorded.
    Silent,
};

/// The tracer dropped something on one CPU between begin and end.
struct Loss {
    Timestamp begin;
    Timestamp end;
    TraceId trace;
    Cpu cpu;
    LossUnit unit = LossUnit::Events;
    std::optional<std::uint64_t> count; // empty: the trace does not say how many
};

} // namespace lttng_gpu::trace
