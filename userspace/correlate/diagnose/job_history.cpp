// SPDX-License-Identifier: MIT
//
// See job_history.hpp.
#include "job_history.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::diagnose {
namespace {

constexpr std::size_t most_rows = 131072;
constexpr std::size_t most_dependencies = 65536;
constexpr std::size_t most_waits = 65536;
constexpr std::size_t most_waits_of_thread = 256;
constexpr std::size_t most_looks = 1024; // at rows, for those of a process
constexpr std::size_t most_contexts = 65536;
constexpr std::size_t most_processes = 16384;
constexpr std::size_t most_kinds = 1024; // of a process

} // namespace

Timestamp end_of(const model::Job& job)
{
    if (job.completed) {
        return *job.completed;
    }
    if (job.completed_by) {
        return *job.completed_by;
    }
    return job.is_alive_at_end ? never : model::first_time(job);
}

JobHistory::FenceKey JobHistory::key_of(TraceId trace, const FenceId& fence)
{
    return {trace.value(), static_cast<std::uint32_t>(fence.context->value()),
            static_cast<std::uint32_t>(fence.seqno->value())};
}

ProcessKey JobHistory::process_of(const model::Job& job) const
{
    const std::int64_t number = job.actor.pid   ? job.actor.pid->value()
                                : job.actor.tid ? job.actor.tid->value()
                                                : -1;
    return {trace_of(job.ring), number, job.actor.origin};
}

bool JobHistory::is_parallel(RingId ring) const
{
    const model::Ring& known = m_rings.at(ring);
    return !known.is_fifo || known.is_shared || known.fifo_violations > known.pairs_in_order;
}

RowId JobHistory::add(const model::Job& job, std::uint64_t number)
{
    if (m_rows.size() >= most_rows) {
        m_forgotten_until = std::max(m_forgotten_until, model::first_time(m_rows.front().job));
        forget_first();
    }
    const RowId id = m_first + m_rows.size();
    Row& row = m_rows.emplace_back();
    row.job = job;
    row.number = number;
    row.trace = trace_of(job.ring);
    note_process(row);
    if (job.fence.context && job.fence.seqno) {
        note_fence(id);
    }
    if (job.ring && job.submitted) {
        add_submission(id);
    }
    return id;
}

void JobHistory::note_fence(RowId id)
{
    if (m_rows.size() > m_newest.size()) {
        index_fences();
    }
    Row& row = m_rows.back();
    const model::Job& job = row.job;
    row.next_of_fence = std::exchange(newest_of(key_of(row.trace, job.fence)), id);
    const ContextKey key{row.trace, job.fence.context->value()};
    if (m_contexts.size() >= most_contexts && !m_contexts.contains(key)) {
        m_contexts.clear();
    }
    Context& context = m_contexts[key];
    context.owner = process_of(job);
    note_end(context, job);
    row.before_in_context = context.last;
    if (job.interval == 0) {
        context.last = id;
    }
}

RowId& JobHistory::newest_of(const FenceKey& key)
{
    return m_newest[FenceKey::Hash{}(key) & (m_newest.size() - 1)];
}

/// Twice as many places as rows; all but the row that was just added get theirs.
void JobHistory::index_fences()
{
    m_newest.assign(std::max<std::size_t>(1024, m_newest.size() * 2), no_row);
    for (std::size_t place = 0; place + 1 < m_rows.size(); ++place) {
        Row& row = m_rows[place];
        if (row.job.fence.context && row.job.fence.seqno) {
            row.next_of_fence =
                std::exchange(newest_of(key_of(row.trace, row.job.fence)), m_first + place);
        }
    }
}

void JobHistory::note_end(Context& context, const model::Job& job)
{
    LastEnded& known = context.ended;
    if (job.completed && job.fence.seqno->value() > known.back().seqno) {
        std::shift_left(known.begin(), known.end(), 1);
        known.back() = {job.fence.seqno->value(), *job.completed};
    }
}

const JobHistory::Context* JobHistory::context_of(TraceId trace, const FenceId& fence) const
{
    if (!fence.context) {
        return nullptr;
    }
    const auto found = m_contexts.find({trace, fence.context->value()});
    return found != m_contexts.end() ? &found->second : nullptr;
}

/// Fences of a context are signaled in order.
KnownTime JobHistory::ended_by(TraceId trace, const FenceId& fence) const
{
    const Context* const context = context_of(trace, fence);
    if (context == nullptr || !fence.seqno) {
        return {};
    }
    for (const Ended& ended : context->ended) {
        if (ended.seqno >= fence.seqno->value()) {
            return ended.end;
        }
    }
    return {};
}

