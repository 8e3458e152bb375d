// SPDX-License-Identifier: MIT
//
// See kernel_stream.hpp.
#include "kernel_stream.hpp"

#include <bit>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace lttng_gpu::bench {
namespace {

static_assert(std::endian::native == std::endian::little, "as the traces that this writes");

constexpr std::size_t packet_bytes = 1U << 20U;
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t packet_header_bytes = 4 + 16 + 4 + 8;
constexpr std::size_t packet_context_bytes = 6 * 8 + 4;
constexpr std::size_t longest_event_header = 14;
constexpr std::uint32_t packet_magic = 0xc1fc1fc1;
constexpr std::uint64_t stream_class = 0;

/// Index files are big endian.
std::string big_endian(std::initializer_list<std::uint64_t> numbers, unsigned bytes_each)
{
    std::string bytes;
    for (const std::uint64_t number : numbers) {
        for (unsigned byte = bytes_each; byte-- > 0;) {
            bytes += static_cast<char>((number >> (8 * byte)) & 0xffU);
        }
    }
    return bytes;
}

} // namespace

KernelStream::KernelStream(const std::filesystem::path& directory, std::uint32_t cpu,
                           HeaderForm form)
    : m_cpu{cpu}, m_form{form}, m_packet(packet_bytes)
{
    const std::string name = "gpu_" + std::to_string(cpu);
    std::filesystem::create_directories(directory / "index");
    m_file = create(directory / name);
    m_index = create(directory / "index" / (name + ".idx"));
    write_index_header();
}

KernelStream::File KernelStream::create(const std::filesystem::path& path)
{
    File file{std::fopen(path.c_str(), "wb")};
    if (file == nullptr) {
        throw std::runtime_error{"cannot create " + path.string()};
    }
    return file;
}

void KernelStream::write(std::FILE* file, const void* bytes, std::size_t count)
{
    if (std::fwrite(bytes, 1, count, file) != count) {
        throw std::runtime_error{"cannot write: is the disk full?"};
    }
}

/// struct ctf_packet_index_file_hdr, version 1.1.
void KernelStream::write_index_header()
{
    constexpr std::uint64_t entry_bytes = 9 * 8;
    const std::string header = big_endian({0xc1f1dcc1, 1, 1, entry_bytes}, 4);
    write(m_index.get(), header.data(), header.size());
}

Cursor KernelStream::begin_event(std::uint32_t id, std::uint64_t time, std::size_t longest)
{
    if (m_used + longest_event_header + longest > packet_bytes) {
        end_packet(time, packet_bytes);
    }
    if (m_used == 0) {
        begin_packet(time);
    }
    Cursor cursor{m_packet.data() + m_used};
    put_header(cursor, id, time);
    m_last_time = time;
    return cursor;
}

void KernelStream::put_header(Cursor& cursor, std::uint32_t id, std::uint64_t time)
{
    const unsigned time_bits = m_form == HeaderForm::Compact ? 27 : 32;
    const bool is_extended = (time - m_last_time) >> time_bits != 0;
    if (m_form == HeaderForm::Compact) {
        constexpr std::uint8_t extended_id = 31;
        if (!is_extended) {
            cursor.put(static_cast<std::uint32_t>(id | time << 5U));
            return;
        }
        cursor.put(extended_id);
    } else {
        constexpr std::uint16_t extended_id = 65535;
        if (!is_extended) {
            cursor.put(static_cast<std::uint16_t>(id));
            cursor.put(static_cast<std::uint32_t>(time));
            return;
        }
        cursor.put(extended_id);
    }
    cursor.put(id);
    cursor.put(time);
}

/// The header is written when the packet is complete.
void KernelStream::begin_packet(std::uint64_t time)
{
    m_begin = time;
    m_used = packet_header_bytes + packet_context_bytes;
}

/// As in the tracer, the event that does not fit ends one packet and begins the next.
void KernelStream::end_packet(std::uint64_t time, std::size_t bytes)
{
    const std::uint64_t content_bits = m_used * 8;
    const std::uint64_t packet_bits = bytes * 8;
    Cursor cursor{m_packet.data()};
    cursor.put(packet_magic);
    cursor.put_bytes(trace_uuid.data(), trace_uuid.size());
    cursor.put(static_cast<std::uint32_t>(stream_class));
    cursor.put(std::uint64_t{m_cpu}); // the stream's instance
    cursor.put(m_begin);
    cursor.put(time);
    cursor.put(content_bits);
    cursor.put(packet_bits);
    cursor.put(m_sequence_number);
    cursor.put(std::uint64_t{0}); // events discarded
    cursor.put(m_cpu);
    std::memset(m_packet.data() + m_used, 0, bytes - m_used);
    write(m_file.get(), m_packet.data(), bytes);
    const std::string entry = big_endian({m_offset, packet_bits, content_bits, m_begin, time, 0,
                                          stream_class, m_cpu, m_sequence_number},
                                         8);
    write(m_index.get(), entry.data(), entry.size());
    m_offset += bytes;
    ++m_sequence_number;
    m_used = 0;
}

void KernelStream::close(std::uint64_t time)
{
    if (m_used > 0) {
        end_packet(time, (m_used + page_bytes - 1) / page_bytes * page_bytes);
    }
    if (std::fflush(m_file.get()) != 0 || std::fflush(m_index.get()) != 0) {
        throw std::runtime_error{"cannot write: is the disk full?"};
    }
}

} // namespace lttng_gpu::bench
