// SPDX-License-Identifier: MIT
//
// See check.hpp: the rules for all rows together.
#include "check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace lttng_gpu::simulator {
namespace {

template <typename Number> std::string cell(const Known<Number>& number)
{
    return number ? std::to_string(number->value()) : "-";
}

std::uint64_t sum(const AnomalyCounters& anomalies)
{
    std::uint64_t total = 0;
    for (std::size_t anomaly = 0; anomaly < anomaly_texts.size(); ++anomaly) {
        total += anomalies.at(static_cast<Anomaly>(anomaly));
    }
    return total;
}

std::uint64_t count_of(const AnomalyCounters& anomalies, std::string_view name)
{
    for (std::size_t anomaly = 0; anomaly < anomaly_texts.size(); ++anomaly) {
        if (anomaly_texts[anomaly].name == name) {
            return anomalies.at(static_cast<Anomaly>(anomaly));
        }
    }
    return 0;
}

} // namespace

/// Each job once: one last row, and no job that told of itself is missing.
void Check::check_presence()
{
    for (std::uint32_t job = 0; job < m_world.jobs.size(); ++job) {
        std::size_t last_rows = 0;
        for (const std::size_t place : m_rows_of[job]) {
            last_rows += m_matched[place].row->is_last ? 1U : 0U;
        }
        const bool has_told =
            m_truth.has_strong(job, Phase::Queued) || m_truth.has_strong(job, Phase::Submitted);
        const bool has_no_sure_time =
            !m_truth.has_strong(job, Phase::Queued) && m_truth.is_return_in_doubt(job);
        // What tells of it by pointer only is left out near a gap where amdgpu tells of jobs, too.
        const Recording& recording = m_scenario.recording;
        const bool may_be_unjoined = recording.has_amdgpu_events &&
                                     recording.sched != SchedEvents::None && has_loose_identity() &&
                                     !m_kept.losses.empty();
        if (has_told && m_rows_of[job].empty() && !has_no_sure_time && !may_be_unjoined) {
            complain("missing job", job, {});
        } else if (last_rows > 1) {
            // Once as itself and once as an end that nobody could join to it.
            if (!has_loose_identity()) {
                complain("job counted twice", job,
                         describe(*m_matched[m_rows_of[job][0]].row, m_shown.rings) + " and " +
                             describe(*m_matched[m_rows_of[job][1]].row, m_shown.rings));
            }
        } else if (last_rows == 0 && !m_rows_of[job].empty()) {
            complain("job without a last row", job, {});
        }
    }
}

void Check::check_order()
{
    if (count_of(m_shown.anomalies, "row_out_of_order") > 0) {
        return;
    }
    // Intervals of one job follow each other; the first decides the place.
    Timestamp previous{INT64_MIN};
    for (const model::Job& row : m_shown.rows) {
        if (row.interval > 0) {
            continue;
        }
        if (first_time(row) < previous) {
            complain("rows out of order", nobody, describe(row, m_shown.rings));
            return;
        }
        previous = first_time(row);
    }
}

/// What a strong event told is in a row, or counted.
void Check::check_account()
{
    std::uint64_t unexplained = 0;
    for (std::uint32_t job = 0; job < m_world.jobs.size(); ++job) {
        std::set<Phase> hidden; // of several submissions that none shows one is counted
        for (const Told& told : m_truth.told(job)) {
            if (told.is_weak || (told.phase != Phase::Queued && told.phase != Phase::Submitted &&
                                 told.phase != Phase::Completed)) {
                continue;
            }
            // Most fences are those of no job.
            if (m_rows_of[job].empty() && is_signal(m_kept.events[told.event].name)) {
                continue;
            }
            const bool is_shown =
                std::any_of(m_rows_of[job].begin(), m_rows_of[job].end(), [&](std::size_t place) {
                    const model::Job& row = *m_matched[place].row;
                    const auto& time = told.phase == Phase::Queued      ? row.queued
                                       : told.phase == Phase::Submitted ? row.submitted
                                                                        : row.completed;
                    return time.has_value();
                });
            if (!is_shown) {
                hidden.insert(told.phase);
            }
        }
        unexplained += hidden.size();
    }
    const std::uint64_t counted = sum(m_shown.anomalies);
    if (unexplained > counted && !has_loose_identity()) {
        complain("events neither shown nor counted", nobody,
                 fmt::format("{} not shown, {} counted", unexplained, counted));
    }
}

