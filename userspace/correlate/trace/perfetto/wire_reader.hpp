// SPDX-License-Identifier: MIT
//
// Goes over the fields of one message without copying any: what is not wanted costs
// nothing but its length. A field that reaches beyond the end is handed out as far as
// it goes, and the message then counts as damaged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace lttng_gpu::trace::perfetto {

using Bytes = std::span<const std::uint8_t>;

/// Takes a number of variable length off the front; none where the bytes end in it or it is too
/// long.
std::optional<std::uint64_t> take_varint(Bytes& rest);

/// A field as it stands in the file.
struct WireField {
    std::uint32_t number = 0;
    bool has_bytes = false;
    std::uint64_t value = 0; // of a field without bytes
    Bytes bytes;             // a text or another message
};

class WireReader {
public:
    explicit WireReader(Bytes bytes) : m_rest{bytes} {}

    /// False at the end, and where it cannot be read any further.
    bool next();
    const WireField& field() const { return m_field; }
    std::uint32_t number() const { return m_field.number; }
    std::uint64_t value() const { return m_field.value; }
    /// Empty when the field is a number.
    Bytes bytes() const { return m_field.bytes; }
    bool is_damaged() const { return m_is_damaged; }

private:
    bool take_field();
    bool take_fixed(unsigned size);
    bool take_bytes();

    Bytes m_rest;
    WireField m_field;
    bool m_is_damaged = false;
};

} // namespace lttng_gpu::trace::perfetto
