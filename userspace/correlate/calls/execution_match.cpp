// SPDX-License-Identifier: MIT
//
// See execution_match.hpp.
#include "execution_match.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

constexpr std::uint64_t least_votes = 4;
/// Of the votes for one context so many must be for one lane, and others are taken for chance.
constexpr std::uint64_t votes_for_each_other = 20;

/// Puts it into its place, which is near the end as a rule.
template <typename Timed> void insert(std::deque<Timed>& all, const Timed& one)
{
    all.insert(std::ranges::upper_bound(all, one.started, {}, &Timed::started), one);
}

/// Of those that began before the time, so many are looked at.
constexpr std::ptrdiff_t most_overlapping = 256;

/// The first that can go on at that time or later, if none is longer than `longest`.
template <typename Timed>
auto first_at(const std::deque<Timed>& all, Timestamp time, Duration longest)
{
    const auto first = std::ranges::lower_bound(all, time - longest, {}, &Timed::started);
    const auto after = std::ranges::upper_bound(all, time, {}, &Timed::started);
    return after - first > most_overlapping ? after - most_overlapping : first;
}

Duration overlap(Timestamp begin, Timestamp end, Timestamp other_begin, Timestamp other_end)
{
    return std::min(end, other_end) - std::max(begin, other_begin);
}

bool is_left(const TimedCommand& command)
{
    return ExecutionAlignment::is_coarse(command) && !command.is_aligned;
}

KnownTime start_of(const Job& job)
{
    return job.started ? job.started : job.submitted;
}

} // namespace

void ExecutionMatch::add_command(const TimedCommand& command)
{
    if (command.completed < command.started) {
        return;
    }
    if (m_commands.size() == most) {
        m_commands.pop_front();
    }
    TimedCommand placed = command;
    m_alignment.place(placed);
    insert(m_commands, placed);
    m_longest_command =
        std::max(m_longest_command, placed.completed - placed.started + placed.error);
    ++m_new;
    m_coarse += is_left(placed) ? 1 : 0;
}

void ExecutionMatch::add_job(const Job& job, std::uint64_t serial)
{
    const auto started = start_of(job);
    if (!job.queued || !started || !job.completed || *job.completed < *started) {
        return;
    }
    if (m_jobs.size() == most) {
        m_jobs.pop_front();
    }
    const Stream stream{job.actor.tid->value(), job.fence.context.value_or(FenceContext{}).value()};
    insert(m_jobs, TimedJob{stream, serial, *job.queued, *started, *job.completed,
                            job.started.has_value()});
    m_longest_job = std::max(m_longest_job, *job.completed - *started);
    ++m_new;
}

/// No command is executed before its call began, and no job has one of a later call. The command
/// may be anywhere in its error: what it has in common with the job grows towards one place, and
/// becomes less beyond, so that it is least at the ends.
ExecutionMatch::Belongs ExecutionMatch::belongs(const TimedJob& job, const TimedCommand& command)
{
    if (command.call.begin > job.queued) {
        return Belongs::No;
    }
    const Duration shorter =
        std::min(job.completed - job.started, command.completed - command.started);
    const auto agrees = [&](Duration shift) {
        const Duration common =
            overlap(job.started, job.completed, command.started + shift, command.completed + shift);
        return common >= Duration{0} && (common + common > shorter || shorter == Duration{0});
    };
    const Duration earliest{-command.error.value()};
    const Duration latest = command.error;
    if (agrees(earliest) && agrees(latest)) {
        return Belongs::Yes;
    }
    // Where both begin together, or both end.
    const auto [least, most] =
        std::minmax({job.started - command.started, job.completed - command.completed});
    const Duration best = most < earliest  ? earliest
                          : latest < least ? latest
                                           : std::clamp(least, earliest, latest);
    return agrees(best) ? Belongs::Perhaps : Belongs::No;
}

/// Jobs of one ring that are executed in order are never executed together.
std::vector<const ExecutionMatch::TimedJob*>
ExecutionMatch::executed_with(const TimedJob& job) const
{
    std::vector<const TimedJob*> others;
    for (auto other = first_at(m_jobs, job.started, m_longest_job);
         other != m_jobs.end() && other->started < job.completed; ++other) {
        if (other->serial != job.serial &&
            overlap(job.started, job.completed, other->started, other->completed) > Duration{0}) {
            others.push_back(&*other);
        }
    }
    return others;
}

bool ExecutionMatch::has_rival(const std::vector<const TimedJob*>& others,
                               const TimedCommand& command) const
{
    return std::ranges::any_of(others, [&](const TimedJob* other) {
        if (belongs(*other, command) == Belongs::No) {
            return false;
        }
        const auto owner = owner_of(other->stream);
        return !owner || *owner == lane_of(command);
    });
}

/// Not each job has a command: where its clock is known to more than its length, the job must also
/// be the only one of the context that it can be in.
bool ExecutionMatch::is_certain(const TimedJob& job, const TimedCommand& command) const
{
    if (command.error <= command.completed - command.started) {
        return true;
    }
    const auto first = first_at(m_jobs, command.started - command.error, m_longest_job);
    const Timestamp end = command.completed + command.error;
    for (auto other = first; other != m_jobs.end() && other->started <= end; ++other) {
        if (other - first > most_overlapping) {
            return false;
        }
        if (other->serial != job.serial && other->stream == job.stream &&
            belongs(*other, command) != Belongs::No) {
            return false;
        }
    }
    return true;
}

