// SPDX-License-Identifier: MIT
#include "record/buffer_users.hpp"

#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lttng_gpu::record;
namespace fs = std::filesystem;

namespace {

constexpr uid_t nobody = 65534;

/// Root may see processes into which it may not look (in a container), so that nothing would be
/// known.
class AsNobody {
public:
    AsNobody()
    {
        if (m_is_root) {
            REQUIRE(setegid(nobody) == 0);
            REQUIRE(seteuid(nobody) == 0);
        }
    }
    ~AsNobody()
    {
        if (m_is_root) {
            [[maybe_unused]] const bool is_root = seteuid(0) == 0 && setegid(0) == 0;
        }
    }

private:
    bool m_is_root = geteuid() == 0;
};

/// A file that is removed with this.
class File {
public:
    File()
    {
        m_descriptor = mkstemp(m_path.data());
        REQUIRE(m_descriptor >= 0);
        REQUIRE(ftruncate(m_descriptor, 4096) == 0);
    }
    ~File()
    {
        close(m_descriptor);
        unlink(m_path.c_str());
    }
    void* map() const
    {
        return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, m_descriptor, 0);
    }
    fs::path path() const { return m_path; }

private:
    std::string m_path = "/tmp/lttng-gpu-buffer-users-XXXXXX";
    int m_descriptor = -1;
};

/// A process that has the file mapped until this ends.
class Program {
public:
    /// `begins`: runs in it, when it has mapped the file.
    explicit Program(
        const File& file, void (*begins)() = [] {})
    {
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        m_pid = fork();
        if (m_pid == 0) {
            if (getuid() == 0 && (seteuid(0) != 0 || setresgid(nobody, nobody, nobody) != 0 ||
                                  setresuid(nobody, nobody, nobody) != 0)) {
                _exit(1);
            }
            prctl(PR_SET_DUMPABLE, 1); // as a program has it from its start
            file.map();
            if (write(ends[1], "x", 1) == 1) {
                begins();
            }
            while (true) {
                pause();
            }
        }
        char ready = 0;
        REQUIRE(read(ends[0], &ready, 1) == 1);
        close(ends[0]);
        close(ends[1]);
    }
    ~Program()
    {
        kill(m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
    int pid() const { return m_pid; }

private:
    pid_t m_pid = 0;
};

void* wait_for_ever(void*)
{
    while (true) {
        pause();
    }
}

void go_on_in_another_thread()
{
    pthread_t thread{};
    pthread_create(&thread, nullptr, wait_for_ever, nullptr);
    syscall(SYS_exit, 0);
}

} // namespace

TEST_CASE("buffer_users: a file that only its reader has mapped")
{
    const File file;
    const AsNobody user;
    const Program reader{file};
    CHECK(are_left_by_all({file.path()}, {reader.pid()}));
}

TEST_CASE("buffer_users: a program has it mapped, until it dies")
{
    const File file;
    const AsNobody user;
    const Program reader{file};
    {
        const Program writer{file};
        CHECK_FALSE(are_left_by_all({file.path()}, {reader.pid()}));
    }
    CHECK(are_left_by_all({file.path()}, {reader.pid()}));
}

TEST_CASE("buffer_users: a program whose first thread has ended has it mapped")
{
    const File file;
    const AsNobody user;
    const Program reader{file};
    const Program writer{file, go_on_in_another_thread};
    usleep(100'000); // for the thread to end
    CHECK_FALSE(are_left_by_all({file.path()}, {reader.pid()}));
}

TEST_CASE("buffer_users: without a reader that is seen to have it mapped it is not known")
{
    const File file;
    const File other;
    const AsNobody user;
    const Program reader{other};
    CHECK_FALSE(are_left_by_all({file.path()}, {reader.pid()}));
    CHECK_FALSE(are_left_by_all({file.path()}, {}));
}
