// SPDX-License-Identifier: MIT
//
// See index_builder.hpp. What becomes of losses is in index_losses.cpp.
#include "index_builder.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::trace::perfetto {
namespace {

namespace proto = lttng_gpu::perfetto;

constexpr std::uint32_t most_cpus = 8192;
constexpr std::uint32_t clock_realtime = 1;
constexpr std::uint32_t clock_boottime = 6;

std::optional<std::uint64_t> first_number(Bytes packed)
{
    google::protobuf::io::CodedInputStream stream{packed.data(), static_cast<int>(packed.size())};
    std::uint64_t number = 0;
    return stream.ReadVarint64(&number) ? std::optional{number} : std::nullopt;
}

std::optional<std::uint64_t> time_of_event(Bytes event)
{
    WireReader fields{event};
    while (fields.next()) {
        if (fields.number() == proto::FtraceEvent::kTimestampFieldNumber) {
            return fields.value();
        }
    }
    return {};
}

std::optional<std::uint64_t> earlier(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b)
{
    return a && b ? std::min(*a, *b) : a ? a : b;
}

/// How many numbers one after the other these are: the last byte of each is below 128.
std::uint64_t count_numbers(Bytes packed)
{
    return static_cast<std::uint64_t>(
        std::count_if(packed.begin(), packed.end(), [](std::uint8_t byte) { return byte < 128; }));
}

} // namespace

struct IndexBuilder::Bundle {
    std::optional<std::uint32_t> cpu;
    std::optional<std::uint64_t> first;
    std::uint64_t events = 0;
    std::uint64_t clock = 0;
    std::optional<std::int64_t> own_time;
    std::optional<std::int64_t> boot_time;
    std::vector<Bytes> descriptions;

    void add_compact(Bytes compact);
};

void IndexBuilder::Bundle::add_compact(Bytes compact)
{
    using Compact = proto::FtraceEventBundle::CompactSched;
    WireReader fields{compact};
    while (fields.next()) {
        if (fields.number() == Compact::kSwitchTimestampFieldNumber ||
            fields.number() == Compact::kWakingTimestampFieldNumber) {
            first = earlier(first, first_number(fields.bytes()));
            events += count_numbers(fields.bytes());
        }
    }
}

void IndexBuilder::add_packet(Bytes packet, std::uint64_t offset)
{
    add(packet, {offset, 0, Packing::None, 0, 0}, packet.data());
}

/// Nobody knows which bundles are missing, unless those after it tell.
void IndexBuilder::damage()
{
    m_index.is_damaged = true;
    for (Notes& notes : m_notes) {
        notes.has_gap = true;
    }
    for (LaneIndex& lane : m_index.lanes) {
        lane.is_before_gap = true;
    }
}

/// `begin` is where the bytes begin that the places count from: the packet's in the file,
/// or what was unpacked.
void IndexBuilder::add(Bytes bytes, const Place& outer, const std::uint8_t* begin)
{
    const Packet packet = read_head(bytes);
    if (packet.packing != Packing::None) {
        add_packed(packet, outer, begin);
        return;
    }
    const std::size_t sequence = sequence_of(packet);
    note_drop(sequence, packet);
    if (packet.has_details && !packet.is_foreign) {
        add_details(bytes, sequence);
    }
    if (packet.bundle.data() != nullptr) {
        Place place = outer;
        const auto at = static_cast<std::size_t>(packet.bundle.data() - begin);
        if (outer.packing == Packing::None) {
            place.offset += at;
            place.size = static_cast<std::uint32_t>(packet.bundle.size());
        } else {
            place.inner_offset = static_cast<std::uint32_t>(at);
            place.inner_size = static_cast<std::uint32_t>(packet.bundle.size());
        }
        add_bundle(packet, sequence, place);
    }
}

