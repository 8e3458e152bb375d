// SPDX-License-Identifier: MIT
//
// From drafts to the schema: every use of a draft becomes a field class of its
// own, gets its role, and each length, tag and selector is resolved to the
// fields decoded before that hold it; both ends carry the same register.
#pragma once

#include "schema_draft.hpp"

namespace lttng_gpu::trace::ctf {

/// No more than `field_limit` field classes are made: structures inside
/// structures by name could ask for any number of them.
Expected<Schema> bind_fields(SchemaDraft draft, std::size_t field_limit);

} // namespace lttng_gpu::trace::ctf
