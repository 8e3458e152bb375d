// SPDX-License-Identifier: MIT
//
// See command.hpp.
#include "command.hpp"

#include "descriptor.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace {

/// What comes from the child before it is the command.
struct Report {
    enum class Kind { Process, Error };
    Kind kind = Kind::Error;
    int number = 0;
};

void send_report(int pipe, Report::Kind kind, int number)
{
    const Report report{kind, number};
    [[maybe_unused]] const ssize_t written = write(pipe, &report, sizeof report);
}

[[noreturn]] void become(const std::string& program, std::vector<char*>& arguments,
                         const std::vector<Setting>& settings, const EarlierSignals& earlier,
                         const std::optional<User>& user, int report)
{
    const auto fail = [report](int error) {
        send_report(report, Report::Kind::Error, error);
        _exit(127);
    };
    if (const int error = user ? user->become() : 0; error != 0) {
        fail(error);
    }
    for (const auto& [name, value] : settings) {
        setenv(name.c_str(), value.c_str(), 1);
    }
    std::signal(SIGPIPE, SIG_DFL); // ignored by main()
    std::signal(SIGCHLD, earlier.are_children_ignored ? SIG_IGN : SIG_DFL);
    sigprocmask(SIG_SETMASK, &earlier.mask, nullptr);
    execvp(program.c_str(), arguments.data()); // scripts without "#!", too
    fail(errno);
    std::abort(); // not reached
}

/// Until the command runs.
struct Start {
    pid_t process = 0;
    int error = 0;
};

Start hear(int pipe)
{
    Start start;
    Report report;
    ssize_t got = 0;
    while ((got = read(pipe, &report, sizeof report)) != 0) {
        if (got == sizeof report) {
            (report.kind == Report::Kind::Error ? start.error : start.process) = report.number;
        } else if (errno != EINTR) {
            break;
        }
    }
    return start;
}

} // namespace

Expected<Command> Command::start(const std::vector<std::string>& words,
                                 const std::vector<Setting>& settings,
                                 const EarlierSignals& earlier, const std::optional<User>& user,
                                 int& code)
{
    const std::string program = find_program(words[0], code);
    if (program.empty()) {
        return failed(words[0] + (code == 127 ? ": command not found" : ": permission denied"));
    }
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    code = 126;
    auto made = user ? OwnTerminal::make(*user)
                     : Expected<std::optional<OwnTerminal>>{std::optional<OwnTerminal>{}};
    if (!made) {
        return Failure{made.error()};
    }
    std::optional<OwnTerminal>& terminal = *made;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return failed(fmt::format("cannot create a pipe: {}", std::strerror(errno)));
    }
    const Descriptor reading{ends[0]};
    Descriptor writing{ends[1]};
    const pid_t pid = fork();
    if (pid == 0) {
        if (terminal) {
            terminal->enter([&](int number) {
                send_report(writing.get(), number < 0 ? Report::Kind::Error : Report::Kind::Process,
                            std::abs(number));
            });
        }
        become(program, arguments, settings, earlier, user, writing.get());
    }
    if (pid < 0) {
        return failed(fmt::format("cannot create a process: {}", std::strerror(errno)));
    }
    writing = Descriptor{};
    const Start start = hear(reading.get());
    if (start.error != 0) {
        terminal.reset(); // whose end its leader awaits
        waitpid(pid, nullptr, 0);
        code = start.error == ENOENT ? 127 : 126;
        return failed(fmt::format("{}: {}", words[0], std::strerror(start.error)));
    }
    if (terminal) {
        terminal->begin();
    }
    return Command{terminal ? start.process : pid, pid, std::move(terminal)};
}

std::optional<int> Command::poll()
{
    int status = 0;
    if (!m_code && waitpid(m_child, &status, WNOHANG) == m_child) {
        if (m_terminal) {
            m_terminal->end();
        }
        m_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return m_code;
}

} // namespace lttng_gpu::record
