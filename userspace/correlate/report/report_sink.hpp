// SPDX-License-Identifier: MIT
//
// The sinks of `report`: the finished numbers as JSON (schema
// lttng-gpu/report/1), flat CSV or text for a terminal of 100 columns.
#pragma once

#include "report.hpp"

#include <functional>
#include <string_view>

namespace lttng_gpu::report {

/// Takes the text in pieces, one or some for each ring: that of a million rings is a gigabyte.
using TextSink = std::function<void(std::string_view)>;

void write_json(const Report& report, const TextSink& sink);
void write_csv(const Report& report, const TextSink& sink);
void write_text(const Report& report, const TextSink& sink);

/// The whole of what one of these writes.
std::string written(void (*write)(const Report&, const TextSink&), const Report& report);

inline std::string report_json(const Report& report)
{
    return written(write_json, report);
}
inline std::string report_text(const Report& report)
{
    return written(write_text, report);
}

/// "2 events lost, 1 packets lost", or "nothing lost".
std::string loss_text(const TraceAccount& trace);

} // namespace lttng_gpu::report
