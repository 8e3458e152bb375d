// SPDX-License-Identifier: MIT
// plant-frames: makes frames of a program that shows frames late on purpose, one after the other: a
// real-time process takes its CPU (preempted), it is stopped (blocked), another program keeps the
// GPU busy (ring_shared, gl-sharer). Writes from when to when each held.
//
// Usage: plant-frames PID INSTANCES TRUTH-FILE SHARER...
#include "partners.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include <sys/wait.h>

namespace lttng_gpu::causes {
namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr int victim_cpu = 1;

void sleep_for(std::int64_t length)
{
    const timespec time{length / 1'000'000'000, length % 1'000'000'000};
    ::nanosleep(&time, nullptr);
}

/// What the kernel counted for a thread: how long it ran, and how long it could have run.
struct ThreadTimes {
    std::int64_t wall = now_ns();
    std::int64_t ran = 0;
    std::int64_t waited = 0;

    explicit ThreadTimes(pid_t thread)
    {
        std::ifstream("/proc/" + std::to_string(thread) + "/schedstat") >> ran >> waited;
    }
};

/// Stops the process for that long; from when to when it was stopped. The signal wakes a thread
/// that sleeps, and only when it runs does it stop: in a guest that is stalled that is late, or not
/// before it may go on.
Interval stop(pid_t victim, std::int64_t length)
{
    const std::int64_t end = now_ns() + length;
    Interval stopped;
    ::kill(victim, SIGSTOP);
    while (now_ns() < end) {
        std::string stat;
        std::getline(std::ifstream("/proc/" + std::to_string(victim) + "/stat"), stat);
        const std::size_t name_end = stat.rfind(") ");
        if (name_end != std::string::npos && stat[name_end + 2] == 'T') {
            stopped.begin = now_ns();
            sleep_for(std::max<std::int64_t>(0, end - stopped.begin));
            break;
        }
        sleep_for(ms / 2);
    }
    ::kill(victim, SIGCONT);
    stopped.end = now_ns();
    stopped.begin = stopped.begin != 0 ? stopped.begin : stopped.end;
    return stopped;
}

/// Draws of another program; how many take a time is learned.
class Sharer {
public:
    explicit Sharer(char** command)
    {
        std::array<int, 2> ask{};
        std::array<int, 2> answer{};
        if (::pipe(ask.data()) != 0 || ::pipe(answer.data()) != 0)
            throw_errno("pipe");
        const pid_t child = ::fork();
        if (child < 0)
            throw_errno("fork");
        if (child == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::dup2(ask[0], 0);
            ::dup2(answer[1], 1);
            ::execv(command[0], command);
            ::_exit(1);
        }
        ::close(ask[0]);
        ::close(answer[1]);
        m_ask = ::fdopen(ask[1], "w");
        m_answers = ::fdopen(answer[0], "r");
        std::array<char, 64> line{};
        m_is_there = std::fgets(line.data(), line.size(), m_answers) != nullptr;
        if (m_is_there) { // the first one compiles
            run();
            m_draws = 4;
            const Interval tried = run();
            m_ns_of_draw = std::max<std::int64_t>((tried.end - tried.begin) / 4, 1);
        }
    }
    bool is_there() const { return m_is_there; }
    Interval run(std::int64_t length)
    {
        m_draws = static_cast<int>(std::clamp<std::int64_t>(length / m_ns_of_draw, 1, 400));
        return run();
    }

private:
    Interval run()
    {
        Interval interval;
        long long begin = 0;
        long long end = 0;
        if (std::fprintf(m_ask, "%d\n", m_draws) < 0 || std::fflush(m_ask) != 0 ||
            std::fscanf(m_answers, "%lld %lld", &begin, &end) != 2)
            throw std::runtime_error("gl-sharer has ended");
        interval.begin = begin;
        interval.end = end;
        return interval;
    }

    std::FILE* m_ask = nullptr;
    std::FILE* m_answers = nullptr;
    bool m_is_there = false;
    int m_draws = 1;
    std::int64_t m_ns_of_draw = ms;
};

int run(pid_t victim, unsigned instances, const char* truth_file, char** sharer_command)
{
    std::ofstream truth(truth_file);
    // Times of traces are those since 1970 when the clock that they were read from began.
    timespec wall{};
    ::clock_gettime(CLOCK_REALTIME, &wall);
    const std::int64_t offset = wall.tv_sec * std::int64_t{1'000'000'000} + wall.tv_nsec - now_ns();
    Hog hog = make_hog("hog", victim_cpu);
    Sharer sharer(sharer_command);
    std::mt19937_64 random{instances};
    std::vector<std::string> all;
    for (const char* cause : {"preempted", "blocked", "ring_shared"})
        if (sharer.is_there() || std::string_view{cause} != "ring_shared")
            // Which of two programs' jobs the ring gets first is left to chance.
            all.insert(all.end(),
                       std::string_view{cause} == "ring_shared" ? 2 * instances : instances, cause);
    std::ranges::shuffle(all, random);
    for (const std::string& cause : all) {
        const std::int64_t length = 100 * ms + static_cast<std::int64_t>(random() % 100) * ms;
        sleep_for(200 * ms + static_cast<std::int64_t>(random() % 200) * ms);
        if (::kill(victim, 0) != 0)
            break; // it has shown all its frames
        const ThreadTimes before(victim);
        Interval held{now_ns(), 0};
        if (cause == "preempted") {
            hog.tell({length});
            held = hog.wait();
        } else if (cause == "blocked") {
            held = stop(victim, length);
        } else {
            held = sharer.run(length);
        }
        sleep_for(100 * ms); // the kernel counts that a thread could have run when it runs
        const ThreadTimes after(victim);
        truth << "{\"planted\": \"" << cause << "\", \"begin\": " << held.begin + offset
              << ", \"end\": " << held.end + offset << ", \"from\": " << before.wall + offset
              << ", \"until\": " << after.wall + offset
              << ", \"ran_ns\": " << after.ran - before.ran
              << ", \"ready_ns\": " << after.waited - before.waited << "}\n";
    }
    return truth ? 0 : 1;
}

} // namespace
} // namespace lttng_gpu::causes

int main(int argc, char** argv)
{
    if (argc < 5) {
        std::cerr << "usage: plant-frames PID INSTANCES TRUTH-FILE SHARER...\n";
        return 2;
    }
    try {
        return lttng_gpu::causes::run(std::atoi(argv[1]), static_cast<unsigned>(std::atoi(argv[2])),
                                      argv[3], argv + 4);
    } catch (const std::exception& error) {
        std::cerr << "plant-frames: " << error.what() << '\n';
        return 1;
    }
}