IndexBuilder::Packet IndexBuilder::read_head(Bytes bytes)
{
    Packet packet;
    WireReader fields{bytes};
    while (fields.next()) {
        switch (fields.number()) {
        case proto::TracePacket::kFtraceEventsFieldNumber:
            packet.bundle = fields.bytes();
            break;
        case proto::TracePacket::kTrustedPacketSequenceIdFieldNumber:
            packet.sequence = static_cast<std::uint32_t>(fields.value());
            break;
        case proto::TracePacket::kPreviousPacketDroppedFieldNumber:
            packet.is_after_drop = fields.value() != 0;
            break;
        case proto::TracePacket::kFirstPacketOnSequenceFieldNumber:
            packet.is_first = fields.value() != 0;
            break;
        case proto::TracePacket::kMachineIdFieldNumber:
            packet.is_foreign = fields.value() != 0;
            break;
        case proto::TracePacket::kCompressedPacketsFieldNumber:
            packet.packing = Packing::Deflate;
            packet.packed = fields.bytes();
            break;
        case proto::TracePacket::kZstdCompressedPacketsFieldNumber:
            packet.packing = Packing::Zstd;
            packet.packed = fields.bytes();
            break;
        case proto::TracePacket::kProcessTreeFieldNumber:
        case proto::TracePacket::kClockSnapshotFieldNumber:
        case proto::TracePacket::kProcessStatsFieldNumber:
        case proto::TracePacket::kFtraceStatsFieldNumber:
        case proto::TracePacket::kTraceStatsFieldNumber:
        case proto::TracePacket::kThreadDescriptorFieldNumber:
        case proto::TracePacket::kSystemInfoFieldNumber:
        case proto::TracePacket::kTrackDescriptorFieldNumber:
            packet.has_details = true;
            break;
        default:
            break;
        }
    }
    return packet;
}

void IndexBuilder::add_packed(const Packet& packet, Place outer, const std::uint8_t* begin)
{
    const auto unpacked = outer.packing == Packing::None ? unpack(packet.packing, packet.packed)
                                                         : std::nullopt; // packed twice
    if (!unpacked) {
        damage();
        return;
    }
    outer.offset += static_cast<std::uint64_t>(packet.packed.data() - begin);
    outer.size = static_cast<std::uint32_t>(packet.packed.size());
    outer.packing = packet.packing;
    WireReader packets{unpacked->bytes};
    while (packets.next()) {
        if (packets.number() == proto::Trace::kPacketFieldNumber) {
            add(packets.bytes(), outer, unpacked->bytes.data());
        }
    }
    if (packets.is_damaged() || !unpacked->is_whole) {
        damage();
    }
}

std::size_t IndexBuilder::sequence_of(const Packet& packet)
{
    // Its number stands at a packet's end, which may have been cut off.
    const bool is_cut = !packet.sequence && packet.bundle.data() != nullptr;
    const std::uint32_t id = is_cut ? m_latest_sequence : packet.sequence.value_or(0);
    if (packet.bundle.data() != nullptr) {
        m_latest_sequence = id;
    }
    const auto [found, is_new] = m_sequences.try_emplace(id, m_notes.size());
    if (is_new) {
        m_notes.emplace_back();
        m_index.sequences.emplace_back().id = id;
    }
    return found->second;
}

/// A writer's first packet has the mark, too; since 2022 another one says that it is the first.
void IndexBuilder::note_drop(std::size_t sequence, const Packet& packet)
{
    Notes& notes = m_notes[sequence];
    if (packet.is_after_drop && notes.is_seen) {
        notes.has_gap = true;
        for (const auto& [cpu, lane] : notes.lanes) {
            m_index.lanes[lane].is_before_gap = true;
        }
    } else if (packet.is_after_drop && !packet.is_first) {
        m_index.sequences[sequence].has_lost_begin = true;
    }
    notes.is_seen = true;
}

IndexBuilder::Bundle IndexBuilder::read_bundle(Bytes bytes)
{
    using Proto = proto::FtraceEventBundle;
    Bundle bundle;
    bool has_event = false;
    WireReader fields{bytes};
    while (fields.next()) {
        switch (fields.number()) {
        case Proto::kCpuFieldNumber:
            bundle.cpu =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(fields.value(), most_cpus));
            break;
        case Proto::kEventFieldNumber:
            if (!std::exchange(has_event, true)) {
                bundle.first = earlier(bundle.first, time_of_event(fields.bytes()));
            }
            ++bundle.events;
            break;
        case Proto::kCompactSchedFieldNumber:
            bundle.add_compact(fields.bytes());
            break;
        case Proto::kFtraceClockFieldNumber:
            bundle.clock = fields.value();
            break;
        case Proto::kFtraceTimestampFieldNumber:
            bundle.own_time = static_cast<std::int64_t>(fields.value());
            break;
        case Proto::kBootTimestampFieldNumber:
            bundle.boot_time = static_cast<std::int64_t>(fields.value());
            break;
        case Proto::kGenericEventDescriptorsFieldNumber:
            bundle.descriptions.push_back(fields.bytes());
            break;
        default:
            break;
        }
    }
    return bundle;
}

