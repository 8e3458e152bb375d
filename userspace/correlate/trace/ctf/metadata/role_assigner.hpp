// SPDX-License-Identifier: MIT
//
// Gives fields their roles while they are bound, and finds the clock of each
// stream: CTF 2 names it, in CTF 1.8 it is the one that the fields map to. The
// first problem is kept.
#pragma once

#include "schema_draft.hpp"

namespace lttng_gpu::trace::ctf {

/// For messages: "packet header", "event payload".
const char* scope_name(Scope scope);

bool is_integer(const FieldDraft& draft);
bool is_signed(const FieldDraft& draft);
bool is_boolean(const FieldDraft& draft);

struct FieldPlace {
    Scope scope;
    std::string_view name; // without its underscore; empty for elements and options
    bool is_outermost;     // directly in the scope's structure
};

class RoleAssigner {
public:
    /// May add an implicit clock to the draft.
    explicit RoleAssigner(SchemaDraft& draft) : m_draft(draft) {}

    /// `clock`: of the data stream class, CTF 2.
    void begin_stream(std::optional<std::size_t> clock);
    void assign(const FieldDraft& draft, FieldClass& type, const FieldPlace& place);

    std::optional<std::size_t> clock() const { return m_clock; } // of the stream at hand
    bool has_stream_class_id() const { return m_has_stream_class_id; }
    bool has_event_class_id() const { return m_has_event_class_id; } // the stream at hand
    const std::optional<std::string>& problem() const { return m_problem; }

private:
    void fail(std::string how);
    Role role_of(const FieldDraft& draft, const FieldPlace& place);
    void note_role(Role role, const FieldDraft& draft, const FieldPlace& place);
    Role clock_role(const FieldDraft& draft, const FieldPlace& place, Role role);
    void use_clock(std::optional<std::size_t> clock, const FieldPlace& place);

    SchemaDraft& m_draft;
    std::optional<std::size_t> m_clock;
    bool m_has_stream_class_id = false;
    bool m_has_event_class_id = false;
    std::optional<std::string> m_problem;
};

} // namespace lttng_gpu::trace::ctf
