// SPDX-License-Identifier: MIT
#include "record/daemon_time.hpp"

#include <csignal>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace lttng_gpu::record;

namespace {

/// A process of its own that does nothing, or computes without an end.
class Child {
public:
    explicit Child(bool is_busy) : m_pid{fork()}
    {
        if (m_pid == 0) {
            for (volatile unsigned long count = 0;;) {
                if (is_busy) {
                    count = count + 1;
                } else {
                    pause();
                }
            }
        }
    }
    ~Child()
    {
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    int pid() const { return m_pid; }

private:
    pid_t m_pid;
};

} // namespace

TEST_CASE("time of daemons: one that waits is not active, and its time stands still")
{
    const Child child{false};
    const DaemonTime time{{child.pid()}};
    while (time.is_active()) { // until it has come to its pause()
        std::this_thread::yield();
    }
    const auto before = time.spent();
    CHECK(before.count() > 0);
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    CHECK(time.spent() == before);
}

TEST_CASE("time of daemons: one that computes, or is kept from it, is active and its time goes on")
{
    const Child child{true};
    const DaemonTime time{{child.pid()}};
    const auto before = time.spent();
    while (time.spent() == before) { // the test ends when it is seen
        std::this_thread::yield();
    }
    CHECK(time.is_active());
}

TEST_CASE("time of daemons: of processes that are gone there is none")
{
    pid_t gone = 0;
    {
        const Child child{false};
        gone = child.pid();
    }
    const DaemonTime time{{gone}};
    CHECK(time.spent().count() == 0);
    CHECK_FALSE(time.is_active());
}
