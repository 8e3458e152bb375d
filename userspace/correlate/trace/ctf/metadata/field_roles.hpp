// SPDX-License-Identifier: MIT
//
// What a field is for: CTF 1.8 says it by the names of members (CTF 1.8.3,
// sections 5.1, 5.2 and 6.1), CTF 2 by roles (CTF2-SPEC-2.0, sections 5.6.1 and
// 5.8.1), each valid in one scope only.
#pragma once

#include "field_draft.hpp"

namespace lttng_gpu::trace::ctf {

/// By the name without its underscore. `is_outermost`: directly in the scope's structure.
Role role_by_name(Scope scope, bool is_outermost, std::string_view name);

/// The name that says the role in CTF 1.8; empty for None.
std::string_view name_of_role(Role role);

/// The role as it is known to CTF 2 in this scope; None where it may not be.
Role role_in_scope(Scope scope, Role role);

/// CTF 1.8: fields of these names show the clock even when they do not say which.
bool is_timestamp_by_name(Scope scope, std::string_view name);

/// The role's name of CTF 2, from there and for messages.
Role role_named(std::string_view ctf2_name);

} // namespace lttng_gpu::trace::ctf
