// SPDX-License-Identifier: MIT
// plant-causes: makes jobs on the test GPU driver late on purpose, for known reasons, and writes
// which job, which reason and from when to when, one line of JSON for each job.
// tests/diagnose/judge_guest.py compares `lttng-gpu diagnose` with that. Runs as root in a guest of
// two CPUs, because it takes CPUs away with real-time processes.
//
// In each episode all is idle first. Then the victim (this process) has a short job and waits for
// it, which begins the time "before"; what is planted there happens; the late job is queued; and
// what was prepared for it is in its way:
//
//   before:  preempted (a hog on this CPU)  blocked (sleeps)  cpu_bound (computes)  own_wait
//   (computes after it waited for
//            a long job of its own)
//   queued:  dependency (a long job of another process on another device, in half of the cases
//   behind a job of a third
//            ring)  back_pressure (another process filled the device queue)  worker_late (a hog on
//            the CPU of the scheduler's workers)  ring_shared (another process's jobs on the ring)
//            long_execution
//
// By OpenCL (way_opencl.cpp) a dependency is an event of another queue in the wait list, and where
// the driver's library has a thread that submits, helper_late is a hog on the CPU of that thread.
//
// Usage: plant-causes [--alone N] [--pairs N] [--clean N] [--hangs N] [--seed N] --truth FILE

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>
#include <span>
#include <sstream>

#include "way.hpp"

namespace lttng_gpu::causes {
namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::uint32_t gfx = 0, compute = 1, copy = 2;
constexpr std::uint32_t fifo_rings = 3;
constexpr std::uint32_t victim_device = 0, other_device = 1, first_hanging = 2;
constexpr std::uint32_t most_jobs_of_ring = 4; // the module's credit_limit
constexpr int victim_cpu = 1, worker_cpu = 0;
constexpr std::int64_t warm_ns = 6 * ms;

enum Cause {
    Preempted,
    Blocked,
    CpuBound,
    OwnWait,
    Dependency,
    BackPressure,
    WorkerLate,
    RingShared,
    LongExecution,
    HelperLate, // only where a thread of the driver's library submits
    Causes
};
constexpr const char* names[Causes] = {
    "preempted",     "blocked",     "cpu_bound",   "own_wait",       "dependency",
    "back_pressure", "worker_late", "ring_shared", "long_execution", "helper_late"};
constexpr bool is_before(Cause cause)
{
    return cause <= OwnWait || cause == HelperLate;
}

struct Planted {
    Cause cause;
    std::int64_t length;
};

/// What the kernel counted for this thread: how long it ran, and how long it could have run. In a
/// guest that is stalled it takes long to ask.
struct ThreadTimes {
    std::int64_t wall = now_ns(); // before it was asked
    std::int64_t wall_after = 0;
    std::int64_t ran = 0;
    std::int64_t waited = 0;

    ThreadTimes()
    {
        std::ifstream("/proc/thread-self/schedstat") >> ran >> waited;
        timespec used{}; // the first number of that file is not up to date
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        ran = used.tv_sec * std::int64_t{1'000'000'000} + used.tv_nsec;
        wall_after = now_ns();
    }
};

class Victim {
public:
    Victim(std::ostream& truth, unsigned seed)
        : m_truth{truth}, m_random{seed}, m_paths{find_devices()}, m_shared{make_shared()},
          m_hog{make_hog("hog", victim_cpu)}, m_worker_hog{make_hog("worker-hog", worker_cpu)},
          m_sharer{make_partner("sharer", m_paths, m_shared)},
          m_giver{make_partner("giver", m_paths, m_shared)}, m_devices{m_paths, m_shared}
    {
        pin_to(victim_cpu);
        m_way = make_way(m_devices);
        m_way->submit(victim_device, gfx, short_time()); // a helper is there now
        m_way->wait(victim_device);
        m_has_helper = m_way->has_helper(worker_cpu);
        for (unsigned job = 0; job < 16; ++job) { // what is usual
            m_way->submit(victim_device, gfx, short_time());
            m_way->wait(victim_device);
        }
    }

    std::int64_t random_length() { return 14 * ms + std::int64_t(m_random() % 22'000'000); }
    std::mt19937_64& random() { return m_random; }
    bool can_have(Cause cause) const { return cause != HelperLate || m_has_helper; }

    void episode(std::vector<Planted> planted);
    void hang();

private:
    std::vector<Fd> make_shared() const
    {
        if (m_paths.size() <= other_device)
            throw std::runtime_error("two devices of gputest are needed");
        const DeviceFile file(m_paths[0]);
        std::vector<Fd> fds;
        for (int number = 0; number < 2; ++number)
            fds.push_back(
                file.export_syncobj(file.make_syncobj(gputest::drm_syncobj_create_signaled)));
        return fds;
    }
    std::uint64_t short_time() { return ms + m_random() % ms; }
    void prepare(Cause cause, std::int64_t end_ns);
    void happen(const Planted& planted);
    void note(const char* name, const Fence& fence)
    {
        m_line << ", \"" << name << "\": [" << fence.context << ", " << fence.seqno << ']';
    }
    void note(const char* name, const Interval& interval)
    {
        m_line << ", \"" << name << "\": [" << interval.begin << ", " << interval.end << ']';
    }

