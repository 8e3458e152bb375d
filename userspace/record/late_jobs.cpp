// SPDX-License-Identifier: MIT
//
// See late_jobs.hpp.
#include "late_jobs.hpp"

#include "../correlate/run/reading.hpp"
#include "../correlate/trace/open/open_traces.hpp"
#include "folder.hpp"

#include <fmt/format.h>
#include <set>

namespace lttng_gpu::record {
namespace {

class LateSink final : public model::JobSink {
public:
    LateSink(const model::RingTable& rings, Duration limit, const trace::SourceTotals& totals)
        : x_rings{rings}, x_limit{limit}, x_totals{totals}
    {
    }

    void on_job(const model::Job& job) override
    {
        if (job.ring && job.submitted) {
            x_submitting.insert(*job.ring);
        }
        if (!job.queued || job.interval != 0) {
            return;
        }
        if (job.submitted && *job.submitted - *job.queued > x_limit) {
            add(job, *job.submitted - *job.queued);
        } else if (!job.submitted && !job.completed && job.ending == model::Ending::Normal &&
                   job.ring) {
            x_waiting.push_back(job);
        }
    }

    LateJobs take()
    {
        for (const model::Job& job : x_waiting) {
            // Some drivers do not tell of submissions at all.
            const bool is_telling = x_submitting.count(*job.ring) != 0;
            if (is_telling && x_totals.last && *x_totals.last - *job.queued > x_limit) {
                add(job, *x_totals.last - *job.queued);
            }
        }
        return std::move(x_found);
    }

private:
    void add(const model::Job& job, Duration waited)
    {
        JobIdentity identity;
        if (job.ring) {
            const model::Ring& ring = x_rings.at(*job.ring);
            const std::string_view device = x_rings.text(ring.device);
            identity.ring =
                fmt::format("{}{}{}", device, device.empty() ? "" : " ", x_rings.text(ring.shown));
        }
        identity.pid = job.actor.pid ? job.actor.pid->value() : 0;
        identity.context = job.fence.context ? job.fence.context->value() : 0;
        identity.seqno = job.fence.seqno ? job.fence.seqno->value() : 0;
        x_found.jobs.push_back({std::move(identity), std::string{x_rings.text(job.actor.comm)},
                                *job.queued, job.submitted, waited});
    }

    const model::RingTable& x_rings;
    Duration x_limit;
    const trace::SourceTotals& x_totals;
    std::set<RingId> x_submitting; // rings on which a submission was seen
    std::vector<model::Job> x_waiting;
    LateJobs x_found;
};

} // namespace

Expected<LateJobs> find_late_jobs(const std::filesystem::path& trace, Duration limit)
{
    if (!has_trace(trace)) {
        return LateJobs{};
    }
    const auto reading = run::open_reading({trace}, {});
    if (!reading) {
        return Failure{reading.error()};
    }
    report::Window window{report::WindowRequest{}};
    LateSink sink{reading->pipeline->rings(), limit, reading->source->totals()};
    const run::Outcome outcome =
        reading->pipeline->run(*reading->source, window, sink, nullptr, [] { return false; });
    if (outcome.stopped) {
        return Failure{*outcome.stopped};
    }
    LateJobs found = sink.take();
    found.begin = outcome.first;
    for (const trace::Loss& loss : outcome.late_begins) {
        found.begin = std::max(found.begin.value_or(loss.end), loss.end);
    }
    found.end = outcome.last;
    return found;
}

} // namespace lttng_gpu::record
