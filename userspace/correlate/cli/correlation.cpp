// SPDX-License-Identifier: MIT
//
// See correlation.hpp.
#include "correlation.hpp"

#include "../trace/ctf/source_loop.hpp"
#include "correlation_pass.hpp"
#include "job_stage.hpp"

namespace lttng_gpu::cli {
namespace {

void report_offsets(const trace::EventSource& source, trace::EventConsumer& consumer)
{
    for (const auto& [trace, offset] : source.clock_offsets()) {
        consumer.on_clock_offset(trace, offset);
    }
}

} // namespace

void Correlation::learn_clocks(trace::EventSource& source)
{
    StringPool strings;
    model::RingTable rings{strings};
    AnomalyCounters anomalies;
    model::NullSink sink;
    x_clocks.set_use(model::DeviceClocks::Use::Learning);
    model::Correlator learner{strings, rings, anomalies, sink, &x_clocks, &x_enumerations};
    report_offsets(source, learner);
    for (bool has_more = true; has_more;) {
        has_more = source.read_some(learner).value_or(false); // run() will meet the error, too
    }
    x_clocks.set_use(model::DeviceClocks::Use::Learned);
}

std::optional<CaptureSurvey> Correlation::survey(const trace::EventSource& source,
                                                 const Outcome& outcome)
{
    if (!outcome.first || !outcome.last) {
        return {};
    }
    return survey_capture(x_findings, x_rings, source.coverage(), outcome.late_begins,
                          {*outcome.first, *outcome.last});
}

Outcome Correlation::run(trace::EventSource& source, report::Window& window, model::JobSink& sink,
                         Workers* workers, const std::function<bool()>& should_stop)
{
    std::unique_ptr<JobStage> stage;
    if (workers != nullptr && workers->is_parallel()) {
        stage = std::make_unique<JobStage>(*workers, sink);
    }
    Pass pass{*this, source.totals(), window, stage ? *stage : sink};
    pass.set_announces_losses(source.announces_losses());
    report_offsets(source, pass);
    for (const auto& [trace, release] : source.kernel_releases()) {
        pass.on_kernel_release(trace, release);
    }
    // The usual reader need not make a virtual call for every event.
    auto* const ctf = dynamic_cast<trace::ctf::CtfSource*>(&source);
    while (!should_stop()) {
        const auto has_more = ctf != nullptr ? ctf->read_some_into(pass) : source.read_some(pass);
        if (!has_more) {
            pass.stop(has_more.error());
            break;
        }
        if (!*has_more) {
            break;
        }
    }
    return pass.finish([&stage] {
        if (stage) {
            stage->finish();
        }
    });
}

} // namespace lttng_gpu::cli
