// SPDX-License-Identifier: MIT
//
// See recorded_span.hpp.
#include "recorded_span.hpp"

#include <algorithm>
#include <map>

namespace lttng_gpu::model {
namespace {

/// Streams of a session that is stopped in order end within less.
constexpr Duration longest_stop{100'000'000};
/// A job without a queue event this many longest lives after the begin was not queued before the
/// trace began. Of an end nothing like that is true: what hangs outlives any trace.
constexpr std::int64_t life_factor = 4;

using CpuKey = std::pair<TraceId, Cpu>;

class Finder {
public:
    Finder(const std::vector<trace::CpuCoverage>& coverage,
           const std::vector<trace::Loss>& late_begins, CaptureFindings& findings)
        : m_coverage{coverage}, m_findings{findings}
    {
        for (const trace::Loss& loss : late_begins) {
            TimeSpan& span =
                m_announced.try_emplace({loss.trace, loss.cpu}, TimeSpan{loss.begin, loss.end})
                    .first->second;
            span.end = std::max(span.end, loss.end);
        }
        for (const trace::CpuCoverage& cpu : coverage) {
            if (cpu.events > 0) {
                TimeSpan& span =
                    m_traces.try_emplace(cpu.trace, TimeSpan{cpu.first, cpu.last}).first->second;
                span.begin = std::min(span.begin, cpu.first);
                span.end = std::max(span.end, cpu.last);
            }
        }
    }

    std::vector<CpuGap> find()
    {
        std::vector<CpuGap> gaps;
        for (const trace::CpuCoverage& cpu : m_coverage) {
            if (!m_traces.contains(cpu.trace)) {
                continue;
            }
            const TimeSpan whole = m_traces.at(cpu.trace);
            if (cpu.events == 0) {
                if (!cpu.is_whole &&
                    (lacks_events(cpu.trace, whole) || lacks_queues(cpu.trace, whole))) {
                    gaps.push_back({CpuGap::Kind::Missing, cpu.trace, cpu.cpu, whole, false});
                }
                continue;
            }
            const auto announced = m_announced.find({cpu.trace, cpu.cpu});
            if (announced == m_announced.end() && begins_late(cpu, whole)) {
                gaps.push_back({CpuGap::Kind::BeginsLate,
                                cpu.trace,
                                cpu.cpu,
                                {whole.begin, cpu.first},
                                false});
            }
            if (ends_early(cpu, whole)) {
                gaps.push_back(
                    {CpuGap::Kind::EndsEarly, cpu.trace, cpu.cpu, {cpu.last, whole.end}, false});
            }
        }
        for (const auto& [cpu, span] : m_announced) {
            gaps.push_back({CpuGap::Kind::BeginsLate, cpu.first, cpu.second, span, true});
        }
        return gaps;
    }

private:
    static bool may_be_gap(const trace::CpuCoverage& cpu, Duration silence)
    {
        return silence > cpu.longest_pause;
    }

    /// Events of jobs that others prove lie, perhaps, in this stretch.
    bool lacks_events(TraceId trace, const TimeSpan& span) const
    {
        const auto& missing = m_findings.missing();
        return std::any_of(missing.begin(), missing.end(), [&](const MissingEvents& events) {
            return events.trace == trace && !events.is_announced && overlaps(events.when, span);
        });
    }

    bool lacks_queues(TraceId trace, const TimeSpan& span)
    {
        const Duration life{m_findings.longest_life(trace).value() * life_factor};
        return life.value() > 0 && span.begin + life < span.end &&
               m_findings.count_unqueued(trace, {span.begin + life, span.end}) > 0;
    }

    bool begins_late(const trace::CpuCoverage& cpu, const TimeSpan& whole)
    {
        const TimeSpan silence{whole.begin, cpu.first};
        const Duration length = silence.end - silence.begin;
        if (cpu.is_exact || cpu.is_whole || length.value() <= 0) {
            return false; // LTTng announces it
        }
        return may_be_gap(cpu, length) &&
               (lacks_events(cpu.trace, silence) || lacks_queues(cpu.trace, silence));
    }

    bool ends_early(const trace::CpuCoverage& cpu, const TimeSpan& whole)
    {
        const TimeSpan silence{cpu.last, whole.end};
        if (cpu.is_exact) {
            return silence.end - silence.begin > longest_stop;
        }
        return !cpu.is_whole && may_be_gap(cpu, silence.end - silence.begin) &&
               lacks_events(cpu.trace, silence);
    }