void IndexBuilder::add_bundle(const Packet& packet, std::size_t sequence, const Place& place)
{
    const Bundle bundle = read_bundle(packet.bundle);
    if (packet.is_foreign) {
        m_index.foreign_events += bundle.events;
        return;
    }
    if (!bundle.cpu || *bundle.cpu >= most_cpus) {
        damage();
        return;
    }
    Notes& notes = m_notes[sequence];
    notes.has_other_clock = notes.has_other_clock || bundle.clock != 0;
    if (bundle.clock != 0 && bundle.own_time && bundle.boot_time) {
        notes.last_pair = {*bundle.own_time, *bundle.boot_time};
        notes.first_pair = notes.first_pair ? notes.first_pair : notes.last_pair;
    }
    for (const Bytes description : bundle.descriptions) {
        proto::FtraceEventBundle::GenericEventDescriptor event;
        if (event.ParseFromArray(description.data(), static_cast<int>(description.size()))) {
            m_index.sequences[sequence].forms[static_cast<std::uint32_t>(event.field_id())] =
                form_of(event.event_descriptor());
        } else {
            damage();
        }
    }
    const auto [found, is_new] = notes.lanes.try_emplace(*bundle.cpu, m_index.lanes.size());
    if (is_new) {
        m_index.lanes.push_back({*bundle.cpu, sequence, {}, notes.has_gap});
    }
    LaneIndex& lane = m_index.lanes[found->second];
    const std::uint64_t before = lane.bundles.empty() ? 0 : lane.bundles.back().first;
    lane.bundles.push_back({place, bundle.first.value_or(before), lane.is_before_gap});
    lane.is_before_gap = false;
}

void IndexBuilder::add_details(Bytes bytes, std::size_t sequence)
{
    proto::TracePacket packet;
    if (!packet.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        damage();
        return;
    }
    m_index.threads.add(packet);
    if (packet.has_clock_snapshot()) {
        add_clocks(packet.clock_snapshot());
    }
    if (packet.has_ftrace_stats()) {
        add_kernel_losses(packet.ftrace_stats(), sequence);
    }
    if (packet.has_trace_stats()) {
        m_stats = packet.trace_stats(); // later ones count from the beginning, too
        m_has_stats = true;
    }
    if (packet.system_info().utsname().has_release()) {
        m_index.kernel_release = packet.system_info().utsname().release();
    }
}

/// The first that says it is taken for the whole trace: differences of times then are
/// those of the events' own clock.
void IndexBuilder::add_clocks(const proto::ClockSnapshot& snapshot)
{
    std::optional<std::uint64_t> real;
    std::optional<std::uint64_t> boot;
    for (const auto& clock : snapshot.clocks()) {
        if (clock.clock_id() == clock_realtime) {
            real = clock.timestamp();
        } else if (clock.clock_id() == clock_boottime) {
            boot = clock.timestamp();
        }
    }
    if (real && boot && !m_index.boot_to_epoch) {
        m_index.boot_to_epoch = static_cast<std::int64_t>(*real - *boot);
    }
}

TraceIndex IndexBuilder::finish()
{
    for (std::size_t sequence = 0; sequence < m_notes.size(); ++sequence) {
        finish_sequence(sequence);
    }
    if (m_has_stats) {
        add_service_losses();
    }
    m_index.threads.sort();
    for (LaneIndex& lane : m_index.lanes) {
        std::stable_sort(
            lane.bundles.begin(), lane.bundles.end(),
            [](const BundlePlace& a, const BundlePlace& b) { return a.first < b.first; });
    }
    return std::move(m_index);
}

TraceIndex make_index(const ftrace::File& file)
{
    IndexBuilder builder;
    PacketWalk walk{file};
    while (walk.next()) {
        builder.add_packet(walk.packet(), walk.offset());
    }
    if (walk.is_cut() || walk.is_damaged()) {
        builder.damage();
    }
    return builder.finish();
}

} // namespace lttng_gpu::trace::perfetto
