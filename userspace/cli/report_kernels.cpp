// SPDX-License-Identifier: MIT
//
// See report_kernels.hpp.
#include "report_kernels.hpp"

#include "../correlate/trace/open/recognise.hpp"
#include "reading_options.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

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
    // Files are captures of the kernel only, and opening a large one takes its time.
    std::vector<std::filesystem::path> folders;
    std::ranges::copy_if(options.traces, std::back_inserter(folders), [](const auto& trace) {
        std::error_code error;
        return !std::filesystem::is_regular_file(trace, error);
    });
    if (folders.empty()) {
        return {};
    }
    try {
        auto read = run::read_device_trace(folders, read_options(options, workers),
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
