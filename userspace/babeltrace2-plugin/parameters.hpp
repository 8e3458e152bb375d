// SPDX-License-Identifier: MIT
//
// The parameters of the components. An unknown parameter, a wrong type or a value
// out of range is an error that says what is valid.
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
