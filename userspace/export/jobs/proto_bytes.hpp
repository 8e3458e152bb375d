// SPDX-License-Identifier: MIT
//
// Protocol buffers, written where they end up: no message objects, no copy. Lengths of messages
// are known only when they are written, so each has two bytes kept for it (a varint may be longer
// than it must); a message must be shorter than 16 KiB.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace lttng_gpu::exporting {

class ProtoBytes {
public:
    explicit ProtoBytes(char* at) : m_at{at} {}

    char* end() const { return m_at; }

    void number(unsigned field, std::uint64_t value)
    {
        varint(field << 3U);
        varint(value);
    }
    void fixed(unsigned field, std::uint64_t value)
    {
        varint(field << 3U | 1U);
        // Little endian, as the machines are that this runs on.
        std::memcpy(m_at, &value, sizeof value);
        m_at += sizeof value;
    }
    void text(unsigned field, std::string_view text)
    {
        varint(field << 3U | 2U);
        varint(text.size());
        std::memcpy(m_at, text.data(), text.size());
        m_at += text.size();
    }
    /// What `write` writes is the message.
    template <typename Write> void message(unsigned field, Write write)
    {
        varint(field << 3U | 2U);
        char* const length = m_at;
        m_at += 2;
        write();
        const auto size = static_cast<unsigned>(m_at - length - 2);
        length[0] = static_cast<char>(size | 0x80U);
        length[1] = static_cast<char>(size >> 7U & 0x7FU);
    }

private:
    void varint(std::uint64_t value)
    {
        while (value >= 0x80U) {
            *m_at++ = static_cast<char>(value | 0x80U);
            value >>= 7U;
        }
        *m_at++ = static_cast<char>(value);
    }

    char* m_at;
};

} // namespace lttng_gpu::exporting
