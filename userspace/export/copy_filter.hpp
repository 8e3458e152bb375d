// SPDX-License-Identifier: MIT
//
// The filter of the export's graph: takes the merged messages of all inputs, emits
// their copies in the output traces and, in order of time among them, the extra events.
// Its class is made here and belongs to no plugin.
#pragma once

#include "extra_events.hpp"
#include "input_plan.hpp"

namespace lttng_gpu::exporting {

/// What the filter works on; must outlive the graph.
struct CopyWork {
    const InputPlan* plan = nullptr;
    /// By group of the plan; null where there is nothing to add.
    std::vector<std::unique_ptr<ExtraEvents>> extra;
    std::uint64_t events = 0; // copied so far
    /// When a graph ends early, sink.ctf.fs (2.0) still looks at traces that the filter,
    /// which goes first, may be the last to hold.
    std::vector<trace::Bt2KeptTraceRef> kept;
};

/// Empty when out of memory. A component of it is initialised with a CopyWork.
trace::Bt2FilterClassRef make_copy_filter_class();

} // namespace lttng_gpu::exporting
