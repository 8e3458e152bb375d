// SPDX-License-Identifier: MIT
//
// See plant.hpp.
#include "plant.hpp"

#include <algorithm>

namespace lttng_gpu::planted {
namespace {

using diagnose::Reason;

struct CauseText {
    std::string_view name;
    Reason reason;
};
constexpr std::array<CauseText, cause_count> causes{{{"CPU preemption", Reason::Preempted},
                                                     {"sleep", Reason::Blocked},
                                                     {"bubble, CPU bound", Reason::CpuBound},
                                                     {"bubble, own wait", Reason::OwnWait},
                                                     {"dependency", Reason::Dependency},
                                                     {"back-pressure", Reason::BackPressure},
                                                     {"slow worker", Reason::WorkerLate},
                                                     {"GPU sharing", Reason::RingShared},
                                                     {"hang", Reason::Hang},
                                                     {"loss", Reason::Unknown}}};

constexpr unsigned game = 0;
constexpr unsigned gfx = 0;
constexpr Time tail{3'000'000'000};

class Planter {
public:
    Planter(Scene& scene, const std::set<Cause>& planted) : m_scene{scene}, m_causes{planted} {}

    Instance plant()
    {
        warm_up();
        frames(6 + m_scene.random().index(10));
        drain();
        before();
        victim();
        if (!has(Cause::Hang)) {
            frames(4);
            drain();
        }
        m_scene.tick(m_now + tail);
        return m_instance;
    }

private:
    bool has(Cause cause) const { return m_causes.contains(cause); }
    Time length() { return m_scene.random().spread(300'000, 4'000'000); }

    /// The ring is full once, so that its depth is known.
    void warm_up()
    {
        m_scene.tick(m_now);
        m_now += 100'000;
        m_scene.run(m_now);
        for (std::size_t job = 0; job < m_scene.room() + 2; ++job) {
            m_now += 4'000;
            m_last = m_scene.add({game, gfx, m_now, m_scene.between(80'000, 120'000)});
        }
        m_instance.first_seqno = m_last.seqno + 1;
    }

    /// The next job is queued while the last one runs; then the one before is waited for.
    void frames(std::size_t count)
    {
        for (std::size_t frame = 0; frame < count; ++frame) {
            const Job before = m_last;
            m_now = std::max(m_now + 5'000, before.started + 20'000);
            m_last = m_scene.add({game, gfx, m_now, m_scene.between(150'000, 250'000)});
            m_now += 5'000;
            wait_for(before);
        }
    }

    void wait_for(const Job& job)
    {
        m_scene.wait_begin(m_now, job);
        m_scene.sleep(m_now + 1'000);
        const Time signaled = std::max(job.completed + 500, m_now + 2'000);
        m_now = signaled + m_scene.between(2'000, 6'000);
        m_scene.wake(signaled, m_now);
        m_now += 1'000;
        m_scene.wait_end(m_now, job);
    }

    /// Until nothing of the program is on the device, its thread runs, and does not wait.
    void drain()
    {
        if (has(Cause::OwnWait) && !m_is_over) {
            m_now += 2'000;
            const Time begin = m_now;
            wait_for(m_last);
            m_waited = m_now - begin;
        } else {
            m_now = std::max(m_now, m_last.completed);
        }
        m_is_over = true;
        m_now += 3'000;
    }

    void expect(Reason reason, Time time) { m_instance.expected[reason] += time; }

    void before()
    {
        if (has(Cause::OwnWait)) {
            // The rest of the wait, and what it could have prepared meanwhile.
            m_prepared = m_scene.between(m_waited / 2, m_waited - 1'000);
            m_now += m_prepared;
            expect(Reason::OwnWait, m_now - m_last.completed);
        }
        if (has(Cause::CpuPreemption)) {
            const Time time = length();
            m_scene.preempt(m_now);
            m_now += time;
            m_scene.run(m_now);
            m_now += 2'000;
            expect(Reason::Preempted, time);
        }
        if (has(Cause::Sleep)) {
            const Time time = length();
            m_scene.sleep(m_now);
            m_now += time;
            m_scene.wake(m_now, m_now + 3'000);
            m_now += 5'000;
            expect(Reason::Blocked, time);
        }
        if (has(Cause::CpuBound)) {
            // First what it could have done while it waited.
            const Time rest = has(Cause::OwnWait) ? m_waited - m_prepared : 0;
            const Time time = length();
            m_now += rest + time;
            expect(Reason::CpuBound, time);
            if (rest > 0) {
                expect(Reason::OwnWait, rest);
            }
        }
    }

    /// One or two jobs of others, each waiting for the one before.
    std::vector<Job> dependencies(Time queued)
    {
        std::vector<Job> wanted;
        if (!has(Cause::Dependency)) {
            return wanted;
        }
        const Time first = length();
        Job root = m_scene.add({1, 1, queued - 20'000, first});
        m_instance.roots[processes[1].pid] += root.completed - queued;
        if (m_scene.random().chance(0.5)) {
            const Job next = m_scene.add({2, 2, queued - 10'000, length(), {root}});
            m_instance.roots[processes[2].pid] += next.completed - next.started;
            root = next;
        }
        expect(Reason::Dependency, root.completed - queued);
        return {root};
    }

    /// Jobs of another program fill the ring just before the victim is ready.
    void fill_ring(Time ready)
    {
        const Time time = length();
        for (std::size_t job = 0; job < m_scene.room(); ++job) {
            const Time at = ready - 80'000 + static_cast<Time>(job) * 4'000;
            const Time execution = job == 0 ? time + 80'000 : m_scene.between(90'000, 150'000);
            m_scene.add({1, gfx, at, execution});
        }
    }

    void victim()
    {
        const Time queued = m_now + 2'000;
        JobWish wish{game, gfx, queued, m_scene.between(150'000, 250'000)};
        wish.depends_on = dependencies(queued);
        const Time ready = wish.depends_on.empty() ? queued : wish.depends_on[0].completed + 400;
        if (has(Cause::BackPressure)) {
            fill_ring(ready);
        }
        wish.worker_delay = has(Cause::SlowWorker) ? length() : 0;
        if (has(Cause::Sharing) && !has(Cause::BackPressure)) {
            m_scene.add({2, gfx, ready - 30'000, 60'000 + wish.worker_delay + length()});
        }
        wish.is_hanging = has(Cause::Hang);
        wish.is_run_lost = has(Cause::Loss);
        const Job job = m_scene.add(wish);
        m_instance.context = job.context;
        m_instance.seqno = job.seqno;
        if (has(Cause::BackPressure)) {
            expect(Reason::BackPressure, job.room - job.ready);
        }
        if (has(Cause::SlowWorker)) {
            expect(Reason::WorkerLate, job.submitted - job.room);
        }
        if (has(Cause::Loss)) {
            m_scene.lose(job.submitted - 2'000, job.completed + 50'000, 3);
            expect(Reason::Unknown, job.completed - ready);
        } else if (job.started - job.submitted > 0) {
            expect(Reason::RingShared, job.started - job.submitted);
        }
        if (job.is_hanging) {
            expect(Reason::Hang, queued + 5'000 + tail - job.started);
        }
        m_last = job;
        m_now = queued + 5'000;
    }
    Scene& m_scene;
    const std::set<Cause>& m_causes;
    Instance m_instance;
    Time m_now = 1'000'000'000;
    Time m_waited = 0;
    Time m_prepared = 0;
    bool m_is_over = false; // the victim is next, or was
    Job m_last;
};

} // namespace

std::string_view name_of(Cause cause)
{
    return causes[static_cast<std::size_t>(cause)].name;
}

Reason reason_of(Cause cause)
{
    return causes[static_cast<std::size_t>(cause)].reason;
}

bool fit_together(Cause first, Cause second)
{
    const auto hides = [](Cause cause) {
        return cause == Cause::BackPressure || cause == Cause::SlowWorker ||
               cause == Cause::Sharing || cause == Cause::Hang;
    };
    const bool is_lost = first == Cause::Loss || second == Cause::Loss;
    return first != second && !(is_lost && (hides(first) || hides(second)));
}

Instance plant(Scene& scene, const std::set<Cause>& causes_of_victim)
{
    return Planter{scene, causes_of_victim}.plant();
}

} // namespace lttng_gpu::planted
