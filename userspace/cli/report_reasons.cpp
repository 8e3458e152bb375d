// SPDX-License-Identifier: MIT
//
// See report_reasons.hpp.
#include "report_reasons.hpp"

#include "../correlate/run/diagnosis.hpp"
#include "../correlate/run/reasons.hpp"
#include "reading_options.hpp"

#include <exception>

namespace lttng_gpu::cli {
namespace {

enum class Choice : std::uint8_t { Left, Named, Told };

Choice choice_for(const run::Outcome& outcome, const Options& options)
{
    const bool is_screen = options.format == report::Format::Text && options.text.rings.empty();
    const bool is_json = options.format == report::Format::Json;
    const bool has_place = is_screen || (is_json && options.has_reasons);
    if (!has_place || outcome.jobs == 0 || options.reads_once ||
        !options.has_reasons.value_or(true)) {
        return Choice::Left;
    }
    return options.has_reasons || outcome.jobs <= most_jobs_diagnosed ? Choice::Told
                                                                      : Choice::Named;
}

/// Thrown out of the reading.
struct Stopped final : std::exception {};

} // namespace

void add_reasons(report::Report& report, const run::Outcome& outcome, const Options& options,
                 Workers& workers, const std::function<bool()>& should_stop)
{
    const Choice choice = choice_for(outcome, options);
    if (choice == Choice::Left) {
        return;
    }
    report.has_reasons_elsewhere = true;
    if (choice == Choice::Named) {
        return;
    }
    try {
        run::DiagnosisRequest request;
        request.wanted.worst = 0;
        request.window = options.window;
        const auto made = run::diagnose_traces(options.traces, read_options(options, workers),
                                               request, [&](const trace::EventSource& /*source*/) {
                                                   if (should_stop()) {
                                                       throw Stopped{};
                                                   }
                                               });
        if (made) {
            report.reasons = run::reason_costs(made->result.summary, made->rings());
        }
    } catch (const std::exception&) {
        report.reasons.reset(); // `diagnose` says what it is
    }
}

} // namespace lttng_gpu::cli
