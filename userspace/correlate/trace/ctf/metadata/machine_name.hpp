// SPDX-License-Identifier: MIT
//
// On which machine a trace was recorded, by its metadata.
#pragma once

#include "../../trace_facts.hpp"
#include "schema.hpp"

namespace lttng_gpu::trace::ctf {

MachineName machine_of(const Schema& schema);

} // namespace lttng_gpu::trace::ctf
