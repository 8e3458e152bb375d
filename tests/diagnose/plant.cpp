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
    Planter(Scene& scene, const std::set<Cause>& planted) : x_scene{scene}, x_causes{planted} {}

    Instance plant()
    {
        warm_up();
        frames(6 + x_scene.random().index(10));
        drain();
        before();
        victim();
        if (!has(Cause::Hang)) {
            frames(4);
            drain();
        }
        x_scene.tick(x_now + tail);
        return x_instance;
    }

private:
    bool has(Cause cause) const { return x_causes.contains(cause); }
    Time length() { return x_scene.random().spread(300'000, 4'000'000); }

    /// The ring is full once, so that its depth is known.
    void warm_up()
    {
        x_scene.tick(x_now);
        x_now += 100'000;
        x_scene.run(x_now);
        for (std::size_t job = 0; job < x_scene.room() + 2; ++job) {
            x_now += 4'000;
            x_last = x_scene.add({game, gfx, x_now, x_scene.between(80'000, 120'000)});
        }
        x_instance.first_seqno = x_last.seqno + 1;
    }

    /// The next job is queued while the last one runs; then the one before is waited for.
    void frames(std::size_t count)
    {
        for (std::size_t frame = 0; frame < count; ++frame) {
            const Job before = x_last;
            x_now = std::max(x_now + 5'000, before.started + 20'000);
            x_last = x_scene.add({game, gfx, x_now, x_scene.between(150'000, 250'000)});
            x_now += 5'000;
            wait_for(before);
        }
    }

    void wait_for(const Job& job)
    {
        x_scene.wait_begin(x_now, job);
        x_scene.sleep(x_now + 1'000);
        const Time signaled = std::max(job.completed + 500, x_now + 2'000);
        x_now = signaled + x_scene.between(2'000, 6'000);
        x_scene.wake(signaled, x_now);
        x_now += 1'000;
        x_scene.wait_end(x_now, job);
    }

    /// Until nothing of the program is on the device, its thread runs, and does not wait.
    void drain()
    {
        if (has(Cause::OwnWait) && !x_is_over) {
            x_now += 2'000;
            const Time begin = x_now;
            wait_for(x_last);
            x_waited = x_now - begin;
        } else {
            x_now = std::max(x_now, x_last.completed);
        }
        x_is_over = true;
        x_now += 3'000;
    }

    void expect(Reason reason, Time time) { x_instance.expected[reason] += time; }

    void before()
    {
        if (has(Cause::OwnWait)) {
            // The rest of the wait, and what it could have prepared meanwhile.
            x_prepared = x_scene.between(x_waited / 2, x_waited - 1'000);
            x_now += x_prepared;
            expect(Reason::OwnWait, x_now - x_last.completed);
        }
        if (has(Cause::CpuPreemption)) {
            const Time time = length();
            x_scene.preempt(x_now);
            x_now += time;
            x_scene.run(x_now);
            x_now += 2'000;
            expect(Reason::Preempted, time);
        }
        if (has(Cause::Sleep)) {
            const Time time = length();
            x_scene.sleep(x_now);
            x_now += time;
            x_scene.wake(x_now, x_now + 3'000);
            x_now += 5'000;
            expect(Reason::Blocked, time);
        }
        if (has(Cause::CpuBound)) {
            // First what it could have done while it waited.
            const Time rest = has(Cause::OwnWait) ? x_waited - x_prepared : 0;
            const Time time = length();
            x_now += rest + time;
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
        Job root = x_scene.add({1, 1, queued - 20'000, first});
        x_instance.roots[processes[1].pid] += root.completed - queued;
        if (x_scene.random().chance(0.5)) {
            const Job next = x_scene.add({2, 2, queued - 10'000, length(), {root}});
            x_instance.roots[processes[2].pid] += next.completed - next.started;
            root = next;
        }
        expect(Reason::Dependency, root.completed - queued);
        return {root};
    }

    /// Jobs of another program fill the ring just before the victim is ready.
    void fill_ring(Time ready)
    {
        const Time time = length();
        for (std::size_t job = 0; job < x_scene.room(); ++job) {
            const Time at = ready - 80'000 + static_cast<Time>(job) * 4'000;
            const Time execution = job == 0 ? time + 80'000 : x_scene.between(90'000, 150'000);
            x_scene.add({1, gfx, at, execution});
        }
    }

    void victim()
    {
        const Time queued = x_now + 2'000;
        JobWish wish{game, gfx, queued, x_scene.between(150'000, 250'000)};
        wish.depends_on = dependencies(queued);
        const Time ready = wish.depends_on.empty() ? queued : wish.depends_on[0].completed + 400;
        if (has(Cause::BackPressure)) {
            fill_ring(ready);
        }
        wish.worker_delay = has(Cause::SlowWorker) ? length() : 0;
        if (has(Cause::Sharing) && !has(Cause::BackPressure)) {
            x_scene.add({2, gfx, ready - 30'000, 60'000 + wish.worker_delay + length()});
        }
        wish.is_hanging = has(Cause::Hang);
        wish.is_run_lost = has(Cause::Loss);
        const Job job = x_scene.add(wish);
        x_instance.context = job.context;
        x_instance.seqno = job.seqno;
        if (has(Cause::BackPressure)) {
            expect(Reason::BackPressure, job.room - job.ready);
        }
        if (has(Cause::SlowWorker)) {
            expect(Reason::WorkerLate, job.submitted - job.room);
        }
        if (has(Cause::Loss)) {
            x_scene.lose(job.submitted - 2'000, job.completed + 50'000, 3);
            expect(Reason::Unknown, job.completed - ready);
        } else if (job.started - job.submitted > 0) {
            expect(Reason::RingShared, job.started - job.submitted);
        }
        if (job.is_hanging) {
            expect(Reason::Hang, queued + 5'000 + tail - job.started);
        }
        x_last = job;
        x_now = queued + 5'000;
    }
    Scene& x_scene;
    const std::set<Cause>& x_causes;
    Instance x_instance;
    Time x_now = 1'000'000'000;
    Time x_waited = 0;
    Time x_prepared = 0;
    bool x_is_over = false; // the victim is next, or was
    Job x_last;
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
