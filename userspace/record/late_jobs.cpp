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
        : m_rings{rings}, m_limit{limit}, m_totals{totals}
    {
    }

    void on_job(const model::Job& job) override
    {
        if (job.ring && job.submitted) {
            m_submitting.insert(*job.ring);
        }
        if (!job.queued || job.interval != 0) {
            return;
        }
        if (job.submitted && *job.submitted - *job.queued > m_limit) {
            add(job, *job.submitted - *job.queued);
        } else if (!job.submitted && !job.completed && job.ending == model::Ending::Normal &&
                   job.ring) {
            m_waiting.push_back(job);
        }
    }

    LateJobs take()
    {
        for (const model::Job& job : m_waiting) {
            // Some drivers do not tell of submissions at all.
            const bool is_telling = m_submitting.count(*job.ring) != 0;
            if (is_telling && m_totals.last && *m_totals.last - *job.queued > m_limit) {
                add(job, *m_totals.last - *job.queued);
            }
        }
        return std::move(m_found);
    }

private:
    void add(const model::Job& job, Duration waited)
    {
        JobIdentity identity;
        if (job.ring) {
            const model::Ring& ring = m_rings.at(*job.ring);
            const std::string_view device = m_rings.text(ring.device);
            identity.ring =
                fmt::format("{}{}{}", device, device.empty() ? "" : " ", m_rings.text(ring.shown));
        }
        identity.pid = job.actor.pid ? job.actor.pid->value() : 0;
        identity.context = job.fence.context ? job.fence.context->value() : 0;
        identity.seqno = job.fence.seqno ? job.fence.seqno->value() : 0;
        m_found.jobs.push_back({std::move(identity), std::string{m_rings.text(job.actor.comm)},
                                *job.queued, job.submitted, waited});
    }

    const model::RingTable& m_rings;
    Duration m_limit;
    const trace::SourceTotals& m_totals;
    std::set<RingId> m_submitting; // rings on which a submission was seen
    std::vector<model::Job> m_waiting;
    LateJobs m_found;
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
