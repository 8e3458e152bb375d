// SPDX-License-Identifier: MIT
//
// A TSDL text (CTF 1.8) to a draft of its schema. Blocks are read in the order
// env, clock, declarations, trace, stream, event, whatever their order in the
// text, as babeltrace2 2.0 does (ctf_visitor_generate_ir_visit_node()): a type
// alias may stand before the trace block that says which byte order is native.
#pragma once

#include "schema_draft.hpp"

namespace lttng_gpu::trace::ctf {

/// Errors are "line:column: expected …".
Expected<SchemaDraft> read_tsdl(std::string_view text);

} // namespace lttng_gpu::trace::ctf