    std::ostream& m_truth;
    std::ostringstream m_line;
    std::mt19937_64 m_random;
    std::vector<std::string> m_paths;
    std::vector<Fd> m_shared;
    Hog m_hog;
    Hog m_worker_hog;
    Partner m_sharer;
    Partner m_giver;
    Devices m_devices;
    std::unique_ptr<Way> m_way;
    bool m_has_helper = false;
    unsigned m_episode = 0;
};

/// Others' jobs that are to be in the way until that long after the first job.
void Victim::prepare(Cause cause, std::int64_t end_ns)
{
    const auto length = static_cast<std::uint64_t>(end_ns);
    switch (cause) {
    case Dependency: {
        if (m_way->gives_itself())
            break; // just before the job
        Order order{.device = other_device, .ring = compute, .first_ns = length, .give = 1};
        if (m_random() % 2 != 0) { // the root is a job of another ring and process
            m_sharer.tell({.device = other_device, .ring = copy, .first_ns = length, .give = 2});
            note("root", m_sharer.wait());
            order.first_ns = ms / 2;
            order.wait_for = 2;
        }
        m_giver.tell(order);
        note("giver", m_giver.wait());
        break;
    }
    case BackPressure:
        m_sharer.tell({.device = victim_device,
                       .ring = gfx,
                       .first_ns = length,
                       .more = most_jobs_of_ring - 1,
                       .more_ns = ms / 5});
        note("filler", m_sharer.wait());
        break;
    case RingShared: {
        const auto more = static_cast<std::uint32_t>(m_random() % 3);
        m_sharer.tell({.device = victim_device,
                       .ring = gfx,
                       .first_ns = length / (more + 1),
                       .more = more,
                       .more_ns = length / (more + 1)});
        note("sharer", m_sharer.wait());
        break;
    }
    default:
        break;
    }
}

void Victim::happen(const Planted& planted)
{
    Interval interval{now_ns(), 0};
    switch (planted.cause) {
    case Preempted:
        m_hog.tell({planted.length});
        interval = m_hog.wait();
        break;
    case Blocked: {
        const timespec length{0, planted.length};
        ::nanosleep(&length, nullptr);
        break;
    }
    default:
        spin_until(interval.begin + planted.length);
        break;
    }
    interval.end = interval.end != 0 ? interval.end : now_ns();
    note(names[planted.cause], interval);
}

void Victim::episode(std::vector<Planted> planted)
{
    m_line.str("");
    m_line << "{\"episode\": " << m_episode++ << ", \"planted\": [";
    for (const Planted& one : planted)
        m_line << (&one != planted.data() ? ", \"" : "\"") << names[one.cause] << '"';
    m_line << "], \"pid\": " << ::getpid();
    const auto find = [&](Cause cause) {
        const auto found = std::ranges::find(planted, cause, &Planted::cause);
        return found != planted.end() ? found->length : 0;
    };

    // A long job of its own is waited for, and what is prepared afterwards takes nearly as long.
    const std::int64_t own = find(OwnWait);
    const ThreadTimes idle; // before all that can be in the time without a job
    const std::int64_t helper_before = m_way->helper_ran_ns();
    note("warm",
         m_way->submit(victim_device, copy, static_cast<std::uint64_t>(warm_ns + own * 5 / 4)));
    std::int64_t at = 0; // after the first job has ended
    for (const Planted& one : planted)
        at += is_before(one.cause) ? one.length : 0;
    // Of causes that are planted after it was queued, the order is that of a job's life.
    for (const Cause cause : {Dependency, BackPressure, WorkerLate, RingShared}) {
        at += find(cause);
        if (find(cause) != 0)
            prepare(cause, warm_ns + at + own * 5 / 4);
    }
    const ThreadTimes waits;
    m_way->wait(victim_device);
    const ThreadTimes back;
    m_line << ", \"waited_ns\": " << back.wall - waits.wall
           << ", \"ran_in_wait_ns\": " << back.ran - waits.ran;
    for (const Planted& one : planted)
        if (is_before(one.cause) && one.cause != HelperLate)
            happen(one);
    const std::int64_t worker_late = find(WorkerLate);
    if (worker_late != 0) {
        m_worker_hog.tell({worker_late + find(Dependency) + find(BackPressure)});
        spin_until(now_ns() + ms / 2); // it has the CPU now
    }
    const std::int64_t helper_late = find(HelperLate);
    if (helper_late != 0) {
        m_worker_hog.tell({helper_late});
        spin_until(now_ns() + ms / 2);
    }
    if (find(Dependency) != 0 && m_way->gives_itself())
        note("giver",
             m_way->give(victim_device, compute, static_cast<std::uint64_t>(find(Dependency))));
    const ThreadTimes queued;
    const std::int64_t length = find(LongExecution);
    note("late", m_way->submit(victim_device, gfx,
                               length != 0 ? static_cast<std::uint64_t>(length) : short_time(),
                               find(Dependency) != 0));
    m_way->wait(victim_device);
    if (helper_late != 0)
        note("helper_late", m_worker_hog.wait());
    if (worker_late != 0)
        note("worker_late", m_worker_hog.wait());
    m_line << ", \"idle_ns\": " << idle.wall << ", \"returned_ns\": " << back.wall
           << ", \"queued_ns\": " << queued.wall << ", \"asked_ns\": " << queued.wall_after
           << ", \"ran_ns\": " << queued.ran - idle.ran
           << ", \"ready_ns\": " << queued.waited - idle.waited
           << ", \"helper_ran_ns\": " << m_way->helper_ran_ns() - helper_before;
    for (const Partner* partner : {&m_sharer, &m_giver}) {
        partner->tell({.is_end = true});
        partner->wait();
    }
    m_devices.wait_shared(1);
    m_devices.wait_shared(2);
    m_truth << m_line.str() << "}\n";
}

/// A job on each ring of the other devices that does not end before the recording does.
void Victim::hang()
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rings;
    for (std::uint32_t device = first_hanging; device < m_devices.size(); ++device)
        for (std::uint32_t ring = 0; ring < fifo_rings; ++ring)
            rings.emplace_back(device, ring);
    std::optional<ThreadTimes> idle; // before the last of them
    for (const auto& [device, ring] : rings)
        for (unsigned job = 0; job < 10; ++job) {
            idle.emplace();
            m_way->submit(device, ring, ms / 2);
            m_way->wait(device);
        }
    for (const auto& [device, ring] : rings) {
        const ThreadTimes queued;
        m_line.str("");
        m_line << "{\"episode\": " << m_episode++
               << ", \"planted\": [\"hang\"], \"pid\": " << ::getpid();
        note("late", m_way->submit(device, ring, 59'000 * ms));
        m_truth << m_line.str() << ", \"idle_ns\": " << idle->wall
                << ", \"returned_ns\": " << queued.wall << ", \"queued_ns\": " << queued.wall
                << ", \"asked_ns\": " << queued.wall_after
                << ", \"ran_ns\": " << queued.ran - idle->ran
                << ", \"ready_ns\": " << queued.waited - idle->waited << "}\n";
    }
    const timespec length{2, 0};
    ::nanosleep(&length, nullptr);
}

bool can_be_together(Cause left, Cause right)
{
    // What computes after a wait cannot be told from what computes; both fill the device queue.
    const auto are = [&](Cause one, Cause other) {
        return (left == one && right == other) || (left == other && right == one);
    };
    // The helper and the scheduler's workers are on one CPU.
    return left != right && !are(HelperLate, WorkerLate) && !are(OwnWait, CpuBound) &&
           !are(BackPressure, RingShared) &&
           !(left == OwnWait || right == OwnWait ? is_before(left) && is_before(right) : false);
}

unsigned number_of(std::span<char*> arguments, const char* name, unsigned usual)
{
    for (std::size_t at = 1; at + 1 < arguments.size(); ++at)
        if (std::strcmp(arguments[at], name) == 0)
            return static_cast<unsigned>(std::strtoul(arguments[at + 1], nullptr, 10));
    return usual;
}

int run(std::span<char*> arguments, const char* file)
{
    std::ofstream truth(file);
    Victim victim(truth, number_of(arguments, "--seed", 1));
    const unsigned alone = number_of(arguments, "--alone", 3),
                   pairs = number_of(arguments, "--pairs", 1);
    std::vector<std::vector<Cause>> all(number_of(arguments, "--clean", 10));
    for (int left = 0; left < Causes; ++left) {
        if (!victim.can_have(Cause(left)))
            continue;
        all.insert(all.end(), alone, {Cause(left)});
        for (int right = left + 1; right < Causes; ++right)
            if (can_be_together(Cause(left), Cause(right)) && victim.can_have(Cause(right)))
                all.insert(all.end(), pairs, {Cause(left), Cause(right)});
    }
    std::ranges::shuffle(all, victim.random());
    for (const auto& causes : all) {
        std::vector<Planted> planted;
        for (const Cause cause : causes)
            planted.push_back({cause, victim.random_length()});
        victim.episode(std::move(planted));
    }
    if (number_of(arguments, "--hangs", 0) != 0)
        victim.hang();
    truth.close();
    // The jobs that hang go on; nobody waits for them.
    ::_exit(truth ? 0 : 1);
}

} // namespace
} // namespace lttng_gpu::causes

int main(int argc, char** argv)
{
    const std::span<char*> arguments{argv, static_cast<std::size_t>(argc)};
    const char* file = nullptr;
    for (std::size_t at = 1; at + 1 < arguments.size(); ++at)
        if (std::strcmp(arguments[at], "--truth") == 0)
            file = arguments[at + 1];
    if (file == nullptr) {
        std::cerr << "usage: plant-causes [--alone N] [--pairs N] [--clean N] [--hangs 1] [--seed "
                     "N] --truth FILE\n";
        return 2;
    }
    try {
        return lttng_gpu::causes::run(arguments, file);
    } catch (const std::exception& error) {
        std::cerr << "plant-causes: " << error.what() << '\n';
        return 1;
    }
}
