// SPDX-License-Identifier: MIT
//
// The parameters of the components. Whatever is not known, of another type or out of
// range is an error that says what would be right.
#pragma once

#include "../correlate/base/expected.hpp"
#include "../correlate/report/format.hpp"
#include "../correlate/report/window.hpp"

#include <babeltrace2/babeltrace.h>

namespace lttng_gpu::plugin {

struct ReportParameters {
    report::Format format = report::Format::Text;
    report::WindowRequest window;
    std::string output; // empty: standard output
};

Expected<ReportParameters> read_report_parameters(const bt_value* params);

/// For components that have none.
Expected<void> check_no_parameters(const bt_value* params);

} // namespace lttng_gpu::plugin
