// SPDX-License-Identifier: MIT
//
// See truth.hpp.
#include "truth.hpp"

#include <algorithm>

namespace lttng_gpu::simulator {

namespace {

bool has_fences_only(const Recording& recording)
{
    return recording.sched == SchedEvents::None && recording.i915 == I915Events::None &&
           !recording.has_amdgpu_events && !recording.has_xe_events &&
           recording.driver != Driver::VirtioGpu;
}

} // namespace

Truth::Truth(const World& world, const Scenario& scenario, const Stream& whole, const Stream& kept)
    : m_world{world}, m_scenario{scenario}, m_kept{kept}
{
    collect(whole, kept);
    order_hardware();
    follow_threads();
    find_strangers();
    find_violations();
    find_given_back();
}

void Truth::collect(const Stream& whole, const Stream& kept)
{
    m_told.resize(m_world.jobs.size());
    m_whole_end.assign(m_world.jobs.size(), never);
    std::vector<Time> weak_end(m_world.jobs.size(), never);
    for (const Event& event : whole.events) {
        if (event.phase == Phase::Completed && event.job != nobody) {
            Time& end = event.is_weak ? weak_end[event.job] : m_whole_end[event.job];
            end = std::min(end, event.time);
        }
    }
    for (std::uint32_t job = 0; job < m_world.jobs.size(); ++job) {
        if (m_whole_end[job] == never) {
            m_whole_end[job] = weak_end[job] != never ? weak_end[job] : m_world.jobs[job].completed;
        }
    }
    std::vector<bool> has_sibling(m_world.jobs.size(), false);
    for (std::uint32_t index = 0; index < kept.events.size(); ++index) {
        const Event& event = kept.events[index];
        if (event.job != nobody && event.phase == Phase::None && is_init(event.name)) {
            has_sibling[event.job] = true;
        }
        if (event.phase != Phase::None && event.job != nobody && !event.is_duplicate) {
            m_told[event.job].push_back({event.time, event.phase, event.interval, event.is_weak,
                                         event.is_by_pointer, index});
        }
    }
    for (std::uint32_t job = 0; job < m_told.size(); ++job) {
        weaken(job, has_sibling[job]);
    }
}

/// Events that tell of the job only together with another one.
void Truth::weaken(std::uint32_t job, bool has_scheduled_init)
{
    auto& told = m_told[job];
    const bool is_i915 = m_scenario.recording.driver == Driver::I915;
    const auto has = [&](auto rule) { return std::any_of(told.begin(), told.end(), rule); };
    // A fence whose init was not seen may be a scheduled or a finished one; so may
    // one whose twin's init was not.
    const bool is_made = !has_fences_only(m_scenario.recording) ||
                         (has([](const Told& one) { return one.phase == Phase::Queued; }) &&
                          (is_i915 || has_scheduled_init));
    const bool has_global = has([&](const Told& one) {
        const Name name = m_kept.events[one.event].name;
        return name == Name::GemIn || name == Name::I915In;
    });
    // virtio_gpu's init has no seqno yet; the thread's next emit gives it.
    Time queued = never;
    for (const Told& one : told) {
        queued = one.phase == Phase::Queued ? one.time : queued;
    }
    const bool is_emitted =
        m_scenario.recording.driver != Driver::VirtioGpu || has([&](const Told& one) {
            return one.phase == Phase::Submitted && one.is_weak && !is_lossy(queued, one.time);
        });
    const bool is_queued =
        has([](const Told& one) { return one.phase == Phase::Queued && !one.is_weak; });
    for (Told& one : told) {
        const Name name = m_kept.events[one.event].name;
        // With equal times, or clocks that differ, a signal may come before the job is known.
        const bool is_tied = is_signal(name) && queued != never && one.time <= queued;
        // Without its job's own event a fence may be the scheduled or the finished one.
        const bool is_lone = is_signal(name) && one.phase == Phase::Submitted && !is_queued;
        one.is_weak = one.is_weak || !is_made || is_tied || is_lone ||
                      (name == Name::EngineNotify && !has_global) ||
                      (one.phase == Phase::Queued && !is_emitted);
    }
}

void Truth::order_hardware()
{
    struct Run {
        Time started;
        Time ended;
        std::uint32_t ring;
        std::uint32_t job;
        std::uint8_t interval;
    };
    std::vector<Run> runs;
    m_previous.resize(m_world.jobs.size());
    for (std::uint32_t job = 0; job < m_world.jobs.size(); ++job) {
        const auto& intervals = m_world.jobs[job].intervals;
        m_previous[job].resize(intervals.size());
        for (std::size_t place = 0; place < intervals.size(); ++place) {
            if (intervals[place].started != never) {
                runs.push_back({intervals[place].started, intervals[place].ended,
                                m_world.jobs[job].ring, job, static_cast<std::uint8_t>(place)});
            }
        }
    }
    std::sort(runs.begin(), runs.end(), [](const Run& left, const Run& right) {
        return std::tuple{left.ring, left.started, left.ended} <
               std::tuple{right.ring, right.started, right.ended};
    });
    for (std::size_t place = 1; place < runs.size(); ++place) {
        if (runs[place].ring == runs[place - 1].ring) {
            m_previous[runs[place].job][runs[place].interval] =
                Previous{runs[place - 1].job, runs[place - 1].interval};
        }
    }
}

Time Truth::first_sched_event() const
{
    if (!m_scenario.recording.has_xe_events || m_scenario.recording.sched == SchedEvents::None) {
        return -1;
    }
    for (const Event& event : m_kept.events) {
        if (event.name == Name::JobQueue || event.name == Name::JobRun ||
            event.name == Name::JobDone) {
            return event.time;
        }
    }
    return never;
}

std::optional<Truth::Previous> Truth::previous(std::uint32_t job, std::uint8_t interval) const
{
    return interval < m_previous[job].size() ? m_previous[job][interval] : std::nullopt;
}

void Truth::follow_threads()
{
    m_is_thread_known.assign(m_kept.events.size(), m_kept.has_contexts);
    if (m_kept.has_contexts) {
        return;
    }
    // A loss takes the knowledge away from its begin to the first switch after its end.
    std::vector<bool> is_known(m_kept.cpus, false);
    std::vector<Time> lost_until(m_kept.cpus, -1);
    auto loss = m_kept.losses.begin();
    for (std::size_t index = 0; index < m_kept.events.size(); ++index) {
        const Event& event = m_kept.events[index];
        for (; loss != m_kept.losses.end() && loss->begin <= event.time; ++loss) {
            is_known[loss->cpu] = false;
            lost_until[loss->cpu] = std::max(lost_until[loss->cpu], loss->end);
        }
        if (event.name == Name::SchedSwitch && event.time > lost_until[event.cpu]) {
            is_known[event.cpu] = true;
        }
        m_is_thread_known[index] = is_known[event.cpu];
    }
}

void Truth::find_strangers()
{
    std::vector<bool> is_told(m_world.jobs.size(), false);
    std::vector<bool> is_ring_told(m_world.jobs.size(), false);
    for (const Event& event : m_kept.events) {
        if (event.job == nobody) {
            continue;
        }
        // Where other events tell of jobs, a fence that is made is none yet; else only
        // with its twin.
        const bool is_own =
            has_fences_only(m_scenario.recording)
                ? event.phase == Phase::Queued && has_strong(event.job, Phase::Queued)
                : !is_init(event.name);
        const bool is_wait = event.phase == Phase::WaitBegin || event.phase == Phase::WaitEnd;
        if (event.tells_ring && is_own && !is_signal(event.name) &&
            (event.phase != Phase::Completed || (!event.is_by_pointer && !is_signal(event.name)))) {
            is_ring_told[event.job] = true;
            is_told[event.job] = is_told[event.job] || !is_wait;
        }
        // The scheduled fence of an unknown job may as well be a finished one.
        const bool may_end = event.phase == Phase::Completed ||
                             (event.phase == Phase::Submitted && is_signal(event.name));
        if (may_end && !is_told[event.job]) {
            m_unmatched_signals.push_back({event.time, event.job, is_ring_told[event.job]});
        }
    }
}

/// When the order of submissions and completions first shows it: at the completion
/// that came too early, but after a loss not before the job that it overtook ends.
void Truth::find_violations()
{
    struct Flying {
        std::uint32_t job;
        Time overtaken = never;
    };
    m_violations.assign(m_world.rings.size(), never);
    std::vector<std::vector<Flying>> in_flight(m_world.rings.size());
    const Time first_loss = m_kept.losses.empty() ? never : m_kept.losses.front().begin;
    for (const Event& event : m_kept.events) {
        if (event.job == nobody || event.is_weak || event.is_duplicate) {
            continue;
        }
        const std::uint32_t ring = m_world.jobs[event.job].ring;
        auto& flying = in_flight[ring];
        if (event.phase == Phase::Submitted) {
            flying.push_back({event.job});
        }
        if (event.phase != Phase::Completed) {
            continue;
        }
        const auto found = std::find_if(flying.begin(), flying.end(),
                                        [&](const Flying& one) { return one.job == event.job; });
        if (found == flying.end()) {
            continue;
        }
        // Equal times are no order.
        if (found->overtaken < event.time) {
            m_violations[ring] = std::min(m_violations[ring],
                                          event.time >= first_loss ? event.time : found->overtaken);
        }
        for (auto earlier = flying.begin(); earlier != found; ++earlier) {
            earlier->overtaken = std::min(earlier->overtaken, event.time);
        }
        flying.erase(found);
    }
}

/// A request that is executed again was given back, too.
void Truth::find_given_back()
{
    std::vector<bool> is_executed(m_world.jobs.size(), false);
    for (const Event& event : m_kept.events) {
        const bool is_out = event.name == Name::GemOut || event.name == Name::I915Out;
        const bool is_execute = event.name == Name::GemExecute || event.name == Name::I915Execute;
        if ((is_out && event.phase != Phase::Completed) || (is_execute && is_executed[event.job])) {
            const TrueJob& job = m_world.jobs[event.job];
            m_given_back[job.context].push_back({event.time, event.job});
        }
        if (is_execute) {
            is_executed[event.job] = true;
        }
    }
}

/// What a request carries goes off the hardware with it.
bool Truth::is_return_in_doubt(std::uint32_t index) const
{
    const TrueJob& job = m_world.jobs[index];
    const auto context = m_given_back.find(job.context);
    if (context == m_given_back.end()) {
        return false;
    }
    Time first = m_told[index].empty() ? job.queued : m_told[index].front().time;
    for (const Told& told : m_told[index]) {
        first = told.phase == Phase::Runnable ? told.time : first; // never in a port before
    }
    const bool is_lost = is_lossy(first, std::max(job.completed, m_whole_end[index]));
    return std::any_of(context->second.begin(), context->second.end(), [&](const GivenBack& given) {
        return m_world.jobs[given.job].seqno >= job.seqno && given.time >= first &&
               (is_lost || !has_strong(index, Phase::Queued) ||
                !has_strong(given.job, Phase::Queued));
    });
}

std::vector<Time> Truth::times(std::uint32_t job, Phase phase,
                               std::optional<std::uint8_t> interval) const
{
    std::vector<Time> strong;
    std::vector<Time> weak;
    for (const Told& told : m_told[job]) {
        if (told.phase == phase && (!interval || told.interval == *interval)) {
            (told.is_weak ? weak : strong).push_back(told.time);
        }
    }
    return strong.empty() ? weak : strong;
}

bool Truth::is_allowed(std::uint32_t job, Phase phase, Time time,
                       std::optional<std::uint8_t> interval) const
{
    const auto allowed = times(job, phase, interval);
    return std::find(allowed.begin(), allowed.end(), time) != allowed.end();
}

bool Truth::is_told(std::uint32_t job, Phase phase, Time time) const
{
    return std::any_of(m_told[job].begin(), m_told[job].end(),
                       [&](const Told& told) { return told.phase == phase && told.time == time; });
}

bool Truth::is_submission(std::uint32_t job, Time time) const
{
    const auto intervals = static_cast<std::uint8_t>(m_world.jobs[job].intervals.size());
    for (std::uint8_t interval = 0; interval < intervals; ++interval) {
        if (is_allowed(job, Phase::Submitted, time, interval)) {
            return true;
        }
    }
    return is_allowed(job, Phase::Submitted, time);
}

bool Truth::has_strong(std::uint32_t job, Phase phase) const
{
    return std::any_of(m_told[job].begin(), m_told[job].end(),
                       [&](const Told& told) { return told.phase == phase && !told.is_weak; });
}

bool Truth::is_tied_start(std::uint32_t) const
{
    return m_scenario.distortion.grain > 1 && has_fences_only(m_scenario.recording);
}

bool Truth::has_device() const
{
    const Recording& recording = m_scenario.recording;
    return recording.has_device &&
           (recording.sched == SchedEvents::Stable ||
            recording.sched == SchedEvents::WithIdentity || recording.has_amdgpu_events ||
            recording.has_xe_events || recording.i915 != I915Events::None);
}

bool Truth::is_ambiguous(std::uint32_t ring) const
{
    return !has_device() && !m_scenario.recording.has_sched_numbers &&
           std::count_if(m_world.rings.begin(), m_world.rings.end(), [&](const RingConfig& other) {
               return other.name == m_world.rings[ring].name;
           }) > 1;
}

bool Truth::is_lossy(Time begin, Time end) const
{
    return std::any_of(m_kept.losses.begin(), m_kept.losses.end(), [&](const Stream::Loss& loss) {
        return loss.begin <= end && loss.end >= begin;
    });
}

bool Truth::has_tie(std::uint32_t ring, Time begin, Time end) const
{
    std::vector<Time> submitted;
    std::vector<Time> completed;
    for (std::uint32_t job = 0; job < m_told.size(); ++job) {
        for (const Told& told : m_told[job]) {
            if (m_world.jobs[job].ring == ring && told.time >= begin && told.time <= end) {
                if (told.phase == Phase::Submitted) {
                    submitted.push_back(told.time);
                } else if (told.phase == Phase::Completed) {
                    completed.push_back(told.time);
                }
            }
        }
    }
    return std::find_first_of(submitted.begin(), submitted.end(), completed.begin(),
                              completed.end()) != submitted.end();
}

bool Truth::has_real_loss_after(Time time) const
{
    return std::any_of(m_kept.losses.begin(), m_kept.losses.end(), [&](const Stream::Loss& loss) {
        return loss.end >= time && loss.unit != trace::LossUnit::LateBegin;
    });
}

bool Truth::has_stranger(Time begin, Time end, std::uint32_t ring, std::uint32_t except) const
{
    return std::any_of(
        m_unmatched_signals.begin(), m_unmatched_signals.end(),
        [&](const UnmatchedSignal& unmatched) {
            return unmatched.time >= begin && unmatched.time <= end && unmatched.job != except &&
                   (!unmatched.is_ring_told || m_world.jobs[unmatched.job].ring == ring);
        });
}

std::optional<Time> Truth::exact_end(const Previous& interval) const
{
    const bool is_last = interval.interval + 1U >= m_world.jobs[interval.job].intervals.size();
    const Phase phase = is_last ? Phase::Completed : Phase::Preempted;
    if (!has_device()) {
        return {};
    }
    for (const Told& told : m_told[interval.job]) {
        if (told.phase == phase && (is_last || told.interval == interval.interval) &&
            !told.is_weak && !told.is_by_pointer && !is_signal(m_kept.events[told.event].name)) {
            return told.time;
        }
    }
    return {};
}

} // namespace lttng_gpu::simulator