std::optional<ExecutionMatch::Lane> ExecutionMatch::owner_of(const Stream& stream) const
{
    const auto found = m_votes.find(stream);
    if (found == m_votes.end()) {
        return {};
    }
    std::uint64_t all = 0;
    for (const auto& [lane, votes] : found->second) {
        all += votes;
    }
    for (const auto& [lane, votes] : found->second) {
        if (votes >= least_votes && votes_for_each_other * (all - votes) <= votes) {
            return lane;
        }
    }
    return {};
}

ExecutionMatch::Candidates ExecutionMatch::candidates_of(const TimedJob& job) const
{
    Candidates candidates;
    const auto others = executed_with(job);
    const Timestamp earliest = job.started - m_longest_command;
    const Timestamp latest = job.completed + m_longest_command;
    const auto first = first_at(m_commands, job.started, m_longest_command);
    candidates.is_complete = first == m_commands.begin() || std::prev(first)->started < earliest;
    std::ptrdiff_t later = 0; // that began after the job's end
    for (auto command = first; command != m_commands.end() && command->started <= latest;
         ++command) {
        later += command->started > job.completed ? 1 : 0;
        if (later > most_overlapping) {
            candidates.is_complete = false;
            break;
        }
        const Belongs belonging = belongs(job, *command);
        if (belonging != Belongs::No) {
            candidates.all.push_back({&*command, belonging, !has_rival(others, *command)});
        }
    }
    return candidates;
}

const ExecutionMatch::TimedJob* ExecutionMatch::find(const Job& job, std::uint64_t serial) const
{
    const auto started = start_of(job);
    if (!started) {
        return nullptr;
    }
    auto found = std::ranges::lower_bound(m_jobs, *started, {}, &TimedJob::started);
    while (found != m_jobs.end() && found->started == *started && found->serial != serial) {
        ++found;
    }
    return found != m_jobs.end() && found->serial == serial ? &*found : nullptr;
}

void ExecutionMatch::vote(const TimedJob& job, const std::vector<Candidate>& candidates)
{
    if (m_votes.size() >= most_contexts && !m_votes.contains(job.stream)) {
        return;
    }
    for (const Candidate& each : candidates) {
        if (each.belongs == Belongs::Yes && each.is_only) {
            ++m_votes[job.stream][lane_of(*each.command)];
        }
    }
}

/// Of all that is known, when there is much new, and ever more where nothing came of it. In order
/// again.
void ExecutionMatch::align()
{
    constexpr std::size_t most_vain = 4;
    const std::size_t known = m_commands.size() + m_jobs.size();
    if (m_coarse == 0 || 4 * m_new < known << std::min(m_vain, most_vain)) {
        return;
    }
    m_new = m_coarse = 0;
    JobExecutions jobs;
    std::map<Stream, std::uint64_t> numbers;
    for (const TimedJob& job : m_jobs) {
        if (job.is_start_known) {
            const auto number = numbers.try_emplace(job.stream, numbers.size()).first->second;
            jobs[number].push_back({job.started.value(), job.completed.value()});
        }
    }
    std::map<const ClockAccount*, std::vector<TimedCommand*>> clocks;
    for (TimedCommand& command : m_commands) {
        if (ExecutionAlignment::is_comparable(command)) {
            clocks[command.clock].push_back(&command);
        }
    }
    bool has_moved = false;
    for (const auto& [clock, commands] : clocks) {
        has_moved = m_alignment.align(commands, jobs) || has_moved;
    }
    m_vain = has_moved ? 0 : m_vain + 1;
    std::ranges::stable_sort(m_commands, {}, &TimedCommand::started);
    m_longest_command = {};
    for (const TimedCommand& command : m_commands) {
        m_longest_command =
            std::max(m_longest_command, command.completed - command.started + command.error);
        m_coarse += is_left(command) ? 1 : 0;
    }
}

std::optional<ExecutionMatch::Match> ExecutionMatch::match(const Job& of, std::uint64_t serial)
{
    forget_before(of.queued.value_or(Timestamp{}) - kept);
    align();
    const TimedJob* const job = find(of, serial);
    if (job == nullptr) {
        return {};
    }
    auto [candidates, is_complete] = candidates_of(*job);
    vote(*job, candidates);
    const auto owner = owner_of(job->stream);
    if (!owner && m_untimed_since && *m_untimed_since <= job->queued) {
        return {};
    }
    std::erase_if(candidates,
                  [&](const Candidate& each) { return owner && *owner != lane_of(*each.command); });
    std::optional<Match> match;
    std::uint16_t count = 0;
    Timestamp last{INT64_MIN};
    const bool is_one = owner && is_complete && candidates.size() == 1 &&
                        is_certain(*job, *candidates.front().command);
    for (const Candidate& each : candidates) {
        if (each.is_only && (each.belongs == Belongs::Yes || is_one)) {
            ++count;
            if (each.command->completed >= last) {
                last = each.command->completed;
                match = Match{each.command->call, 1};
            }
        }
    }
    if (match && count == candidates.size()) {
        match->merged = count;
    }
    return match;
}

void ExecutionMatch::forget_before(Timestamp time)
{
    while (!m_jobs.empty() && m_jobs.front().completed < time) {
        m_jobs.pop_front();
    }
    while (!m_commands.empty() && m_commands.front().completed < time) {
        m_commands.pop_front();
    }
}

} // namespace lttng_gpu::model
