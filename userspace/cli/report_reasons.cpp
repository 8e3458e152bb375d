// SPDX-License-Identifier: MIT
//
// See report_reasons.hpp.
#include "report_reasons.hpp"

namespace lttng_gpu::cli {

bool may_tell_reasons(const Options& options)
{
    const bool is_screen = options.format == report::Format::Text && options.text.rings.empty();
    const bool is_json = options.format == report::Format::Json;
    const bool has_place = is_screen || (is_json && options.has_reasons);
    return has_place && !options.reads_once && options.has_reasons.value_or(true);
}

ReasonsChoice choose_reasons(const run::Outcome& outcome, const Options& options)
{
    if (outcome.jobs == 0 || !may_tell_reasons(options)) {
        return ReasonsChoice::Left;
    }
    return options.has_reasons || outcome.jobs <= run::most_jobs_diagnosed ? ReasonsChoice::Told
                                                                           : ReasonsChoice::Named;
}

} // namespace lttng_gpu::cli
