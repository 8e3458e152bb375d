// SPDX-License-Identifier: MIT
//
// The sinks of `report`: the finished numbers as JSON (schema
// lttng-gpu/report/1), flat CSV or text for a terminal.
#pragma once

#include "report.hpp"
#include "text_lost.hpp"
#include "text_overview.hpp"

#include <functional>
#include <string_view>

namespace lttng_gpu::report {

/// Takes the text in pieces, one or some for each ring: that of a million rings is a gigabyte.
using TextSink = std::function<void(std::string_view)>;

void write_json(const Report& report, const TextSink& sink);
void write_csv(const Report& report, const TextSink& sink);
void write_text(const Report& report, const TextOptions& options, const TextSink& sink);

/// Places in Report::queues, in natural order of device and name: of those that the options name,
/// or of all. A name is that of the ring, or device and ring, or a pattern of either (`gfx*`).
std::vector<std::size_t> chosen_rings(const Report& report, const TextOptions& options);

/// The whole of what one of these writes.
std::string report_json(const Report& report);
std::string report_text(const Report& report, const TextOptions& options = {});

} // namespace lttng_gpu::report
