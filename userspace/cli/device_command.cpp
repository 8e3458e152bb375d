// SPDX-License-Identifier: MIT
//
// See device_command.hpp.
#include "device_command.hpp"

#include "../correlate/base/progress.hpp"
#include "../correlate/device/writers.hpp"
#include "../correlate/report/output.hpp"
#include "../correlate/run/conclusion.hpp"
#include "../correlate/run/device_reading.hpp"
#include "commands.hpp"
#include "reading_options.hpp"

#include <unistd.h>

namespace lttng_gpu::cli {

Expected<int> run_device(const Options& options, const report::OutputPlace& place,
                         std::ostream& errors)
{
    auto output = report::Output::open(place);
    if (!output) {
        return Failure{output.error()};
    }
    Workers workers{options.threads};
    Progress progress{progress_terminal(false)};
    auto read = run::read_device_trace(
        options.traces, read_options(options, workers), [&](const trace::EventSource& source) {
            progress.update(source.progress(), source.totals().events);
        });
    progress.erase();
    if (!read) {
        return Failure{read.error()};
    }
    const run::DeviceReading reading = std::move(*read).value_or(run::DeviceReading{});
    const device::DeviceTrace& trace = reading.trace;
    report::Screen screen = options.output.empty()
                                ? report::screen_of(STDOUT_FILENO, options.colour)
                                : report::screen_of_file(options.colour);
    output->write(options.format == report::Format::Json ? json_of(trace) : text_of(trace, screen));
    if (const auto written = output->finish(); !written) {
        return Failure{written.error()};
    }
    if (reading.stopped) {
        run::print_line(errors, reading.stopped->message);
    }
    if (reading.losses > 0) {
        run::print_line(errors, "the tracer lost events of this trace");
    }
    if (reading.stopped || trace.is_lossy() || reading.losses > 0) {
        return exit_damaged_trace;
    }
    if (trace.launches.empty()) {
        run::print_line(errors, "no kernel was recorded inside (record with --device-trace)");
        return exit_nothing_to_report;
    }
    return exit_fine;
}

} // namespace lttng_gpu::cli
