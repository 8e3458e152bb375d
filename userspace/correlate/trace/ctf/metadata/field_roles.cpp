// SPDX-License-Identifier: MIT
#include "field_roles.hpp"

namespace lttng_gpu::trace::ctf {
namespace {

struct NamedRole {
    Scope scope;
    std::string_view name; // of CTF 1.8
    Role role;
};

constexpr NamedRole named_roles[]{
    {Scope::PacketHeader, "magic", Role::Magic},
    {Scope::PacketHeader, "uuid", Role::TraceUuid},
    {Scope::PacketHeader, "stream_id", Role::StreamClassId},
    {Scope::PacketHeader, "stream_instance_id", Role::StreamId},
    {Scope::PacketContext, "content_size", Role::PacketContentLength},
    {Scope::PacketContext, "packet_size", Role::PacketTotalLength},
    {Scope::PacketContext, "timestamp_begin", Role::PacketBegin},
    {Scope::PacketContext, "timestamp_end", Role::PacketEnd},
    {Scope::PacketContext, "events_discarded", Role::EventsDiscarded},
    {Scope::PacketContext, "packet_seq_num", Role::PacketSequenceNumber},
};

struct Ctf2Role {
    std::string_view name;
    Role role;
};

constexpr Ctf2Role ctf2_roles[]{
    {"packet-magic-number", Role::Magic},
    {"metadata-stream-uuid", Role::TraceUuid},
    {"data-stream-class-id", Role::StreamClassId},
    {"data-stream-id", Role::StreamId},
    {"packet-content-length", Role::PacketContentLength},
    {"packet-total-length", Role::PacketTotalLength},
    {"packet-end-default-clock-timestamp", Role::PacketEnd},
    {"discarded-event-record-counter-snapshot", Role::EventsDiscarded},
    {"packet-sequence-number", Role::PacketSequenceNumber},
    {"event-record-class-id", Role::EventClassId},
    {"default-clock-timestamp", Role::Timestamp},
};

} // namespace

Role role_by_name(Scope scope, bool is_outermost, std::string_view name)
{
    // LTTng's headers have `id` twice: in the structure and in an option of its variant.
    if (scope == Scope::EventHeader) {
        return name == "id" ? Role::EventClassId : Role::None;
    }
    for (const NamedRole& candidate : named_roles) {
        if (is_outermost && candidate.scope == scope && candidate.name == name) {
            return candidate.role;
        }
    }
    return Role::None;
}

std::string_view name_of_role(Role role)
{
    if (role == Role::EventClassId) {
        return "id";
    }
    for (const NamedRole& candidate : named_roles) {
        if (candidate.role == role) {
            return candidate.name;
        }
    }
    return role == Role::Timestamp ? "timestamp" : "";
}

Role role_in_scope(Scope scope, Role role)
{
    switch (role) {
    case Role::Magic:
    case Role::TraceUuid:
    case Role::StreamClassId:
    case Role::StreamId:
        return scope == Scope::PacketHeader ? role : Role::None;
    case Role::PacketContentLength:
    case Role::PacketTotalLength:
    case Role::PacketBegin:
    case Role::PacketEnd:
    case Role::EventsDiscarded:
    case Role::PacketSequenceNumber:
        return scope == Scope::PacketContext ? role : Role::None;
    case Role::EventClassId:
        return scope == Scope::EventHeader ? role : Role::None;
    case Role::Timestamp: // the clock when the packet begins, or when the event occurs
        return scope == Scope::PacketContext ? Role::PacketBegin
               : scope == Scope::EventHeader ? role
                                             : Role::None;
    case Role::None:
        break;
    }
    return Role::None;
}

bool is_timestamp_by_name(Scope scope, std::string_view name)
{
    return (scope == Scope::EventHeader && name == "timestamp") ||
           (scope == Scope::PacketContext &&
            (name == "timestamp_begin" || name == "timestamp_end"));
}

Role role_named(std::string_view ctf2_name)
{
    for (const Ctf2Role& candidate : ctf2_roles) {
        if (candidate.name == ctf2_name) {
            return candidate.role;
        }
    }
    return Role::None;
}

} // namespace lttng_gpu::trace::ctf
