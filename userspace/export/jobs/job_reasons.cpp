// SPDX-License-Identifier: MIT
//
// See job_reasons.hpp.
#include "job_reasons.hpp"

#include "../../correlate/diagnose/condensed_parts.hpp"

#include <algorithm>
#include <iterator>

namespace lttng_gpu::exporting {
namespace {

using diagnose::Part;

bool operator==(const model::FenceId& left, const model::FenceId& right)
{
    return left.context == right.context && left.seqno == right.seqno;
}

/// Of several, a row names none.
template <typename Name> void keep_what_is_one(Name& name, const Name& other)
{
    if (!(name == other)) {
        name = {};
    }
}

/// Parts that say the same become one, from the begin of the first to the end of the last.
void condense(std::vector<Part>& parts)
{
    auto end = parts.begin();
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        const auto same = std::find_if(parts.begin(), end, [&](const Part& other) {
            return other.is_outside == part->is_outside && diagnose::say_the_same(other, *part);
        });
        if (same == end) {
            if (part != end) {
                *end = std::move(*part);
            }
            ++end;
            continue;
        }
        keep_what_is_one(same->fence, part->fence);
        keep_what_is_one(same->thread, part->thread);
        keep_what_is_one(same->by, part->by);
        same->end = std::max(same->end, part->end);
        same->length = same->length + part->length;
        same->jobs += part->jobs;
        std::ranges::move(part->root, std::back_inserter(same->root));
    }
    parts.erase(end, parts.end());
}

} // namespace

JobReasons::JobReasons(run::Pipeline& pipeline, const report::Window& window,
                       const diagnose::RingDepths& depths, WrittenJobs& written, ReasonSink& sink)
    : m_written{written}, m_sink{sink}, m_diagnoser{pipeline.rings(), window, m_threads, *this}
{
    pipeline.add_thread_observer(m_threads);
    m_diagnoser.set_known_depths(depths);
}

void JobReasons::finish(const run::Outcome& outcome)
{
    m_diagnoser.finish(outcome.last.value_or(Timestamp{}));
}

void JobReasons::on_diagnosis(diagnose::Diagnosis&& diagnosis)
{
    const auto job = m_written.number_of(diagnosis.number);
    if (job) {
        const bool is_known = diagnosis.is_known();
        tell(*job, std::move(diagnosis.parts), {}, 0);
        if (!is_known) {
            tell_missing(*job);
        }
    }
    m_written.forget_before(m_diagnoser.first_number());
}

void JobReasons::tell(std::int64_t job, std::vector<Part> parts, std::optional<std::int64_t> parent,
                      unsigned level)
{
    condense(parts);
    for (Part& part : parts) {
        ReasonRow row;
        row.job = job;
        row.parent = parent;
        row.level = level;
        row.begin = part.begin;
        row.end = part.end;
        row.time = part.length;
        if (const auto given =
                part.jobs > 0 ? m_diagnoser.number_of(part.ring, part.fence) : std::nullopt) {
            row.culprit = m_written.number_of(*given);
        }
        std::vector<Part> root = std::move(part.root);
        row.part = std::move(part);
        m_sink.on_reason(row);
        const std::int64_t number = ++m_rows;
        if (!root.empty()) {
            tell(job, std::move(root), number, level + 1);
        }
    }
}

/// Its parts cover what is known of it; how long the rest took is not.
void JobReasons::tell_missing(std::int64_t job)
{
    ReasonRow row;
    row.job = job;
    row.part.reason = diagnose::Reason::Unknown;
    row.part.gap = diagnose::Gap::TimesMissing;
    m_sink.on_reason(row);
    ++m_rows;
}

} // namespace lttng_gpu::exporting