    const std::vector<trace::CpuCoverage>& m_coverage;
    CaptureFindings& m_findings;
    std::map<CpuKey, TimeSpan> m_announced;
    std::map<TraceId, TimeSpan> m_traces;
};

/// Silences of CPUs that reach a gap's end of the trace: each may be more of it than is known.
struct Silence {
    TraceId trace;
    TimeSpan span;
};

std::vector<Silence> find_silences(const RecordedSpan& recorded,
                                   const std::vector<trace::CpuCoverage>& coverage)
{
    std::vector<Silence> silences;
    for (const CpuGap& gap : recorded.gaps) {
        silences.push_back({gap.trace, gap.span});
        for (const trace::CpuCoverage& cpu : coverage) {
            const bool is_same = cpu.trace == gap.trace && cpu.events > 0;
            if (is_same && gap.kind == CpuGap::Kind::BeginsLate && cpu.first > gap.span.begin) {
                silences.push_back({gap.trace, {gap.span.begin, cpu.first}});
            } else if (is_same && gap.kind == CpuGap::Kind::EndsEarly && cpu.last < gap.span.end) {
                silences.push_back({gap.trace, {cpu.last, gap.span.end}});
            }
        }
    }
    return silences;
}

bool is_explained(const MissingEvents& missing, const RecordedSpan& recorded)
{
    return std::any_of(recorded.gaps.begin(), recorded.gaps.end(), [&](const CpuGap& gap) {
        return gap.trace == missing.trace && overlaps(gap.span, missing.when);
    });
}

/// The part of `span` from the first silence in it to the end of the last.
TimeSpan confined(TimeSpan span, TraceId trace, const std::vector<Silence>& silences)
{
    TimeSpan part{span.end, span.begin};
    for (const Silence& silence : silences) {
        if (silence.trace == trace && overlaps(silence.span, span)) {
            part.begin = std::min(part.begin, std::max(span.begin, silence.span.begin));
            part.end = std::max(part.end, std::min(span.end, silence.span.end));
        }
    }
    return part.begin <= part.end ? part : span;
}

} // namespace

void confine_to_gaps(CaptureFindings& findings, const RecordedSpan& recorded,
                     const std::vector<trace::CpuCoverage>& coverage)
{
    const auto silences = find_silences(recorded, coverage);
    std::map<TraceId, bool> is_all_explained;
    for (const MissingEvents& missing : findings.missing()) {
        bool& is_explained_so_far = is_all_explained.try_emplace(missing.trace, true).first->second;
        is_explained_so_far = is_explained_so_far && is_explained(missing, recorded);
    }
    findings.amend_missing([&](MissingEvents& missing) {
        if (!is_all_explained[missing.trace]) {
            return;
        }
        missing.when = confined(missing.when, missing.trace, silences);
        if (missing.run) {
            UnseenRun& run = *missing.run;
            run.ended_by =
                confined({run.submitted.begin, run.ended_by}, missing.trace, silences).end;
            run.submitted = confined(run.submitted, missing.trace, silences);
        }
    });
}

RecordedSpan find_recorded_span(const std::vector<trace::CpuCoverage>& coverage,
                                const std::vector<trace::Loss>& late_begins,
                                CaptureFindings& findings, TimeSpan whole)
{
    RecordedSpan recorded{whole, Finder{coverage, late_begins, findings}.find()};
    TimeSpan span = whole;
    for (bool has_changed = true; has_changed;) { // a gap counts where it reaches the end
        has_changed = false;
        for (const CpuGap& gap : recorded.gaps) {
            if (gap.kind == CpuGap::Kind::BeginsLate && gap.span.begin <= span.begin &&
                gap.span.end > span.begin) {
                span.begin = gap.span.end;
                has_changed = true;
            }
            if (gap.kind == CpuGap::Kind::EndsEarly && gap.span.end >= span.end &&
                gap.span.begin < span.end) {
                span.end = gap.span.begin;
                has_changed = true;
            }
        }
    }
    if (span.begin < span.end) {
        recorded.span = span;
    }
    return recorded;
}

} // namespace lttng_gpu::model
