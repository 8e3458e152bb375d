// SPDX-License-Identifier: MIT
//
// See detect.hpp.
#include "detect.hpp"

#include "wire_reader.hpp"

#include "perfetto.pb.h"

#include <algorithm>
#include <array>
#include <span>

namespace lttng_gpu::trace::perfetto {
namespace {

namespace proto = lttng_gpu::perfetto;
using Fields = proto::TracePacket;

/// Perfetto gives no field of a packet a higher number.
constexpr std::uint32_t highest_number = 9999;

// The fields of perfetto.proto's TracePacket, without its descriptor: that needs the generated
// code, which registers itself and stops a process that loads it twice, as a plugin can be.
constexpr std::array<int, 11> with_bytes{
    Fields::kFtraceEventsFieldNumber,         Fields::kProcessTreeFieldNumber,
    Fields::kClockSnapshotFieldNumber,        Fields::kProcessStatsFieldNumber,
    Fields::kFtraceStatsFieldNumber,          Fields::kTraceStatsFieldNumber,
    Fields::kThreadDescriptorFieldNumber,     Fields::kSystemInfoFieldNumber,
    Fields::kCompressedPacketsFieldNumber,    Fields::kTrackDescriptorFieldNumber,
    Fields::kZstdCompressedPacketsFieldNumber};
constexpr std::array<int, 5> with_numbers{
    Fields::kTimestampFieldNumber, Fields::kTrustedPacketSequenceIdFieldNumber,
    Fields::kPreviousPacketDroppedFieldNumber, Fields::kFirstPacketOnSequenceFieldNumber,
    Fields::kMachineIdFieldNumber};

bool is_among(std::span<const int> numbers, std::uint32_t number)
{
    return std::ranges::find(numbers, static_cast<int>(number)) != numbers.end();
}

enum class Look { Packet, Cut, Other };

/// Whether all fields are what a packet has: some known ones, no group, no other number.
Look look_at(Bytes bytes, bool& is_known)
{
    WireReader fields{bytes};
    while (fields.next()) {
        if (fields.number() > highest_number) {
            return Look::Other;
        }
        const bool has_bytes = is_among(with_bytes, fields.number());
        if (has_bytes || is_among(with_numbers, fields.number())) {
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
    constexpr std::array<int, 9> of_tracers{
        Fields::kFtraceEventsFieldNumber,         Fields::kProcessTreeFieldNumber,
        Fields::kClockSnapshotFieldNumber,        Fields::kProcessStatsFieldNumber,
        Fields::kFtraceStatsFieldNumber,          Fields::kTraceStatsFieldNumber,
        Fields::kSystemInfoFieldNumber,           Fields::kCompressedPacketsFieldNumber,
        Fields::kZstdCompressedPacketsFieldNumber};
    WireReader packets{{reinterpret_cast<const std::uint8_t*>(head.data()), head.size()}};
    if (!is_trace(head)) {
        return false;
    }
    while (packets.next()) {
        WireReader fields{packets.bytes()};
        while (fields.next()) {
            if (is_among(of_tracers, fields.number())) {
                return true;
            }
        }
    }
    return false;
}

} // namespace lttng_gpu::trace::perfetto