/// An edge that is shown is a true one.
void Check::check_dependencies()
{
    std::set<std::pair<std::uint64_t, std::uint64_t>> edges;
    for (const TrueJob& job : m_world.jobs) {
        for (const std::uint32_t other : job.depends_on) {
            edges.emplace(m_world.jobs[other].context, m_world.jobs[other].seqno);
        }
    }
    for (const model::Dependency& shown : m_shown.dependencies) {
        const auto& other = shown.waits_for;
        if (!other.context || !other.seqno ||
            !edges.contains({other.context->value(), other.seqno->value()}) ||
            (shown.until && *shown.until < shown.since)) {
            complain("wrong dependency", nobody,
                     fmt::format("on {}:{} since {} until {}", cell(other.context),
                                 cell(other.seqno), cell(KnownTime{shown.since}),
                                 cell(shown.until)));
        }
    }
}

void Check::check_waits()
{
    std::set<std::pair<Time, Time>> waits;
    std::vector<Time> begins(m_world.clients.size(), never);
    for (const Event& event : m_kept.events) {
        if (event.phase == Phase::WaitBegin) {
            begins[event.thread] = event.time;
        } else if (event.phase == Phase::WaitEnd && begins[event.thread] != never) {
            waits.emplace(begins[event.thread], event.time);
            begins[event.thread] = never;
        }
    }
    std::size_t right = 0;
    for (const model::Wait& shown : m_shown.waits) {
        if (waits.contains({shown.begin.value(), shown.end.value()})) {
            ++right;
        } else if (is_exact()) {
            complain("wrong wait", nobody,
                     fmt::format("{} to {}", shown.begin.value(), shown.end.value()));
        }
    }
    if (!m_scenario.distortion.is_any() && m_kept.has_contexts && right < waits.size()) {
        complain("missing waits", nobody, fmt::format("{} of {} shown", right, waits.size()));
    }
}

std::string describe(const model::Job& row, const model::RingTable& rings)
{
    constexpr std::array<const char*, 3> endings{"normal", "preempted", "lost"};
    const std::string_view device = row.ring ? rings.text(rings.at(*row.ring).device) : "";
    const std::string_view name = row.ring ? rings.text(rings.at(*row.ring).shown) : "";
    return fmt::format(
        "row [{} {}] {}:{} tid {} queued {} submitted {} started {} completed {} ({}) {} #{}{}",
        device, name, cell(row.fence.context), cell(row.fence.seqno), cell(row.actor.tid),
        cell(row.queued), cell(row.submitted), cell(row.started), cell(row.completed),
        row.completed_basis == model::Basis::Inferred ? "inferred" : "observed",
        endings[static_cast<std::size_t>(row.ending)], row.interval, row.is_last ? " last" : "");
}

std::string describe(const World& world, const Stream& stream, std::uint32_t index)
{
    const TrueJob& job = world.jobs[index];
    std::string words =
        fmt::format("job {} on {} {} fence {}:{} pointer {:#x} client {}{}\n", index,
                    world.rings[job.ring].device, world.rings[job.ring].name, job.context,
                    job.seqno, job.pointer, job.client, job.is_killed ? " killed" : "");
    words += fmt::format("  queued {} runnable {}", job.queued, job.runnable);
    for (const Interval& part : job.intervals) {
        words += fmt::format(" [{} {} {}{}]", part.submitted, part.started, part.ended,
                             part.is_preempted ? " preempted" : "");
    }
    words += '\n';
    const Time margin = 2000;
    for (const Event& event : stream.events) {
        if (event.job == index) {
            words += fmt::format("  {} cpu {} {}{}\n", event.time, event.cpu,
                                 names[static_cast<std::size_t>(event.name)],
                                 event.is_duplicate ? " (again)" : "");
        }
    }
    for (const Stream::Loss& loss : stream.losses) {
        if (loss.end >= job.queued - margin &&
            (job.completed == never || loss.begin <= job.completed + margin)) {
            words += fmt::format("  loss {} to {} on cpu {} of {}\n", loss.begin, loss.end,
                                 loss.cpu, loss.count);
        }
    }
    return words;
}

} // namespace lttng_gpu::simulator
