// SPDX-License-Identifier: MIT
//
// What every babeltrace2 graph of this program is made with. The library's own log is
// off; when it fails, the first of its error causes (the one nearest to the fault)
// becomes one line of ours.
#pragma once

#include "../../base/expected.hpp"
#include "ref.hpp"

#include <filesystem>
#include <vector>

namespace lttng_gpu::trace {

constexpr bt_logging_level bt2_log_level = BT_LOGGING_LEVEL_NONE;

/// Takes the thread's error and gives the cause nearest to the fault.
std::string take_error_text();

Expected<Bt2PluginRef> find_plugin(const char* name);

/// Of source.ctf.fs for the directories of one trace; with a null name the trace keeps its
/// own. Empty when memory is short.
Bt2ValueRef make_source_params(const std::vector<std::filesystem::path>& paths,
                               const char* trace_name);

} // namespace lttng_gpu::trace
