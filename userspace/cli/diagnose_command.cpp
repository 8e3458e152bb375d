// SPDX-License-Identifier: MIT
//
// See diagnose_command.hpp.
#include "diagnose_command.hpp"

#include "../correlate/base/progress.hpp"
#include "../correlate/run/noted_losses.hpp"
#include "../correlate/trace/open/recognise.hpp"

namespace lttng_gpu::cli {

Expected<run::TraceDiagnosis> make_diagnosis(const Options& options, const trace::ReadOptions& read)
{
    Progress progress{progress_terminal(false)};
    run::DiagnosisRequest request;
    request.wanted = options.diagnosed;
    request.frames = options.diagnosed_frames;
    request.window = options.window;
    request.reads_once = options.reads_once;
    auto made =
        run::diagnose_traces(options.traces, read, request, [&](const trace::EventSource& source) {
            progress.update(source.progress(), source.totals().events);
        });
    progress.erase();
    if (made) {
        made->outcome.account.losses_of_unknown_size += run::noted_losses(options.traces);
        made->result.recorder = trace::recorder_of(options.traces);
    }
    return made;
}

void write_diagnosis(const run::TraceDiagnosis& made, report::Format format,
                     const report::Screen& screen, report::Output& output)
{
    const diagnose::Totals total = made.result.summary.total();
    const diagnose::TextSink sink = [&output](std::string_view piece) { output.write(piece); };
    if (format == report::Format::Json) {
        diagnose::write_json(made.result, made.rings(), sink);
    } else if (format == report::Format::Csv) {
        diagnose::write_csv(made.result, made.rings(), sink);
    } else if (made.result.has_frames || total.jobs + total.left_out.all() > 0) {
        diagnose::write_text(made.result, {made.rings(), sink, screen});
    }
}

} // namespace lttng_gpu::cli
