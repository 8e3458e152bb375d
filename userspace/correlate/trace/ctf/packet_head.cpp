// SPDX-License-Identifier: MIT
//
// See packet_head.hpp. A packet without lengths is all of the file (CTF 1.8.3, 5.2).
#include "packet_head.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::uint64_t magic = 0xc1fc1fc1;
constexpr std::uint64_t byte_bits = 8;

Failure damaged(std::uint64_t offset, std::string_view how)
{
    return Failure{
        {ErrorKind::DamagedTrace, fmt::format("the packet at byte {}: {}", offset, how)}};
}

class Slots {
public:
    Slots()
    {
        m_values.reserve(packet_slot_count);
        m_values.take(packet_slot_count);
    }

    ValueArena& arena() { return m_values; }
    std::optional<std::uint64_t> number(Role role) const
    {
        return m_values.at(static_cast<std::size_t>(role))->as_unsigned();
    }
    std::string_view text(Role role) const
    {
        return m_values.at(static_cast<std::size_t>(role))->as_text();
    }
    std::uint32_t cpu() const
    {
        return static_cast<std::uint32_t>(m_values.at(cpu_slot)->as_unsigned().value_or(0));
    }

private:
    ValueArena m_values;
};

bool is_uuid_of(std::string_view bytes, const TracePlan& trace)
{
    return bytes.empty() || !trace.uuid ||
           std::equal(bytes.begin(), bytes.end(), trace.uuid->begin(), trace.uuid->end(),
                      [](char left, std::uint8_t right) {
                          return static_cast<std::uint8_t>(left) == right;
                      });
}

Expected<void> set_extent(Packet& packet, const Slots& slots, std::uint64_t left_bytes)
{
    const std::uint64_t left = left_bytes * byte_bits;
    const std::uint64_t content =
        slots.number(Role::PacketContentLength)
            .value_or(slots.number(Role::PacketTotalLength).value_or(left));
    const std::uint64_t total = slots.number(Role::PacketTotalLength).value_or(content);
    if (content > total) {
        return damaged(
            packet.offset,
            fmt::format("its content of {} bits is more than its size of {}", content, total));
    }
    if (content < packet.events_at || total % byte_bits != 0) {
        return damaged(
            packet.offset,
            fmt::format("its size of {} bits, {} of them content, cannot be", total, content));
    }
    packet.is_cut = total > left;
    packet.lacks_content = content > left;
    packet.content_bits = std::min(content, left);
    packet.total_bytes = total / byte_bits;
    return {};
}

} // namespace

Expected<Packet> read_packet(const TracePlan& trace, std::span<const std::uint8_t> file,
                             std::uint64_t offset)
{
    Packet packet;
    packet.offset = offset;
    Slots slots;
    StructureDecoder decoder{trace.register_count};
    const std::uint64_t left_bytes = file.size() - offset;
    Cursor cursor{file.data() + offset, 0, left_bytes * byte_bits};
    if (decoder.run(trace.packet_header, cursor, slots.arena(), 0) != DecodeFault::None) {
        return damaged(offset, "the file ends in its header");
    }
    if (const auto found = slots.number(Role::Magic); found && *found != magic) {
        return damaged(offset, fmt::format("its magic number is {:#x}", *found));
    }
    if (!is_uuid_of(slots.text(Role::TraceUuid), trace)) {
        return damaged(offset,
                       "it belongs to another trace (its UUID is not that of the metadata)");
    }
    const std::uint64_t stream_class = slots.number(Role::StreamClassId).value_or(0);
    packet.stream = trace.find(stream_class);
    if (packet.stream == nullptr) {
        return damaged(offset, fmt::format("the metadata has no stream class {}", stream_class));
    }
    if (decoder.run(packet.stream->packet_context, cursor, slots.arena(), 0) != DecodeFault::None) {
        return damaged(offset, "the file ends in its context");
    }
    packet.events_at = cursor.position;
    packet.begin = slots.number(Role::PacketBegin);
    packet.end = slots.number(Role::PacketEnd);
    packet.discarded = slots.number(Role::EventsDiscarded);
    packet.sequence = slots.number(Role::PacketSequenceNumber);
    packet.stream_instance = slots.number(Role::StreamId);
    packet.cpu = slots.cpu();
    if (const auto checked = set_extent(packet, slots, left_bytes); !checked) {
        return Failure{checked.error()};
    }
    return packet;
}

bool is_unused_by_lttng(const TracePlan& trace, std::span<const std::uint8_t> file)
{
    // LTTng's packet contexts are all the same, but for the long of 32-bit programs: two times,
    // sizes of content and packet, a number, the discarded events, and the CPU.
    struct Context {
        std::uint64_t begin, end, content_bits, total_bits, number, discarded;
    };
    constexpr std::uint64_t context_bits = (sizeof(Context) + sizeof(std::uint32_t)) * byte_bits;
    for (std::uint64_t offset = 0; offset < file.size();) {
        Slots slots;
        StructureDecoder decoder{trace.register_count};
        Cursor cursor{file.data() + offset, 0, (file.size() - offset) * byte_bits};
        if (decoder.run(trace.packet_header, cursor, slots.arena(), 0) != DecodeFault::None ||
            slots.number(Role::Magic) != magic || !is_uuid_of(slots.text(Role::TraceUuid), trace) ||
            trace.find(slots.number(Role::StreamClassId).value_or(0)) != nullptr) {
            return false;
        }
        const std::uint64_t events_at = cursor.position + context_bits;
        if (cursor.position % byte_bits != 0 || file.size() - offset < events_at / byte_bits) {
            return false;
        }
        Context context;
        std::memcpy(&context, file.data() + offset + cursor.position / byte_bits, sizeof context);
        const std::uint64_t left = file.size() - offset;
        if (context.content_bits != events_at || context.discarded != 0 ||
            context.total_bits < events_at || context.total_bits / byte_bits > left) {
            return false;
        }
        offset += context.total_bits / byte_bits;
    }
    return true;
}

} // namespace lttng_gpu::trace::ctf
