// SPDX-License-Identifier: MIT
//
// CTF 2 metadata (CTF2-SPEC-2.0, section 5): a sequence of JSON texts, each
// behind a record separator (RFC 7464), to a draft of its schema.
#pragma once

#include "schema_draft.hpp"

namespace lttng_gpu::trace::ctf {

/// Errors are "fragment N, /json/pointer: expected …", the first fragment being 1.
Expected<SchemaDraft> read_ctf2(std::string_view text);

} // namespace lttng_gpu::trace::ctf
