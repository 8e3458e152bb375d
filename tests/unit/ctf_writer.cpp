// SPDX-License-Identifier: MIT
//
// See ctf_writer.hpp. Everything is little endian and byte aligned.
#include "ctf_writer.hpp"

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace lttng_gpu::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* metadata_head = R"(/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 32; align = 8; signed = true; } := s32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
typealias integer { size = 64; align = 8; signed = true; } := s64;
trace {
    major = 1; minor = 8; byte_order = le;
    uuid = "2a6422d0-6cee-11e0-8c08-cb07d7b3a564";
    packet.header := struct { u32 magic; u32 stream_id; };
};
clock { name = monotonic; freq = 1000000000; offset = )";
constexpr const char* metadata_rest = R"(; };
typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := time64;
stream {
    id = 0;
    packet.context := struct {
        time64 timestamp_begin; time64 timestamp_end; u64 content_size; u64 packet_size;
        u64 events_discarded; u32 cpu_id; )";
constexpr const char* packet_number = "u64 packet_seq_num;";
constexpr const char* metadata_header = R"(
    };
    event.header := struct { u32 id; time64 timestamp; };
)";
constexpr const char* contexts =
    "    event.context := struct { s32 _pid; s32 _tid; string _procname; };\n";
constexpr const char* metadata_tail = "};\n";

template <typename Number> void put(std::string& bytes, Number number)
{
    const auto wide = static_cast<std::uint64_t>(number);
    for (std::size_t byte = 0; byte < sizeof number; ++byte) {
        bytes += static_cast<char>((wide >> (8U * byte)) & 0xffU);
    }
}

void put(std::string& bytes, const std::string& text)
{
    bytes += text;
    bytes += '\0';
}

void put(std::string& bytes, const std::vector<std::uint64_t>& numbers)
{
    put(bytes, static_cast<std::uint32_t>(numbers.size()));
    for (const std::uint64_t number : numbers) {
        put(bytes, number);
    }
}

void put(std::string& bytes, const CtfEnumerator& enumerator)
{
    put(bytes, enumerator.value);
}

/// The first event of a name decides its fields.
std::string describe(const CtfEvent& event, std::uint32_t id)
{
    constexpr std::array<const char*, 4> types{"u64 _", "string _", "s64 _", "u64 _"};
    std::string text = "event { name = \"" + event.name + "\"; id = " + std::to_string(id) +
                       "; stream_id = 0; fields := struct { ";
    for (const CtfField& field : event.fields) {
        if (const auto* enumerator = std::get_if<CtfEnumerator>(&field.value)) {
            text += "enum : u64 { " + enumerator->labels + " } _" + field.name + "; ";
            continue;
        }
        const bool is_sequence = field.value.index() == 3;
        const std::string length = "_" + field.name + "_length";
        text += (is_sequence ? "u32 _" + length + "; " : "") + types[field.value.index()] +
                field.name + (is_sequence ? "[ _" + length + " ]" : "") + "; ";
    }
    return text + "}; };\n";
}

void encode(std::string& bytes, const CtfEvent& event, std::uint32_t id, bool has_contexts)
{
    put(bytes, id);
    put(bytes, event.time);
    if (has_contexts) {
        put(bytes, event.pid);
        put(bytes, event.tid);
        put(bytes, event.procname);
    }
    for (const CtfField& field : event.fields) {
        std::visit([&](const auto& value) { put(bytes, value); }, field.value);
    }
}

constexpr std::size_t largest_packet = 64 * 1024;

} // namespace

TemporaryDirectory::TemporaryDirectory()
{
    std::string pattern = (fs::temp_directory_path() / "lttng-gpu-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error{"cannot make a temporary directory"};
    }
    m_path = pattern;
}

TemporaryDirectory::~TemporaryDirectory()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

CtfWriter::CtfWriter(fs::path directory, std::size_t cpus, bool has_contexts,
                     std::int64_t clock_offset, bool has_packet_numbers)
    : m_streams(cpus), m_has_contexts{has_contexts}, m_has_packet_numbers{has_packet_numbers}
{
    fs::create_directories(directory);
    m_metadata.open(directory / "metadata");
    m_metadata << metadata_head << clock_offset << metadata_rest
               << (has_packet_numbers ? packet_number : "") << metadata_header
               << (has_contexts ? contexts : "") << metadata_tail;
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
        m_streams[cpu].file.open(directory / ("channel0_" + std::to_string(cpu)), std::ios::binary);
    }
}

