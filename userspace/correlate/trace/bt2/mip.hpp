// SPDX-License-Identifier: MIT
//
// The one place that knows versions of babeltrace2's message interchange protocol.
// Version 1 came with babeltrace2 2.1, which needs it for CTF 2: a trace then has a UID,
// a text, in place of a UUID, and some classes of fields are made by other functions.
#pragma once

#include <babeltrace2/babeltrace.h>
#include <cstdint>
#include <string>

namespace lttng_gpu::trace {

/// Since 2.1 the library reads CTF 2, and writes it unless told otherwise.
bool knows_ctf2();

/// The newest version that the library and this program know.
std::uint64_t newest_mip_version();

/// That of the graph in which the class was made.
std::uint64_t mip_version_of(const bt_trace_class* trace_class);

/// The same for all chunks of a trace; a trace that does not say stands for itself.
std::string identity_of(const bt_trace* trace);

/// A UUID or a UID as a text; empty when the clock has none.
std::string identity_of(const bt_clock_class* clock, const bt_trace_class* trace_class);

/// An option without selector. Owned by the caller; null when memory is short.
bt_field_class* make_option_class(bt_trace_class* trace_class, bt_field_class* content);

} // namespace lttng_gpu::trace
