// SPDX-License-Identifier: MIT
//
// See live_protocol.hpp.
#include "live_protocol.hpp"

#include "../metadata_packets.hpp"

#include <fmt/format.h>

namespace lttng_gpu::trace {
namespace {

enum Number : std::uint32_t {
    Connect = 1,
    ListSessions,
    AttachSession,
    NextIndex,
    Packet,
    Metadata,
    NewStreams,
    CreateSession,
    DetachSession,
};

constexpr std::uint32_t status_ok = 1;
constexpr std::uint32_t status_inactive = 5; // of an index
constexpr std::uint32_t last_index_status = 6;
constexpr std::uint32_t last_packet_status = 4;
constexpr std::uint32_t last_metadata_status = 3;
constexpr std::size_t session_length = 339;
constexpr std::size_t stream_length = 4371;
constexpr std::size_t most_payload = 4096;
// More than any session has; libbabeltrace2 has a buffer of 256 KiB for each stream.
constexpr std::uint64_t most_sessions = 65'536;
constexpr std::uint64_t most_streams = 10'000;
constexpr std::uint64_t most_metadata = std::uint64_t{64} << 20;
// Of a sub-buffer; its size in bits has 64 bits.
constexpr std::uint64_t most_packet_bits = std::uint64_t{1} << 36;

// Places in an answer to NextIndex.
constexpr std::size_t packet_size_at = 8;
constexpr std::size_t content_size_at = 16;
constexpr std::size_t begin_at = 24;
constexpr std::size_t end_at = 32;
constexpr std::size_t class_at = 48;
constexpr std::size_t index_status_at = 56;
constexpr std::size_t index_length = 64;
// Of the command Packet.
constexpr std::size_t wanted_length_at = 16;

/// In the network's byte order; 0 behind the end.
template <typename Value> Value read(std::string_view bytes, std::size_t at)
{
    Value value = 0;
    for (std::size_t index = at; index < at + sizeof value; ++index) {
        value = static_cast<Value>(value << 8U) |
                (index < bytes.size() ? static_cast<unsigned char>(bytes[index]) : 0U);
    }
    return value;
}

std::uint32_t u32(std::string_view bytes, std::size_t at)
{
    return read<std::uint32_t>(bytes, at);
}

std::uint64_t u64(std::string_view bytes, std::size_t at)
{
    return read<std::uint64_t>(bytes, at);
}

Failure impossible(std::string what)
{
    return Failure{
        {ErrorKind::DamagedTrace, "the relay daemon says what cannot be: " + std::move(what)}};
}

Failure unknown_status(const char* of, std::uint32_t status)
{
    return impossible(fmt::format("its answer to a request for {} has the status {}", of, status));
}

Expected<std::size_t> rest_of_sessions(std::string_view head)
{
    const std::uint32_t count = u32(head, 0);
    if (count > most_sessions) {
        return impossible(fmt::format("it has {} sessions", count));
    }
    return count * session_length;
}

Expected<std::size_t> rest_of_packet(const LiveCommand& command, std::string_view head)
{
    const std::uint32_t status = u32(head, 0);
    const std::uint32_t length = u32(head, 4);
    const std::uint32_t wanted = u32(command.payload, wanted_length_at);
    if (status == 0 || status > last_packet_status) {
        return unknown_status("a packet", status);
    }
    if (status != status_ok) {
        return 0;
    }
    if (length == 0 || length > wanted) {
        return impossible(
            fmt::format("a packet has {} bytes, where {} were asked for", length, wanted));
    }
    return length;
}

} // namespace

bool LiveCommand::is_last() const
{
    return number == DetachSession;
}

Expected<std::size_t> live_payload_length(std::string_view head)
{
    const std::uint64_t length = u64(head, 0);
    if (length > most_payload) {
        return Failure{{ErrorKind::UnreadableTrace, "babeltrace2 asks what is not known"}};
    }
    return static_cast<std::size_t>(length);
}

Expected<std::size_t> LiveProtocol::head_length(const LiveCommand& command)
{
    switch (command.number) {
    case Connect:
        return 20;
    case ListSessions:
    case CreateSession:
    case DetachSession:
        return 4;
    case AttachSession:
    case NewStreams:
        return 8;
    case NextIndex:
        return index_length;
    case Packet:
    case Metadata:
        return 12;
    default:
        return Failure{{ErrorKind::UnreadableTrace,
                        fmt::format("babeltrace2 asks what is not known ({})", command.number)}};
    }
}

Expected<std::size_t> LiveProtocol::rest_length(const LiveCommand& command, std::string_view head)
{
    switch (command.number) {
    case ListSessions:
        return rest_of_sessions(head);
    case AttachSession:
    case NewStreams:
        return rest_of_streams(head);
    case NextIndex:
        return rest_of_index(command, head);
    case Packet:
        return rest_of_packet(command, head);
    case Metadata:
        return rest_of_metadata(head);
    default:
        return 0;
    }
}

Expected<std::size_t> LiveProtocol::rest_of_index(const LiveCommand& command, std::string_view head)
{
    const std::uint32_t status = u32(head, index_status_at);
    if (status == 0 || status > last_index_status) {
        return unknown_status("an index", status);
    }
    if (status == status_ok || status == status_inactive) {
        const std::uint64_t stream_class = u64(head, class_at);
        const auto known = m_classes.try_emplace(u64(command.payload, 0), stream_class).first;
        if (known->second != stream_class) {
            return impossible("a stream changes its class");
        }
    }
    if (status != status_ok) {
        return 0;
    }
    const std::uint64_t size = u64(head, packet_size_at);
    if (size > most_packet_bits || size % 8 != 0 || u64(head, content_size_at) > size) {
        return impossible(fmt::format("an index is of a packet of {} bits, with a content of {}",
                                      size, u64(head, content_size_at)));
    }
    if (u64(head, begin_at) > u64(head, end_at)) {
        return impossible("an index is of a packet that ends before it begins");
    }
    return 0;
}

Expected<std::size_t> LiveProtocol::rest_of_streams(std::string_view head)
{
    if (u32(head, 0) != status_ok) {
        return 0;
    }
    const std::uint32_t count = u32(head, 4);
    m_streams += count;
    if (m_streams > most_streams) {
        return impossible(fmt::format("the session has {} streams", m_streams));
    }
    return count * stream_length;
}

Expected<std::size_t> LiveProtocol::rest_of_metadata(std::string_view head)
{
    const std::uint64_t length = u64(head, 0);
    const std::uint32_t status = u32(head, 8);
    if (status == 0 || status > last_metadata_status) {
        return unknown_status("metadata", status);
    }
    if (status != status_ok) {
        return 0;
    }
    if (length == 0 || length > most_metadata - m_metadata) {
        return impossible(fmt::format("there are {} bytes of metadata", length));
    }
    m_metadata += length;
    return static_cast<std::size_t>(length);
}

Expected<void> LiveProtocol::check_rest(const LiveCommand& command, std::string_view rest)
{
    if (command.number != Metadata || rest.empty()) {
        return {};
    }
    if (const auto text = unpack_metadata(rest); !text) {
        return impossible("of its metadata, " + text.error().message);
    }
    return {};
}

} // namespace lttng_gpu::trace
