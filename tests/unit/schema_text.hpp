// SPDX-License-Identifier: MIT
//
// A field class of a schema as one line, so that a test can say what it expects:
//   u32 i5@1 u64be f64 vu str16 text(8) blob(r0)   numbers, texts and blobs
//   u64 begin =r0                                  role, register that keeps the value
//   {a:u8 b:u8}@32  [u8*4]  [u8*r0]                structure, array, sequence
//   <r0 a(0..30):u8 b(31):u16>  ?r0(1):u8          variant, optional field
#pragma once

#include "trace/ctf/metadata/schema.hpp"

#include <string>

namespace lttng_gpu::trace::ctf {

std::string schema_text(const FieldClassPtr& type);

/// The one event class of the one stream class; anything else fails the test.
const EventClass& only_event(const Schema& schema);

} // namespace lttng_gpu::trace::ctf
