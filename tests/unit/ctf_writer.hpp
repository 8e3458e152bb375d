// SPDX-License-Identifier: MIT
//
// Writes small CTF 1.8 traces shaped like LTTng's kernel traces (packet context
// with cpu_id and events_discarded, event context with pid, tid and procname),
// so that the whole program can be tested on any event without a tracer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace lttng_gpu::test {

/// A directory that goes away with the object.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory();

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// Of an enumeration; `labels` as TSDL has them: "off = 0, on = 1".
struct CtfEnumerator {
    std::uint64_t value;
    std::string labels;
};
/// The vector is a sequence.
using CtfValue = std::variant<std::uint64_t, std::string, std::int64_t, std::vector<std::uint64_t>,
                              CtfEnumerator>;

struct CtfField {
    std::string name;
    CtfValue value;
};

struct CtfEvent {
    std::uint64_t time;
    std::string name;
    std::vector<CtfField> fields;
    std::int32_t pid = 100;
    std::int32_t tid = 101;
    std::string procname = "app";
};

/// One packet of one CPU; `discarded` is the counter at its end.
struct CtfPacket {
    std::vector<CtfEvent> events;
    std::uint64_t discarded = 0;
};

/// One stream file per element of `cpus`.
void write_ctf(const std::filesystem::path& directory,
               const std::vector<std::vector<CtfPacket>>& cpus);

/// Writes a trace of any length in little memory. Events of one CPU come in order
/// of time.
class CtfWriter {
public:
    /// Packets have numbers, as LTTng's, where `has_packet_numbers` is true.
    CtfWriter(std::filesystem::path directory, std::size_t cpus, bool has_contexts = true,
              std::int64_t clock_offset = 0, bool has_packet_numbers = false);
    CtfWriter(const CtfWriter&) = delete;
    CtfWriter& operator=(const CtfWriter&) = delete;
    ~CtfWriter() { finish(); }

    void add(std::size_t cpu, const CtfEvent& event);
    /// All of it as one packet.
    void add_packet(std::size_t cpu, const CtfPacket& packet);
    /// A buffer of this CPU was full from begin to end.
    void discard(std::size_t cpu, std::uint64_t begin, std::uint64_t end, std::uint64_t count);
    /// This CPU was recorded from then on, whenever its first event comes.
    void begin_at(std::size_t cpu, std::uint64_t begin);
    /// This CPU was recorded until then, whenever its last event came.
    void end_at(std::size_t cpu, std::uint64_t end);
    /// So many packets of this CPU came before the next one and were overwritten.
    void overwrite(std::size_t cpu, std::uint64_t packets) { m_streams[cpu].number += packets; }
    void finish();

private:
    struct Stream {
        std::ofstream file;
        std::string content;
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint64_t discarded = 0;
        std::uint64_t number = 0; // of the next packet
        bool is_open = false;
        std::uint64_t gap_end = 0; // the packet under way spans a gap
        std::uint64_t gap_count = 0;
    };

    void close_gap(std::size_t cpu);

    void close_packet(std::size_t cpu, std::uint64_t end);

    std::ofstream m_metadata;
    std::vector<Stream> m_streams;
    std::map<std::string, std::uint32_t> m_ids;
    bool m_has_contexts;
    bool m_has_packet_numbers;
};

} // namespace lttng_gpu::test
