// SPDX-License-Identifier: MIT
//
// See recording_advice.hpp. trace-cmd-record(1); Perfetto's protos/perfetto/config/ftrace/
// ftrace_config.proto; Linux, Documentation/trace/ftrace.rst and events.rst.
#include "recording_advice.hpp"

#include "../base/gpu_drivers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::model {

using trace::Recorder;

std::string_view scheduler_advice(Recorder recorder)
{
    switch (recorder) {
    case Recorder::TraceCmd:
        return "trace-cmd record with -e sched_switch -e sched_waking, too";
    case Recorder::Perfetto:
        return "ftrace_events: \"sched/sched_switch\" and ftrace_events: \"sched/sched_waking\" in "
               "Perfetto's config, too";
    case Recorder::Text:
        return "record the events sched_switch and sched_waking, too";
    case Recorder::Lttng:
        break;
    }
    return "record --events all,kernel:sched_switch,kernel:sched_waking";
}

std::string_view buffer_advice(Recorder recorder)
{
    switch (recorder) {
    case Recorder::TraceCmd:
        return "trace-cmd record with larger buffers (-b)";
    case Recorder::Perfetto:
        return "record with larger buffers (size_kb and buffer_size_kb in Perfetto's config)";
    case Recorder::Text:
        return "record with larger buffers (buffer_size_kb in tracefs)";
    case Recorder::Lttng:
        break;
    }
    return "record with larger buffers (--buffers)";
}

std::string job_advice(Recorder recorder, bool is_root)
{
    const char* const rights = is_root ? "" : ", as root";
    switch (recorder) {
    case Recorder::TraceCmd:
        return fmt::format("record those that the machine has{}: `trace-cmd record -e SYSTEM`",
                           rights);
    case Recorder::Perfetto:
        return "record those that the machine has: `ftrace_events: \"SYSTEM/*\"` in Perfetto's "
               "config, data source linux.ftrace";
    case Recorder::Text:
        return fmt::format("record those that the machine has{}: `echo 1 >"
                           "/sys/kernel/tracing/events/SYSTEM/enable`",
                           rights);
    case Recorder::Lttng:
        break;
    }
    return fmt::format("record them{} with `modprobe lttng-probe-gpu` and `lttng enable-event "
                       "--kernel '{}'`",
                       rights, fmt::join(gpu_job_events(), ","));
}

} // namespace lttng_gpu::model