void JobHistory::note_process(Row& row)
{
    const ProcessKey key = process_of(row.job);
    if (key.number < 0) {
        return;
    }
    if (m_processes.size() >= most_processes && !m_processes.contains(key)) {
        m_processes.clear(); // the usual of each is learned again
    }
    const auto [found, is_new] = m_processes.try_emplace(key);
    Process& process = found->second;
    const Timestamp begin = model::first_time(row.job);
    const bool is_idle = !is_new && !process.is_doubtful && process.busy_until < begin;
    if (is_idle && row.job.queued && row.job.interval == 0) {
        row.idle_since = process.busy_until;
    }
    process.is_doubtful = !row.job.completed && !row.job.is_alive_at_end;
    process.busy_until = std::max(process.busy_until, end_of(row.job));
    note_execution(process, row);
}

void JobHistory::note_execution(Process& process, Row& row)
{
    const model::Job& job = row.job;
    if (!job.ring || !job.submitted) {
        return;
    }
    const Kind kind{*job.ring, job.api_call, job.debug_group, job.bytes};
    if (process.executions.size() >= most_kinds && !process.executions.contains(kind)) {
        process.executions.clear();
    }
    Executions& known = process.executions[kind];
    row.usual_execution = known.usual();
    if (job.started && job.completed) {
        known.add((*job.completed - *job.started).value());
    }
}

/// The tracker infers none for what has not completed: something unseen may still come before it.
KnownTime JobHistory::start_of(RowId id) const
{
    const model::Job& job = at(id).job;
    if (job.started || end_of(job) != never || !job.submitted || is_parallel(*job.ring)) {
        return job.started;
    }
    Timestamp start = *job.submitted;
    for (const RowId other : on_ring(*job.ring, start, start + Duration{1}).rows) {
        const bool is_before = *at(other).job.submitted < start || other < id;
        if (other != id && is_before) {
            start = std::max(start, end_of(at(other).job));
        }
    }
    return start == never ? KnownTime{} : KnownTime{start};
}

void JobHistory::add_submission(RowId id)
{
    const model::Job& job = at(id).job;
    auto& submissions = jobs_on(*job.ring).submissions;
    Submission made{*job.submitted, end_of(job), {}, id};
    const auto place = std::upper_bound(
        submissions.begin(), submissions.end(), made.submitted,
        [](Timestamp time, const Submission& other) { return time < other.submitted; });
    auto at = submissions.insert(place, made);
    Timestamp latest = at == submissions.begin() ? Timestamp{INT64_MIN} : std::prev(at)->latest_end;
    for (; at != submissions.end(); ++at) {
        latest = std::max(latest, at->end);
        at->latest_end = latest;
    }
}

void JobHistory::add(const model::Dependency& dependency)
{
    if (!dependency.job.context || !dependency.job.seqno) {
        return;
    }
    const FenceKey key = key_of(trace_of(dependency.ring), dependency.job);
    m_dependencies.emplace(key, dependency);
    m_dependency_order.emplace_back(dependency.until.value_or(dependency.since), key);
    if (m_dependency_order.size() > most_dependencies) {
        m_dependencies.erase(m_dependency_order.front().second);
        m_dependency_order.pop_front();
    }
}

void JobHistory::add(const model::Wait& wait)
{
    if (!wait.actor.tid) {
        return;
    }
    auto& known = m_waits[{wait.actor.origin, wait.actor.tid->value()}];
    known.push_back(wait);
    if (known.size() > most_waits_of_thread) {
        known.pop_front();
    } else if (++m_wait_count > most_waits) {
        m_waits.clear();
        m_wait_count = 0;
    }
}

std::optional<ProcessKey> JobHistory::owner(TraceId trace, const FenceId& fence) const
{
    const Context* const context = context_of(trace, fence);
    return context != nullptr ? std::optional{context->owner} : std::nullopt;
}

RowId JobHistory::find(TraceId trace, const FenceId& fence) const
{
    if (!fence.context || !fence.seqno || m_newest.empty()) {
        return no_row;
    }
    const FenceKey key = key_of(trace, fence);
    RowId found = no_row;
    bool is_one = true;
    for (RowId at = m_newest[FenceKey::Hash{}(key) & (m_newest.size() - 1)]; has(at);
         at = this->at(at).next_of_fence) {
        const Row& row = this->at(at);
        if (key_of(row.trace, row.job.fence) != key) {
            continue;
        }
        if (row.job.fence.context == fence.context && row.job.fence.seqno == fence.seqno) {
            return at;
        }
        is_one = found == no_row; // of two that match by halves, none
        found = at;
    }
    return is_one ? found : no_row;
}

JobHistory::RingJobs& JobHistory::jobs_on(RingId ring)
{
    if (ring.value() >= m_by_ring.size()) {
        m_by_ring.resize(ring.value() + 1ULL);
    }
    return m_by_ring[ring.value()];
}

