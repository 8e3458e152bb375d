// SPDX-License-Identifier: MIT
//
// See analysis.hpp. Here: why nothing was queued, from the states and waits of the thread that
// submits. Where that is a helper of the driver's library, the thread that gave it its latest work
// counts until it did.
#include "analysis.hpp"

#include "../calls/helper_threads.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {
namespace {

constexpr unsigned most_levels = 16;
constexpr Duration longest_unseen_wait{10'000'000'000};

Duration least(Duration left, Duration right)
{
    return left < right ? left : right;
}

} // namespace

void Analysis::before(Cut& cut, const Row& row, const model::Actor& submitter, Timestamp begin,
                      Timestamp end, unsigned level) const
{
    if (!submitter.tid) {
        cut.add_unknown(Gap::NoThread, begin, end);
        return;
    }
    const auto work = level < most_levels ? given(row, submitter, begin, end) : std::nullopt;
    if (work) {
        before(cut, row, work->by, begin, work->time, level + 1);
        begin = work->time;
    }
    const bool may_want_work = !work && model::is_helper_name(m_rings.text(submitter.comm));
    OwnWait own_wait;
    if (row.idle_since == begin) {
        own_wait = unseen_own_wait(row, submitter);
    }
    Timestamp at = begin;
    for (const model::Wait& wait : m_jobs.waits(submitter, begin, end)) {
        const bool is_of_own = m_jobs.owner(row.trace, wait.fence) == m_jobs.process_of(row.job);
        const Timestamp from = std::clamp(wait.begin, at, end);
        const Timestamp to = std::clamp(wait.end, from, end);
        thread_states(cut, row, submitter, at, from, own_wait, may_want_work);
        this->wait(cut, row, wait, from, to, level);
        if (is_of_own) {
            own_wait.left = own_wait.left + (std::min(wait.end, end) - wait.begin);
        }
        at = to;
    }
    thread_states(cut, row, submitter, at, end, own_wait, may_want_work);
}

/// Waits for syncobjs have no events. A thread that slept when its process's last job ended, and
/// was woken at once, has waited for that.
Analysis::OwnWait Analysis::unseen_own_wait(const Row& row, const model::Actor& submitter) const
{
    OwnWait own_wait;
    const Timestamp ended = *row.idle_since;
    const Timestamp soon = ended + usual_handover;
    const auto thread = m_threads.find({row.trace, *submitter.tid}, m_rings.text(submitter.comm));
    if (!thread || !m_jobs.waits(submitter, ended, soon).empty()) {
        return own_wait;
    }
    // Of the states before, only the one in which it ended counts.
    m_threads.visit(
        *thread, ended - Duration{1}, soon + Duration{1},
        [&](const StateChange& state, Timestamp from, Timestamp to) {
            if (state.state == ThreadState::Blocked && from < ended && to >= ended && to <= soon) {
                const Timestamp since = std::max(state.since, ended - longest_unseen_wait);
                own_wait = {to - since, true};
            }
        });
    return own_wait;
}

void Analysis::wait(Cut& cut, const Row& row, const model::Wait& wait, Timestamp begin,
                    Timestamp end, unsigned level) const
{
    const Timestamp signaled = std::clamp(wait.signaled.value_or(wait.end), begin, end);
    const RowId of = m_jobs.find(row.trace, wait.fence);
    Part part;
    part.reason = Reason::Dependency;
    part.ring = wait.ring;
    part.fence = wait.fence;
    part.thread = wait.actor.tid;
    part.jobs = 1;
    if (m_jobs.owner(row.trace, wait.fence) == m_jobs.process_of(row.job)) {
        part.reason = Reason::OwnWait;
        part.actor = row.job.actor;
    }
    if (of != no_row) {
        part.actor = m_jobs.at(of).job.actor;
        if (part.reason == Reason::Dependency && level < most_levels) {
            Cut root = cut.sub();
            life(root, of, begin, signaled, level + 1);
            part.root = root.take();
        }
    }
    cut.add(part, begin, signaled);
    // It was told, but has not gone on yet.
    OwnWait all{Duration{INT64_MAX}};
    thread_states(cut, row, wait.actor, signaled, end, all);
}

/// It waits for work in a sleep that a thread of its process ends. A sleep for a disk, or one that
/// an interrupt or another process ended, gave it none.
std::optional<Analysis::Given> Analysis::given(const Row& row, const model::Actor& helper,
                                               Timestamp begin, Timestamp end) const
{
    const std::string_view name = m_rings.text(helper.comm);
    if (!model::is_helper_name(name)) {
        return {};
    }
    const auto thread = m_threads.find({row.trace, *helper.tid}, name);
    std::optional<Given> latest;
    if (thread) {
        m_threads.visit(*thread, begin, end,
                        [&](const StateChange& state, Timestamp, Timestamp to) {
                            if (state.state == ThreadState::Blocked && state.waker != 0 &&
                                !state.is_deep && !state.is_of_others) {
                                latest = Given{to, helper};
                                latest->by.tid = Tid{state.waker};
                                latest->by.comm = {};
                            }
                        });
    }
    return latest;
}

void Analysis::thread_states(Cut& cut, const Row& row, const model::Actor& submitter,
                             Timestamp begin, Timestamp end, OwnWait& own_wait,
                             bool may_want_work) const
{
    if (begin >= end) {
        return;
    }
    Part like;
    like.thread = submitter.tid;
    const std::string_view name = m_rings.text(submitter.comm);
    const auto thread = m_threads.find({row.trace, *submitter.tid}, name);
    if (!thread) {
        like.reason = Reason::Unknown;
        like.gap = Gap::NoSchedEvents;
        cut.add_if_whole(like, begin, end);
        return;
    }
    m_threads.visit(
        *thread, begin, end, [&](const StateChange& state, Timestamp from, Timestamp to) {
            if (may_want_work && state.state == ThreadState::Blocked && !state.is_deep) {
                Part unknown = like;
                unknown.reason = Reason::Unknown;
                unknown.gap = Gap::GiverUnknown;
                cut.add_if_whole(unknown, from, to);
                return;
            }
            one_state(cut, like, state, from, to, own_wait);
        });
}

void Analysis::one_state(Cut& cut, const Part& like, const StateChange& state, Timestamp begin,
                         Timestamp end, OwnWait& own_wait) const
{
    Part part = like;
    switch (state.state) {
    case ThreadState::Unknown:
        part.reason = Reason::Unknown;
        part.gap = Gap::NoThreadStates;
        break;
    case ThreadState::Ready:
        part.reason = Reason::Preempted;
        part.by = state.by != 0 ? Known<Tid>{Tid{state.by}} : Known<Tid>{};
        part.by_name = state.by_name;
        break;
    case ThreadState::Waking:
        part.reason = Reason::Unexplained;
        break;
    case ThreadState::Blocked:
        part.reason = Reason::Blocked;
        part.by = state.waker != 0 ? Known<Tid>{Tid{state.waker}} : Known<Tid>{};
        part.by_name = state.by_name;
        break;
    case ThreadState::Running: {
        const Duration due = least(own_wait.left, end - begin);
        part.reason = Reason::OwnWait;
        part.is_inferred = own_wait.is_inferred;
        cut.add_if_whole(part, begin, begin + due);
        own_wait.left = Duration{own_wait.left.value() - due.value()};
        part.is_inferred = false;
        part.reason = Reason::CpuBound;
        begin = begin + due;
        break;
    }
    }
    cut.add_if_whole(part, begin, end);
}

} // namespace lttng_gpu::diagnose
