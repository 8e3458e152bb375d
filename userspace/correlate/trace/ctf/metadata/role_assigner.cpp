// SPDX-License-Identifier: MIT
#include "role_assigner.hpp"

#include "field_roles.hpp"
#include "shown_name.hpp"

#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {
namespace {

bool is_byte(const FieldDraft& draft)
{
    const auto* integer = std::get_if<IntegerClass>(&draft.shape.kind);
    return integer != nullptr && integer->bits == 8 && !integer->is_signed;
}

} // namespace

const char* scope_name(Scope scope)
{
    constexpr const char* names[scope_count]{"packet header",       "packet context",
                                             "event header",        "event context",
                                             "event's own context", "event payload"};
    return names[static_cast<std::size_t>(scope)];
}

bool is_signed(const FieldDraft& draft)
{
    if (const auto* integer = std::get_if<IntegerClass>(&draft.shape.kind)) {
        return integer->is_signed;
    }
    const auto* variable = std::get_if<VariableIntegerClass>(&draft.shape.kind);
    return variable != nullptr && variable->is_signed;
}

bool is_integer(const FieldDraft& draft)
{
    return std::holds_alternative<IntegerClass>(draft.shape.kind) ||
           std::holds_alternative<VariableIntegerClass>(draft.shape.kind);
}

bool is_boolean(const FieldDraft& draft)
{
    const auto* integer = std::get_if<IntegerClass>(&draft.shape.kind);
    return integer != nullptr && integer->kind == IntegerKind::Boolean;
}

void RoleAssigner::begin_stream(std::optional<std::size_t> clock)
{
    m_clock = clock;
    m_has_event_class_id = false;
}

void RoleAssigner::fail(std::string how)
{
    if (!m_problem) {
        m_problem = std::move(how);
    }
}

void RoleAssigner::assign(const FieldDraft& draft, FieldClass& type, const FieldPlace& place)
{
    const Role role = role_of(draft, place);
    if (auto* integer = std::get_if<IntegerClass>(&type.kind)) {
        integer->role = role;
    } else if (auto* variable = std::get_if<VariableIntegerClass>(&type.kind)) {
        variable->role = role;
    } else if (auto* array = std::get_if<ArrayClass>(&type.kind)) {
        array->role = role;
    } else if (auto* blob = std::get_if<StaticBlobClass>(&type.kind)) {
        blob->role = role;
    }
}

Role RoleAssigner::role_of(const FieldDraft& draft, const FieldPlace& place)
{
    Role role = Role::None;
    if (m_draft.is_tsdl) {
        role = clock_role(draft, place, role_by_name(place.scope, place.is_outermost, place.name));
    } else {
        for (const Role candidate : draft.roles) {
            const Role meant = role_in_scope(place.scope, candidate);
            if (role != Role::None && meant != Role::None && meant != role) {
                fail(fmt::format("expected one role for the field \"{}\" of the {}",
                                 shown_name(place.name), scope_name(place.scope)));
            }
            role = meant == Role::None ? role : meant;
        }
        const bool is_time =
            role == Role::Timestamp || role == Role::PacketBegin || role == Role::PacketEnd;
        if (is_time && !m_clock) {
            fail("expected a data stream class with timestamps to have a default clock class");
        }
    }
    if (role != Role::None) {
        note_role(role, draft, place);
    }
    return role;
}

/// Remembers which roles there are, and that their fields can be read as such.
void RoleAssigner::note_role(Role role, const FieldDraft& draft, const FieldPlace& place)
{
    m_has_stream_class_id = m_has_stream_class_id || role == Role::StreamClassId;
    m_has_event_class_id = m_has_event_class_id || role == Role::EventClassId;
    const auto expect = [&](bool is_so, const char* what) {
        if (!is_so) {
            fail(fmt::format("expected the field \"{}\" of the {} to be {}", shown_name(place.name),
                             scope_name(place.scope), what));
        }
    };
    if (role == Role::TraceUuid) {
        const auto* array = std::get_if<ArrayClass>(&draft.shape.kind);
        const auto* blob = std::get_if<StaticBlobClass>(&draft.shape.kind);
        const bool is_array =
            array != nullptr && array->length == 16 && is_byte(*draft.members[0].type);
        expect(is_array || (blob != nullptr && blob->bytes == 16), "16 bytes");
        return;
    }
    expect(is_integer(draft) && !is_signed(draft), "an unsigned integer");
    if (role == Role::Magic) {
        const auto* integer = std::get_if<IntegerClass>(&draft.shape.kind);
        expect(integer != nullptr && integer->bits == 32, "32 bits long");
    }
}

/// CTF 1.8: a mapped integer shows the stream's clock, of which there is one.
Role RoleAssigner::clock_role(const FieldDraft& draft, const FieldPlace& place, Role role)
{
    const bool is_clocked =
        is_integer(draft) && (draft.clock || is_timestamp_by_name(place.scope, place.name));
    if (!is_clocked) {
        return role;
    }
    use_clock(draft.clock, place);
    const bool advances = place.scope == Scope::PacketContext || place.scope == Scope::EventHeader;
    return role == Role::None && advances ? Role::Timestamp : role;
}

void RoleAssigner::use_clock(std::optional<std::size_t> clock, const FieldPlace& place)
{
    if (place.scope == Scope::PacketHeader) {
        fail("expected no clock in the packet header, whose stream is not known yet");
        return;
    }
    if (!clock && m_draft.clocks.empty()) {
        // As babeltrace2 2.0 does (auto_map_field_to_trace_clock_class()).
        ClockClass implicit;
        implicit.name = "default";
        implicit.is_origin_unix_epoch = false;
        m_draft.clocks.push_back(std::move(implicit));
    }
    if (!clock && m_draft.clocks.size() > 1) {
        fail(fmt::format("expected the field \"{}\" of the {} to say which clock it maps to",
                         shown_name(place.name), scope_name(place.scope)));
        return;
    }
    const std::size_t used = clock.value_or(0);
    if (m_clock && *m_clock != used) {
        fail(fmt::format("expected one clock in a stream class, found \"{}\" and \"{}\"",
                         shown_name(m_draft.clocks[*m_clock].name),
                         shown_name(m_draft.clocks[used].name)));
        return;
    }
    m_clock = used;
}

} // namespace lttng_gpu::trace::ctf
