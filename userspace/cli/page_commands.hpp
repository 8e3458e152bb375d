// SPDX-License-Identifier: MIT
//
// `report --html` and `view`: traces become a page.
#pragma once

#include "options.hpp"

#include <iosfwd>

namespace lttng_gpu::cli {

/// Return exit codes.
int run_html_report(const Options& options, const report::OutputPlace& place, std::ostream& errors);
int run_view(const Options& options, std::ostream& output, std::ostream& errors);

} // namespace lttng_gpu::cli
