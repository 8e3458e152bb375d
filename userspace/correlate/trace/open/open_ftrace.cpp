// SPDX-License-Identifier: MIT
//
// See open_ftrace.hpp. No form has an index, so a bound in time saves nothing.
#include "open_ftrace.hpp"

#include "../ftrace/dat_source.hpp"
#include "../ftrace/text_source.hpp"
#include "detect_ftrace.hpp"

#include "../perfetto/source.hpp"

namespace lttng_gpu::trace {

Expected<std::unique_ptr<EventSource>> open_ftrace(const std::filesystem::path& path,
                                                   const std::vector<WantedEvent>& wanted,
                                                   const ReadOptions&)
{
    const auto kind = ftrace::detect(path);
    if (!kind) {
        return Failure{kind.error()};
    }
    auto file = ftrace::File::open(path);
    if (!file) {
        return Failure{file.error()};
    }
    switch (*kind) {
    case ftrace::FtraceKind::TraceDat:
        return ftrace::DatSource::open(std::move(*file), wanted);
    case ftrace::FtraceKind::Perfetto:
        return perfetto::PerfettoSource::open(std::move(*file), wanted);
    case ftrace::FtraceKind::Text:
        return ftrace::TextSource::open(std::move(*file), wanted);
    case ftrace::FtraceKind::None:
        break;
    }
    return Failure{{ErrorKind::UnreadableTrace,
                    path.string() + ": neither trace.dat nor a Perfetto trace nor a text trace "
                                    "of ftrace, trace-cmd or perf script"}};
}

} // namespace lttng_gpu::trace
