// SPDX-License-Identifier: MIT
//
// One CPU's stream file and its index, byte for byte as LTTng's kernel tracer
// writes them on x86-64: packets of 1 MiB, everything packed, event headers in the
// compact form (5-bit id, 27-bit time) or the large one (16, 32), extended when the
// time has moved further than those bits tell. Holds one packet in memory.
// Layout: lttng-modules 2.13, lttng-ring-buffer-client.h, lttng-events.c
// (metadata); lttng-tools 2.13, common/index/ctf-index.h.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace lttng_gpu::bench {

enum class HeaderForm { Compact, Large };

inline constexpr std::array<unsigned char, 16> trace_uuid{
    0x2a, 0x64, 0x22, 0xd0, 0x6c, 0xee, 0x41, 0xe0, 0x8c, 0x08, 0xcb, 0x07, 0xd7, 0xb3, 0xa5, 0x64};

/// Puts values one after the other, little endian, without padding.
class Cursor {
public:
    explicit Cursor(char* at) : m_at{at} {}

    template <typename Number> void put(Number number)
    {
        std::memcpy(m_at, &number, sizeof number);
        m_at += sizeof number;
    }
    void put_bytes(const void* bytes, std::size_t count)
    {
        std::memcpy(m_at, bytes, count);
        m_at += count;
    }
    void put_text(std::string_view text)
    {
        put_bytes(text.data(), text.size());
        *m_at++ = '\0';
    }

    char* at() const { return m_at; }

private:
    char* m_at;
};

class KernelStream {
public:
    /// Throws std::runtime_error when the files cannot be written; so does every other member.
    KernelStream(const std::filesystem::path& directory, std::uint32_t cpu, HeaderForm form);

    /// Writes the header of an event whose context and payload are at most
    /// `longest` bytes; the caller puts these and gives the end to finish_event().
    Cursor begin_event(std::uint32_t id, std::uint64_t time, std::size_t longest);
    void finish_event(Cursor end) { m_used = static_cast<std::size_t>(end.at() - m_packet.data()); }

    /// Writes the last packet, which is as long as its pages.
    void close(std::uint64_t time);

private:
    struct CloseFile {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    using File = std::unique_ptr<std::FILE, CloseFile>;

    static File create(const std::filesystem::path& path);
    static void write(std::FILE* file, const void* bytes, std::size_t count);
    void write_index_header();
    void begin_packet(std::uint64_t time);
    void end_packet(std::uint64_t time, std::size_t packet_bytes);
    void put_header(Cursor& cursor, std::uint32_t id, std::uint64_t time);

    File m_file;
    File m_index;
    std::uint32_t m_cpu;
    HeaderForm m_form;
    std::vector<char> m_packet;
    std::size_t m_used = 0; // 0: no packet is open
    std::uint64_t m_begin = 0;
    std::uint64_t m_last_time = 0;
    std::uint64_t m_sequence_number = 0;
    std::uint64_t m_offset = 0;
};

} // namespace lttng_gpu::bench
