// SPDX-License-Identifier: MIT
// The processes beside the one whose jobs are made late: partners, which submit jobs that keep a
// ring busy or are depended on, and hogs, real-time processes that take a CPU. Each does one thing
// at a time when it is told to through a pipe, and says what it did. What is planted, and when, is
// plant-causes.cpp's business.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <csignal>

#include "device_file.hpp"

namespace lttng_gpu::causes {

using gputest::DeviceFile;
using gputest::Fd;
using gputest::throw_errno;

/// The clock of the kernel's traces and of the driver's log.
inline std::int64_t now_ns()
{
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

inline void spin_until(std::int64_t end)
{
    while (now_ns() < end) {
    }
}

inline void pin_to(int cpu)
{
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    if (::sched_setaffinity(0, sizeof(cpus), &cpus) != 0)
        throw_errno("sched_setaffinity");
}

/// Pipes to a process of its own, which answers each Question until the first process is gone.
template <typename Question, typename Answer> class Helper {
public:
    using Make = std::function<std::function<Answer(const Question&)>()>;

    /// What `make` returns answers; it is called in the new process.
    Helper(const char* name, const Make& make)
    {
        const auto [their_end, ask] = make_pipe();
        const auto [answers, their_answers] = make_pipe();
        const pid_t parent = ::getpid();
        const pid_t child = ::fork();
        if (child < 0)
            throw_errno("fork");
        if (child == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::prctl(PR_SET_NAME, name);
            if (::getppid() != parent)
                ::_exit(1);
            try {
                const auto answer = make();
                Question question;
                send(their_answers, Answer{}); // it is there
                while (::read(their_end, &question, sizeof(question)) == sizeof(question))
                    send(their_answers, answer(question));
                ::_exit(0);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s: %s\n", name, error.what());
                ::_exit(1);
            }
        }
        ::close(their_end);
        ::close(their_answers);
        m_ask = ask;
        m_answers = answers;
        wait();
    }

    void tell(const Question& question) const { send(m_ask, question); }
    Answer wait() const
    {
        Answer answer;
        if (::read(m_answers, &answer, sizeof(answer)) != sizeof(answer))
            throw std::runtime_error("a helping process has ended");
        return answer;
    }

private:
    static std::array<int, 2> make_pipe()
    {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0)
            throw_errno("pipe");
        return ends;
    }
    template <typename Message> static void send(int pipe, const Message& message)
    {
        if (::write(pipe, &message, sizeof(message)) != sizeof(message))
            throw_errno("write");
    }

    int m_ask = -1;
    int m_answers = -1;
};

/// Takes the CPU that it is pinned to, at once and for so long.
struct HogQuestion {
    std::int64_t length = 0;
};
struct Interval {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};
using Hog = Helper<HogQuestion, Interval>;

/// Jobs on one ring: the first one, and `more` short ones of `more_ns` each. Number 0 of a shared
/// syncobj is none.
struct Order {
    std::uint32_t device = 0;
    std::uint32_t ring = 0;
    std::uint64_t first_ns = 0;
    std::uint32_t more = 0;
    std::uint64_t more_ns = 0;
    std::uint32_t wait_for = 0; // the first job, for that syncobj
    std::uint32_t give = 0;     // the first job's fence, to that syncobj
    bool is_end = false;        // only wait for all jobs
};
struct Fence {
    std::uint64_t context = 0;
    std::uint64_t seqno = 0;
};
using Partner = Helper<Order, Fence>;

/// Devices as a process sees them, with the syncobjs that all share.
class Devices {
public:
    Devices(const std::vector<std::string>& paths, const std::vector<Fd>& shared);

    std::uint32_t shared(std::uint32_t device, std::uint32_t number) const
    {
        return number == 0 ? 0 : m_devices[device].shared[number - 1];
    }
    /// Its own fence is in own_syncobj(device) afterwards, unless it goes to `give`.
    Fence submit(std::uint32_t device, std::uint32_t ring, std::uint64_t exec_ns,
                 std::uint32_t wait_for = 0, std::uint32_t give = 0) const;
    void wait(std::uint32_t device) const
    {
        m_devices[device].file.wait_syncobj(m_devices[device].own);
    }
    void wait_shared(std::uint32_t number) const
    {
        m_devices[0].file.wait_syncobj(shared(0, number));
    }
    std::size_t size() const { return m_devices.size(); }

private:
    struct Device {
        DeviceFile file;
        std::vector<std::uint32_t> shared;
        std::uint32_t own = 0;
    };
    std::vector<Device> m_devices;
};

Hog make_hog(const char* name, int cpu);
Partner make_partner(const char* name, const std::vector<std::string>& paths,
                     const std::vector<Fd>& shared);
/// Paths of the test driver's devices, in order of their names.
std::vector<std::string> find_devices();

} // namespace lttng_gpu::causes
