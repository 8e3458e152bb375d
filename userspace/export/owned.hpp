// SPDX-License-Identifier: MIT
//
// Short names for the owning references to what the export builds.
#pragma once

#include "../correlate/trace/bt2/ref.hpp"

namespace lttng_gpu::exporting {

using FieldClassOwner = trace::Bt2FieldClassRef;
using ClockClassOwner = trace::Bt2ClockClassRef;
using TraceClassOwner = trace::Bt2TraceClassRef;
using StreamClassOwner = trace::Bt2StreamClassRef;
using EventClassOwner = trace::Bt2EventClassRef;
using TraceOwner = trace::Bt2TraceRef;
using StreamOwner = trace::Bt2StreamRef;
using PacketOwner = trace::Bt2PacketRef;

} // namespace lttng_gpu::exporting
