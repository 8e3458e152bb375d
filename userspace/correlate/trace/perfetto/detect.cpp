// SPDX-License-Identifier: MIT
//
// See detect.hpp.
#include "detect.hpp"

#include "wire_reader.hpp"

#include "perfetto.pb.h"

#include <algorithm>
#include <array>

namespace lttng_gpu::trace::perfetto {
namespace {

namespace proto = lttng_gpu::perfetto;

/// Perfetto gives no field of a packet a higher number.
constexpr std::uint32_t highest_number = 9999;

enum class Look { Packet, Cut, Other };

/// Whether all fields are what a packet has: some known ones, no group, no other number.
Look look_at(Bytes bytes, bool& is_known)
{
    const auto* packet = proto::TracePacket::descriptor();
    WireReader fields{bytes};
    while (fields.next()) {
        if (fields.number() > highest_number) {
            return Look::Other;
        }
        const auto* field = packet->FindFieldByNumber(static_cast<int>(fields.number()));
        if (field != nullptr) {
            const bool has_bytes =
                field->type() == field->TYPE_MESSAGE || field->type() == field->TYPE_BYTES;
            if (has_bytes != fields.field().has_bytes) {
                return Look::Other;
            }
            is_known = true;
        }
    }
    return fields.is_damaged() ? Look::Cut : Look::Packet;
}

} // namespace

bool is_trace(std::string_view head)
{
    bool is_known = false;
    WireReader packets{{reinterpret_cast<const std::uint8_t*>(head.data()), head.size()}};
    while (packets.next()) {
        if (packets.number() != proto::Trace::kPacketFieldNumber || !packets.field().has_bytes) {
            return false;
        }
        const Look look = look_at(packets.bytes(), is_known);
        // Only the packet that the head cuts may be cut.
        if (look == Look::Other || (look == Look::Cut && !packets.is_damaged())) {
            return false;
        }
        if (is_known) {
            return true;
        }
    }
    return is_known;
}

bool is_recording(std::string_view head)
{
    using Packet = proto::TracePacket;
    constexpr std::array of_tracers{
        Packet::kFtraceEventsFieldNumber,         Packet::kProcessTreeFieldNumber,
        Packet::kClockSnapshotFieldNumber,        Packet::kProcessStatsFieldNumber,
        Packet::kFtraceStatsFieldNumber,          Packet::kTraceStatsFieldNumber,
        Packet::kSystemInfoFieldNumber,           Packet::kCompressedPacketsFieldNumber,
        Packet::kZstdCompressedPacketsFieldNumber};
    WireReader packets{{reinterpret_cast<const std::uint8_t*>(head.data()), head.size()}};
    if (!is_trace(head)) {
        return false;
    }
    while (packets.next()) {
        WireReader fields{packets.bytes()};
        while (fields.next()) {
            if (std::ranges::find(of_tracers, static_cast<int>(fields.number())) !=
                of_tracers.end()) {
                return true;
            }
        }
    }
    return false;
}

} // namespace lttng_gpu::trace::perfetto
