// SPDX-License-Identifier: MIT
//
// See report_kernels.hpp.
#include "report_kernels.hpp"

#include "reading_options.hpp"

#include <algorithm>
#include <exception>

namespace lttng_gpu::cli {
namespace {

/// Thrown out of the reading.
struct Stopped final : std::exception {};

} // namespace

std::optional<run::DeviceReading>
read_inside_of_kernels(const Options& options, Workers& workers,
                       const std::function<bool(const trace::EventSource&)>& should_stop)
{
    if (options.reads_once || std::ranges::any_of(options.traces, trace::is_live)) {
        return {};
    }
    try {
        auto read = run::read_device_trace(options.traces, read_options(options, workers),
                                           [&](const trace::EventSource& source) {
                                               if (should_stop(source)) {
                                                   throw Stopped{};
                                               }
                                           });
        return read ? std::move(*read) : std::nullopt;
    } catch (const std::exception&) {
        return {};
    }
}

} // namespace lttng_gpu::cli