void CtfWriter::add(std::size_t cpu, const CtfEvent& event)
{
    Stream& stream = m_streams[cpu];
    if (event.time > stream.gap_end) {
        close_gap(cpu);
    }
    if (!stream.is_open) {
        stream.begin = event.time;
        stream.is_open = true;
    }
    const auto next = static_cast<std::uint32_t>(m_ids.size());
    const auto [id, is_new] = m_ids.emplace(event.name, next);
    if (is_new) {
        m_metadata << describe(event, next);
    }
    encode(stream.content, event, id->second, m_has_contexts);
    stream.end = event.time;
    if (stream.content.size() >= largest_packet && stream.gap_count == 0) {
        close_packet(cpu, event.time);
    }
}

/// One packet spans the gap, with what was recorded in it all the same; its counter
/// tells what is missing.
void CtfWriter::discard(std::size_t cpu, std::uint64_t begin, std::uint64_t end,
                        std::uint64_t count)
{
    Stream& stream = m_streams[cpu];
    close_gap(cpu);
    if (!stream.is_open) {
        stream.begin = begin;
    }
    close_packet(cpu, begin);
    stream.begin = begin;
    stream.is_open = true;
    stream.gap_end = end;
    stream.gap_count = count;
}

void CtfWriter::begin_at(std::size_t cpu, std::uint64_t begin)
{
    m_streams[cpu].begin = begin;
    m_streams[cpu].end = begin;
    m_streams[cpu].is_open = true;
}

void CtfWriter::end_at(std::size_t cpu, std::uint64_t end)
{
    close_gap(cpu);
    if (!m_streams[cpu].is_open) {
        begin_at(cpu, m_streams[cpu].end);
    }
    close_packet(cpu, end);
}

void CtfWriter::close_gap(std::size_t cpu)
{
    Stream& stream = m_streams[cpu];
    if (stream.gap_count > 0) {
        stream.discarded += std::exchange(stream.gap_count, 0);
        close_packet(cpu, stream.gap_end);
    }
}

void CtfWriter::add_packet(std::size_t cpu, const CtfPacket& packet)
{
    Stream& stream = m_streams[cpu];
    if (stream.is_open) {
        close_packet(cpu, stream.end);
    }
    stream.discarded = packet.discarded;
    for (const CtfEvent& event : packet.events) {
        add(cpu, event);
    }
    if (stream.is_open) {
        close_packet(cpu, stream.end);
    }
}

void CtfWriter::close_packet(std::size_t cpu, std::uint64_t end)
{
    Stream& stream = m_streams[cpu];
    const std::size_t header_size = 2 * 4 + 5 * 8 + 4 + (m_has_packet_numbers ? 8 : 0);
    const std::uint64_t bits = 8 * (header_size + stream.content.size());
    std::string bytes;
    put(bytes, std::uint32_t{0xc1fc1fc1});
    put(bytes, std::uint32_t{0});
    put(bytes, stream.begin);
    put(bytes, end);
    put(bytes, bits);
    put(bytes, bits);
    put(bytes, stream.discarded);
    put(bytes, static_cast<std::uint32_t>(cpu));
    if (m_has_packet_numbers) {
        put(bytes, stream.number++);
    }
    stream.file << bytes << stream.content;
    stream.content.clear();
    stream.is_open = false;
}

void CtfWriter::finish()
{
    for (std::size_t cpu = 0; cpu < m_streams.size(); ++cpu) {
        close_gap(cpu);
        if (m_streams[cpu].is_open) {
            close_packet(cpu, m_streams[cpu].end);
        }
        m_streams[cpu].file.flush();
    }
    m_metadata.flush();
}

void write_ctf(const fs::path& directory, const std::vector<std::vector<CtfPacket>>& cpus)
{
    CtfWriter writer{directory, cpus.size()};
    for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu) {
        for (const CtfPacket& packet : cpus[cpu]) {
            writer.add_packet(cpu, packet);
        }
    }
}

} // namespace lttng_gpu::test
