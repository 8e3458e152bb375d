// SPDX-License-Identifier: MIT
//
// See damage.hpp: what truly happened to the machine, and to the clocks of its CPUs. The
// sequences of events around a hang are those of Linux' drm_sched_stop(),
// drm_sched_resubmit_jobs() and drm_sched_start() (drivers/gpu/drm/scheduler/sched_main.c)
// as amdgpu_device_gpu_recover() calls them: up to v6.2 it gives the jobs behind the
// guilty one to the hardware again, since then it ends them all at once.
#include "damage.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace lttng_gpu::captures {
namespace {

/// Nothing runs for two seconds; jobs that were on the hardware go on then.
void suspend(Capture& capture, Random&)
{
    constexpr Time pause = 2'000'000'000;
    const Time middle = capture.events[capture.events.size() / 2].time;
    capture.change_times([&](Time time) { return time >= middle ? time + pause : time; });
}

constexpr std::uint64_t new_contexts = 100'000;

/// Contexts of scheduled and finished fences belong to clients, others to the driver.
std::set<std::uint64_t> contexts_of_clients(const Capture& capture)
{
    std::set<std::uint64_t> all;
    for (const Job& job : capture.jobs) {
        all.insert({job.context - 1, job.context});
    }
    return all;
}

/// All of it happens once more, later, with the same ids and sequence numbers. A driver that
/// was loaded again has new contexts of its own, too.
void happen_again(Capture& capture, std::uint64_t context_offset, bool is_loaded_again)
{
    const std::set<std::uint64_t> clients = contexts_of_clients(capture);
    const auto renumber = [&](Event& event) {
        for (const std::string_view name : {"fence_context", "context", "ctx"}) {
            const std::uint64_t context = number_of(event, name);
            if (context != 0 && (is_loaded_again || clients.contains(context))) {
                set_field(event, name, context + context_offset);
            }
        }
    };
    const Time span = capture.last - capture.first;
    const Time later = span + span / 2;
    Capture copy = capture;
    copy.change_times([&](Time time) { return time + later; });
    for (Event& event : copy.events) {
        renumber(event);
        event.job += event.job == nobody ? 0 : capture.jobs.size();
    }
    for (Job& job : copy.jobs) {
        job.context += context_offset;
    }
    capture.events.insert(capture.events.end(), copy.events.begin(), copy.events.end());
    capture.jobs.insert(capture.jobs.end(), copy.jobs.begin(), copy.jobs.end());
    capture.last = copy.last;
}

/// The jobs of one ring that were on the hardware when the first of them hung.
struct Hang {
    std::vector<std::size_t> pending; // in the order of their ends
    Time begin = 0;
    Time length = 0;
};

std::vector<std::size_t> pending_at(const Capture& capture, const std::string& device,
                                    const std::string& ring, Time time)
{
    std::vector<std::size_t> pending;
    for (std::size_t index = 0; index < capture.jobs.size(); ++index) {
        const Job& job = capture.jobs[index];
        const Interval& life = job.intervals.front();
        if (job.device == device && job.ring == ring && life.submitted != unknown &&
            life.submitted < time && life.completed >= time) {
            pending.push_back(index);
        }
    }
    std::sort(pending.begin(), pending.end(), [&](std::size_t left, std::size_t right) {
        return capture.jobs[left].intervals[0].completed <
               capture.jobs[right].intervals[0].completed;
    });
    return pending;
}

/// The end of the hung job lies between 35 % and 65 % of the recording, with as many jobs
/// behind it on the hardware as possible.
Hang find_hang(const Capture& capture)
{
    Hang best;
    const Time span = capture.last - capture.first;
    for (const Job& job : capture.jobs) {
        const Interval& life = job.intervals.front();
        const Time end = life.completed - capture.first;
        if (job.intervals.size() > 1 || life.started == unknown || end < span / 100 * 35 ||
            end > span / 100 * 65) {
            continue;
        }
        Hang hang{pending_at(capture, job.device, job.ring, life.completed), 0, span};
        hang.begin = life.completed;
        if (hang.pending.size() > best.pending.size()) {
            best = std::move(hang);
        }
    }
    if (best.pending.size() < 2) {
        throw std::runtime_error{"no job can hang: none has another one behind it"};
    }
    // Its hardware fence is signaled a little before.
    for (const Event& event : capture.events) {
        if (event.job == best.pending[0] && event.name.ends_with("_signaled") &&
            event.phase != Phase::Submitted) {
            best.begin = std::min(best.begin, event.time);
        }
    }
    return best;
}

/// The whole machine waits for the reset.
void wait_for_reset(Capture& capture, const Hang& hang)
{
    capture.change_times([&](Time time) { return time >= hang.begin ? time + hang.length : time; });
}

/// Starts of a ring by the FIFO rule.
void infer_starts(Capture& capture, const Job& of)
{
    std::vector<Interval*> lives;
    for (Job& job : capture.jobs) {
        if (job.device == of.device && job.ring == of.ring && job.intervals.size() == 1 &&
            job.intervals[0].started != unknown) {
            lives.push_back(&job.intervals[0]);
        }
    }
    std::sort(lives.begin(), lives.end(), [](const Interval* left, const Interval* right) {
        return left->completed < right->completed;
    });
    Time free = 0;
    for (Interval* life : lives) {
        const Time started = std::max(life->submitted, free);
        if (life->began == life->started) {
            life->began = life->began_until = started;
        }
        life->started = started;
        free = life->completed;
    }
}

/// Signals of the hardware's fences that the reset forces, in the order of their jobs.
Time forced_signal(Time reset, std::size_t place)
{
    return reset - 5000 + static_cast<Time>(place) * 100;
}

std::size_t place_of(const Hang& hang, const Event& event)
{
    const auto found = std::find(hang.pending.begin(), hang.pending.end(), event.job);
    return static_cast<std::size_t>(found - hang.pending.begin());
}

/// amdgpu since v6.3: every job that was on the hardware ends with an error.
void end_all(Capture& capture, Random&)
{
    constexpr Time apart = 20'000;
    const Hang hang = find_hang(capture);
    wait_for_reset(capture, hang);
    const Time reset = capture.jobs[hang.pending[0]].intervals[0].completed;
    std::vector<Time> earlier(hang.pending.size(), 0);
    for (std::size_t place = 1; place < hang.pending.size(); ++place) {
        Interval& life = capture.jobs[hang.pending[place]].intervals[0];
        const Time end = std::min(life.completed, reset + static_cast<Time>(place) * apart);
        earlier[place] = life.completed - end;
        life.completed = end;
    }
    for (Event& event : capture.events) {
        const std::size_t place = place_of(hang, event);
        if (place == hang.pending.size() || event.time < hang.begin + hang.length) {
            continue;
        }
        if (event.is_hardware_fence && event.name.ends_with("_signaled")) {
            event.time = forced_signal(reset, place);
        } else if (event.phase == Phase::Completed) {
            event.time -= earlier[place];
        }
        event.true_time = event.time;
    }
    infer_starts(capture, capture.jobs[hang.pending[0]]);
    for (std::size_t place = 1; place < hang.pending.size(); ++place) {
        // The hardware never ran it; whoever says that it did so at the very end is forgiven.
        Interval& life = capture.jobs[hang.pending[place]].intervals[0];
        life.began_until = life.completed;
    }
}

/// amdgpu up to v6.2: old hardware fences are forced, then the driver runs the jobs again.
/// No event of the scheduler tells of it, only the driver's own does.
void run_again(Capture& capture, Random&)
{
    constexpr std::uint64_t new_seqnos = 1U << 20U;
    const Hang hang = find_hang(capture);
    wait_for_reset(capture, hang);
    const Time reset = hang.begin + hang.length;
    std::vector<Event> more;
    for (Event& event : capture.events) {
        const std::size_t place = place_of(hang, event);
        const bool is_run = event.name == "amdgpu_sched_run_job";
        if (place == hang.pending.size() || !(event.is_hardware_fence || is_run)) {
            continue;
        }
        Event& copy = more.emplace_back(event);
        copy.phase = Phase::None;
        if (event.name.ends_with("_signaled")) { // the copy is of the old one
            copy.time = forced_signal(reset, place);
            set_field(event, "seqno", number_of(event, "seqno") + new_seqnos);
        } else { // given again, with a new one
            copy.time = reset - 2500 + static_cast<Time>(place) * 200 + (is_run ? 0 : 100);
            set_field(copy, "seqno", number_of(copy, "seqno") + (is_run ? 0 : new_seqnos));
        }
        copy.true_time = copy.time;
    }
    capture.events.insert(capture.events.end(), more.begin(), more.end());
}

/// Each CPU's clock goes right, but ahead of the true one.
void skew_clocks(Capture& capture, Random& random)
{
    capture.skew = 50'000;
    std::vector<Time> offsets(capture.cpus);
    for (Time& offset : offsets) {
        offset = random.between(0, capture.skew);
    }
    for (Event& event : capture.events) {
        event.time += offsets[event.cpu];
        capture.last = std::max(capture.last, event.time);
    }
}

} // namespace

std::vector<Damage> incidents()
{
    return {
        {"suspend", suspend},
        {"hang-ends-all", end_all},
        {"hang-runs-again", run_again},
        {"reload-new-contexts",
         [](Capture& capture, Random&) { happen_again(capture, new_contexts, true); }},
        {"reload-same-contexts", [](Capture& capture, Random&) { happen_again(capture, 0, true); }},
        {"later-capture",
         [](Capture& capture, Random&) { happen_again(capture, new_contexts, false); }},
        {"clocks-50us", skew_clocks},
    };
}

void round_to_microseconds(Capture& capture)
{
    capture.change_times([](Time time) { return (time + 500) / 1000 * 1000; }); // ns2usecs()
    for (Gap& gap : capture.gaps) {
        gap.begin = (gap.begin + 500) / 1000 * 1000;
        gap.end = (gap.end + 500) / 1000 * 1000;
    }
}

} // namespace lttng_gpu::captures