JobHistory::OnRing JobHistory::on_ring(RingId ring, Timestamp begin, Timestamp end) const
{
    OnRing result;
    if (ring.value() >= m_by_ring.size()) {
        return result;
    }
    const auto& submissions = m_by_ring[ring.value()].submissions;
    auto at = std::lower_bound(
        submissions.begin(), submissions.end(), end,
        [](const Submission& other, Timestamp time) { return other.submitted < time; });
    while (at != submissions.begin()) {
        --at;
        if (at->latest_end <= begin) {
            break;
        }
        if (result.rows.size() == most_on_ring) {
            result.is_cut = true;
            break;
        }
        if (at->end > begin) {
            result.rows.push_back(at->row);
        }
    }
    std::reverse(result.rows.begin(), result.rows.end());
    return result;
}

std::vector<RowId> JobHistory::ahead_in_context(RowId row, Timestamp time) const
{
    std::vector<RowId> ahead;
    for (RowId other = at(row).before_in_context; has(other) && ahead.size() < most_ahead;
         other = at(other).before_in_context) {
        const model::Job& job = at(other).job;
        if (!job.queued || !job.submitted || *job.submitted <= time) {
            break;
        }
        ahead.push_back(other);
    }
    std::reverse(ahead.begin(), ahead.end());
    return ahead;
}

std::vector<model::Dependency> JobHistory::dependencies(TraceId trace, const FenceId& fence) const
{
    std::vector<model::Dependency> found;
    if (fence.context && fence.seqno) {
        const auto [first, last] = m_dependencies.equal_range(key_of(trace, fence));
        for (auto at = first; at != last; ++at) {
            if (at->second.job.context == fence.context && at->second.job.seqno == fence.seqno) {
                found.push_back(at->second);
            }
        }
    }
    return found;
}

std::vector<model::Wait> JobHistory::waits(const model::Actor& actor, Timestamp begin,
                                           Timestamp end) const
{
    std::vector<model::Wait> found;
    const auto known = actor.tid ? m_waits.find({actor.origin, actor.tid->value()}) : m_waits.end();
    if (known == m_waits.end()) {
        return found;
    }
    const auto& waits = known->second;
    for (auto at = waits.rbegin(); at != waits.rend() && at->end > begin; ++at) {
        if (at->begin < end) {
            found.push_back(*at);
        }
    }
    std::reverse(found.begin(), found.end());
    return found;
}

std::vector<RowId> JobHistory::of_process(const ProcessKey& process, Timestamp begin,
                                          Timestamp end) const
{
    std::vector<RowId> found;
    auto at =
        std::lower_bound(m_rows.begin(), m_rows.end(), end, [](const Row& row, Timestamp time) {
            return model::first_time(row.job) < time;
        });
    for (std::size_t looks = 0; at != m_rows.begin() && looks < most_looks; ++looks) {
        --at;
        if (end_of(at->job) > begin && process_of(at->job) == process) {
            found.push_back(m_first + static_cast<RowId>(at - m_rows.begin()));
        }
    }
    std::reverse(found.begin(), found.end());
    return found;
}

unsigned JobHistory::depth(RingId ring) const
{
    return ring.value() < m_by_ring.size() ? m_by_ring[ring.value()].depth : 0;
}

void JobHistory::note_depth(RingId ring, unsigned depth)
{
    RingJobs& jobs = jobs_on(ring);
    if (m_known_depths != nullptr && (jobs.depth == 0 || !m_known_depths->is_finished())) {
        jobs.depth = std::max(jobs.depth, m_known_depths->of(ring, m_rings));
    }
    jobs.depth = std::max(jobs.depth, depth);
}

void JobHistory::note_full(RingId ring, unsigned depth)
{
    RingJobs& jobs = jobs_on(ring);
    jobs.least_full = std::min(jobs.least_full, depth);
}

bool JobHistory::has_right_depths() const
{
    for (std::uint32_t ring = 0; ring < m_by_ring.size(); ++ring) {
        if (!has_right_depth(RingId{ring})) {
            return false;
        }
    }
    return true;
}

/// Rows leave in the order in which they came: a long job keeps those behind it.
void JobHistory::forget_before(Timestamp time)
{
    while (!m_rows.empty() && m_rows.front().is_diagnosed && end_of(m_rows.front().job) < time) {
        forget_first();
    }
    while (!m_dependency_order.empty() && m_dependency_order.front().first < time) {
        m_dependencies.erase(m_dependency_order.front().second);
        m_dependency_order.pop_front();
    }
}

void JobHistory::forget_first()
{
    const Row& row = m_rows.front();
    const model::Job& job = row.job;
    if (job.ring && job.submitted) {
        auto& submissions = jobs_on(*job.ring).submissions;
        const auto found =
            std::find_if(submissions.begin(), submissions.end(),
                         [&](const Submission& other) { return other.row == m_first; });
        if (found != submissions.end()) {
            submissions.erase(found); // near the front: rows are nearly in order of submission
        }
    }
    m_rows.pop_front();
    ++m_first;
}

} // namespace lttng_gpu::diagnose
