// SPDX-License-Identifier: MIT
//
// Traces of LTTng of a few bytes: their metadata and packets, written here, and what the reader
// gives of them, as lines.
#pragma once

#include "ctf_writer.hpp"
#include "packet_bytes.hpp"
#include "read_all.hpp"
#include "trace/ctf/ctf_source.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

namespace lttng_gpu::test {

inline const std::vector<trace::WantedEvent> everything{{"*", {"$name", "*"}}};

inline void write_file(const std::filesystem::path& path, const std::string& bytes)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path, std::ios::binary} << bytes;
}

struct Reading {
    std::unique_ptr<trace::ctf::CtfSource> source;
    std::unique_ptr<Collector> kept = std::make_unique<Collector>();
    Collector& collector = *kept;
    std::optional<Error> stopped;

    std::vector<std::string> lines() const
    {
        std::vector<std::string> lines;
        for (const Collector::Item& item : collector.items) {
            if (const auto* loss = std::get_if<trace::Loss>(&item)) {
                lines.push_back(fmt::format("{}..{} cpu {} lost {}{}", loss->begin.value(),
                                            loss->end.value(), loss->cpu.value(),
                                            loss->count ? std::to_string(*loss->count) : "?",
                                            loss->unit == trace::LossUnit::Events    ? " events"
                                            : loss->unit == trace::LossUnit::Packets ? " packets"
                                                                                     : " late"));
                continue;
            }
            const trace::RawEvent& event = std::get<Collector::Event>(item).raw;
            std::string line = std::to_string(event.time.value());
            for (const trace::FieldValue& field : event.fields) {
                line += ' ' + text_of(field);
            }
            lines.push_back(line);
        }
        return lines;
    }

private:
    static std::string text_of(const trace::FieldValue& value)
    {
        switch (value.kind()) {
        case trace::FieldValue::Kind::Unsigned:
            return std::to_string(*value.as_unsigned());
        case trace::FieldValue::Kind::Signed:
            return fmt::format("{:+}", *value.as_signed());
        case trace::FieldValue::Kind::Real:
            return fmt::format("{}", *value.as_real());
        case trace::FieldValue::Kind::Text:
            return std::string{value.as_text()};
        case trace::FieldValue::Kind::Numbers: {
            std::string text;
            for (std::size_t index = 0; index < value.as_numbers().size(); ++index) {
                text += fmt::format("[{}]", value.as_numbers()[index]);
            }
            return text;
        }
        case trace::FieldValue::Kind::None:
            break;
        }
        return "-";
    }
};

inline Reading read(const std::filesystem::path& directory,
                    const std::vector<trace::WantedEvent>& wanted = everything,
                    const trace::ctf::SourceOptions& options = {})
{
    const auto traces = trace::find_traces({directory});
    REQUIRE(traces);
    auto source = trace::ctf::CtfSource::open(*traces, wanted, options);
    REQUIRE_MESSAGE(source, (source ? "" : source.error().message));
    Reading reading;
    reading.source = std::move(*source);
    reading.stopped = read_all(*reading.source, reading.collector);
    return reading;
}

using Lines = std::vector<std::string>;

inline constexpr const char* clock_text =
    "clock { name = c; freq = 1000000000; offset = 1000; };\n";

/// A stream without packet header; its context has times, sizes, counters, a CPU.
inline std::string metadata(const std::string& byte_order, const std::string& event_header,
                            const std::string& events)
{
    return "/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = " + byte_order + "; };\n" +
           clock_text + R"(
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 16; align = 8; } := u16;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
typealias integer { size = 64; align = 8; map = clock.c.value; } := t64;
typealias integer { size = 32; align = 8; map = clock.c.value; } := t32;
stream {
    packet.context := struct { t64 timestamp_begin; t64 timestamp_end; u64 content_size;
        u64 packet_size; u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };
    event.header := )" +
           event_header + ";\n};\n" + events;
}

struct PacketFacts {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t sequence = 0;
    std::uint64_t discarded = 0;
    std::uint32_t cpu = 0;
};

/// Context and events as one packet without padding.
inline std::string packet(const PacketFacts& facts, const PacketBytes& events, bool is_big = false,
                          std::size_t header_bits = 0)
{
    const std::size_t context_bits = header_bits + 6 * 64 + 32;
    PacketBytes bytes{is_big};
    bytes.put(facts.begin, 64).put(facts.end, 64);
    bytes.put(context_bits + events.bits(), 64);
    bytes.put(context_bits + 8 * events.bytes().size(), 64);
    bytes.put(facts.sequence, 64).put(facts.discarded, 64).put(facts.cpu, 32);
    return bytes.bytes() + events.bytes();
}

inline constexpr const char* plain_header = "struct { u16 id; t64 timestamp; }";
inline constexpr const char* compact_header = R"(struct {
        enum : integer { size = 5; align = 1; } { compact = 0 ... 30, extended = 31 } id;
        variant <id> {
            struct { integer { size = 27; align = 1; map = clock.c.value; } timestamp; } compact;
            struct { u32 id; t64 timestamp; } extended; } v; } align(8))";
inline constexpr const char* large_header = R"(struct {
        enum : u16 { compact = 0 ... 65534, extended = 65535 } id;
        variant <id> { struct { t32 timestamp; } compact;
            struct { u32 id; t64 timestamp; } extended; } v; } align(8))";
inline constexpr const char* small_event =
    "event { name = e; id = 0; fields := struct { u8 n; }; };\n";

inline void put_small(PacketBytes& bytes, std::uint64_t time, std::uint8_t number)
{
    bytes.put(0, 16).put(time, 64).put(number, 8);
}

inline std::string small_packet(PacketFacts facts, const std::vector<std::uint64_t>& times)
{
    PacketBytes events;
    for (const std::uint64_t time : times) {
        put_small(events, time, static_cast<std::uint8_t>(time));
    }
    return packet(facts, events);
}

} // namespace lttng_gpu::test
