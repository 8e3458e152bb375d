// SPDX-License-Identifier: MIT
//
// See ctf_writer.hpp. Everything is little endian and byte aligned.
#include "ctf_writer.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>

namespace lttng_gpu::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* metadata_head = R"(/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 32; align = 8; signed = true; } := s32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
trace {
    major = 1; minor = 8; byte_order = le;
    uuid = "2a6422d0-6cee-11e0-8c08-cb07d7b3a564";
    packet.header := struct { u32 magic; u32 stream_id; };
};
clock { name = monotonic; freq = 1000000000; offset = 0; };
typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := time64;
stream {
    id = 0;
    packet.context := struct {
        time64 timestamp_begin; time64 timestamp_end; u64 content_size; u64 packet_size;
        u64 events_discarded; u32 cpu_id;
    };
    event.header := struct { u32 id; time64 timestamp; };
    event.context := struct { s32 _pid; s32 _tid; string _procname; };
};
)";

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

using EventIds = std::map<std::string, std::uint32_t>;

/// The first event of a name decides its fields.
std::string describe(const CtfEvent& event, std::uint32_t id)
{
    std::string text = "event { name = \"" + event.name + "\"; id = " + std::to_string(id) +
                       "; stream_id = 0; fields := struct { ";
    for (const CtfField& field : event.fields) {
        const bool is_number = std::holds_alternative<std::uint64_t>(field.value);
        text += (is_number ? "u64 _" : "string _") + field.name + "; ";
    }
    return text + "}; };\n";
}

std::string encode(const CtfEvent& event, std::uint32_t id)
{
    std::string bytes;
    put(bytes, id);
    put(bytes, event.time);
    put(bytes, event.pid);
    put(bytes, event.tid);
    put(bytes, event.procname);
    for (const CtfField& field : event.fields) {
        std::visit([&](const auto& value) { put(bytes, value); }, field.value);
    }
    return bytes;
}

std::string encode(const CtfPacket& packet, std::uint32_t cpu, const EventIds& ids)
{
    std::string content;
    for (const CtfEvent& event : packet.events) {
        content += encode(event, ids.at(event.name));
    }
    constexpr std::size_t header_size = 2 * 4 + 5 * 8 + 4;
    const std::uint64_t bits = 8 * (header_size + content.size());
    std::string bytes;
    put(bytes, std::uint32_t{0xc1fc1fc1});
    put(bytes, std::uint32_t{0});
    put(bytes, packet.events.front().time);
    put(bytes, packet.events.back().time);
    put(bytes, bits);
    put(bytes, bits);
    put(bytes, packet.discarded);
    put(bytes, cpu);
    return bytes + content;
}

} // namespace

TemporaryDirectory::TemporaryDirectory()
{
    std::string pattern = (fs::temp_directory_path() / "lttng-gpu-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error{"cannot make a temporary directory"};
    }
    x_path = pattern;
}

TemporaryDirectory::~TemporaryDirectory()
{
    std::error_code ignored;
    fs::remove_all(x_path, ignored);
}

void write_ctf(const fs::path& directory, const std::vector<std::vector<CtfPacket>>& cpus)
{
    fs::create_directories(directory);
    std::ofstream metadata{directory / "metadata"};
    metadata << metadata_head;
    EventIds ids;
    for (std::size_t cpu = 0; cpu < cpus.size(); ++cpu) {
        std::ofstream stream{directory / ("channel0_" + std::to_string(cpu)), std::ios::binary};
        for (const CtfPacket& packet : cpus[cpu]) {
            for (const CtfEvent& event : packet.events) {
                const auto next = static_cast<std::uint32_t>(ids.size());
                if (ids.emplace(event.name, next).second) {
                    metadata << describe(event, next);
                }
            }
            stream << encode(packet, static_cast<std::uint32_t>(cpu), ids);
        }
    }
}

} // namespace lttng_gpu::test
