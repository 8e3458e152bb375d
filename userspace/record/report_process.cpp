// SPDX-License-Identifier: MIT
//
// See report_process.hpp.
#include "report_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lttng_gpu::record {

void ReportProcess::start(const EarlierSignals& earlier, const std::optional<User>& user,
                          const std::function<void()>& print)
{
    const pid_t parent = getpid();
    m_pid = fork();
    if (m_pid < 0) {
        m_pid = 0;
        if (!user) {
            print();
        }
        return;
    }
    if (m_pid == 0) {
        const bool is_user = !user || user->become() == 0;
        prctl(PR_SET_PDEATHSIG, SIGTERM); // a change of the user ends it
        sigprocmask(SIG_SETMASK, &earlier.mask, nullptr);
        if (is_user && getppid() == parent) {
            print();
        }
        std::_Exit(0); // what is to be undone is the parent's
    }
}

bool ReportProcess::is_over()
{
    // An error: SIGCHLD was ignored when record began, and nobody keeps its exit code.
    if (m_pid != 0 && waitpid(m_pid, nullptr, WNOHANG) != 0) {
        m_pid = 0;
    }
    return m_pid == 0;
}

void ReportProcess::wait()
{
    while (m_pid != 0 && waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    m_pid = 0;
}

} // namespace lttng_gpu::record
