// SPDX-License-Identifier: MIT
//
// See own_terminal.hpp.
#include "own_terminal.hpp"

#include "terminal_message.hpp"
#include "terminal_relay.hpp"
#include "tool.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

namespace lttng_gpu::record {
namespace {

/// That of the session, else one that is handed to the command.
Descriptor shared_terminal()
{
    Descriptor terminal{open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)};
    for (int stream = 0; !terminal && stream <= STDERR_FILENO; ++stream) {
        if (isatty(stream) != 0) {
            terminal = Descriptor{fcntl(stream, F_DUPFD_CLOEXEC, 3)};
        }
    }
    return terminal;
}

/// Descriptors of record, its locks and pipes among them, are not for who outlives it.
void close_others(std::initializer_list<int> kept)
{
    const Descriptor nothing{open("/dev/null", O_RDWR | O_CLOEXEC)};
    for (int stream = 0; nothing && stream <= STDERR_FILENO; ++stream) {
        dup2(nothing.get(), stream);
    }
    int next = STDERR_FILENO + 1;
    std::vector<int> in_order{kept};
    std::ranges::sort(in_order);
    for (const int descriptor : in_order) {
        if (next < descriptor) {
            close_range(static_cast<unsigned>(next), static_cast<unsigned>(descriptor - 1), 0);
        }
        next = descriptor + 1;
    }
    close_range(static_cast<unsigned>(next), ~0U, 0);
}

void block(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, nullptr);
}

/// In the process that leads the session of the command.
class Leader {
public:
    Leader(pid_t command, int terminal, int relay)
        : m_command{command}, m_terminal{terminal}, m_relay{relay}
    {
        block(SIGTTOU);
        block(SIGCHLD);
        sigset_t children;
        sigemptyset(&children);
        sigaddset(&children, SIGCHLD);
        m_children = Descriptor{signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK)};
    }

    [[noreturn]] void run()
    {
        while (true) {
            look();
            pollfd entries[]{{m_children.get(), POLLIN, 0}, {m_relay, POLLIN, 0}};
            if (poll(entries, 2, -1) < 0) {
                continue;
            }
            signalfd_siginfo info{};
            while (read(m_children.get(), &info, sizeof info) > 0) {
            }
            if (entries[1].revents != 0) {
                hear();
            }
        }
    }

private:
    void look()
    {
        int status = 0;
        if (waitpid(m_command, &status, WNOHANG | WUNTRACED) != m_command) {
            return;
        }
        if (!WIFSTOPPED(status)) {
            tell({CommandState::Kind::Ended, 0, m_answered});
            char nothing = 0;
            while (m_relay >= 0 && (read(m_relay, &nothing, 1) > 0 || errno == EINTR)) {
            }
            _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        }
        const int number = WSTOPSIG(status);
        if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU) {
            tell({CommandState::Kind::Stopped, number, m_answered});
        }
    }
    void tell(const CommandState& state) const
    {
        [[maybe_unused]] const ssize_t sent = send(m_relay, &state, sizeof state, MSG_NOSIGNAL);
    }
    void hear()
    {
        char wish = 0;
        if (read(m_relay, &wish, 1) != 1) {
            m_relay = -1; // poll() passes it over
            return;
        }
        if (wish == static_cast<char>(TerminalWish::Stop)) {
            kill(-m_command, SIGTSTP);
            return;
        }
        ++m_answered;
        if (wish == static_cast<char>(TerminalWish::GoOnInForeground)) {
            tcsetpgrp(m_terminal, m_command);
        }
        kill(-m_command, SIGCONT);
    }

    pid_t m_command;
    int m_terminal;
    int m_relay;
    unsigned m_answered = 0;
    Descriptor m_children;
};

} // namespace

Expected<std::optional<OwnTerminal>> OwnTerminal::make(const User& user)
{
    OwnTerminal own;
    own.m_terminal = shared_terminal();
    if (!own.m_terminal) {
        return std::optional<OwnTerminal>{};
    }
    for (int stream = 0; stream <= STDERR_FILENO; ++stream) {
        own.m_is_terminal[static_cast<std::size_t>(stream)] = isatty(stream) != 0;
    }
    own.m_is_in_foreground = own.m_is_terminal[STDIN_FILENO] && own.m_is_terminal[STDOUT_FILENO] &&
                             is_in_foreground(own.m_terminal.get());
    own.m_ours = Descriptor{posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
    if (own.m_ours && unlockpt(own.m_ours.get()) == 0) {
        own.m_commands =
            Descriptor{ioctl(own.m_ours.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC)};
    }
    int ends[2];
    if (!own.m_commands || fchown(own.m_commands.get(), user.id, static_cast<gid_t>(-1)) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return failed(fmt::format("the command cannot have a terminal of its own, and root's it "
                                  "does not get: {}",
                                  std::strerror(errno)));
    }
    own.m_leader = Descriptor{ends[0]};
    own.m_relay = Descriptor{ends[1]};
    termios modes{};
    if (tcgetattr(own.m_terminal.get(), &modes) == 0) {
        // As TerminalRelay begins.
        modes.c_oflag &= own.m_is_in_foreground ? ~tcflag_t{0} : ~static_cast<tcflag_t>(OPOST);
        tcsetattr(own.m_commands.get(), TCSANOW, &modes);
    }
    winsize size{};
    if (ioctl(own.m_terminal.get(), TIOCGWINSZ, &size) == 0) {
        ioctl(own.m_commands.get(), TIOCSWINSZ, &size);
    }
    return std::optional<OwnTerminal>{std::move(own)};
}

pid_t OwnTerminal::fork_command()
{
    setsid();
    ioctl(m_commands.get(), TIOCSCTTY, 0);
    const pid_t command = fork();
    if (command < 0) {
        return -errno;
    }
    if (command > 0) {
        setpgid(command, command);
        return command;
    }
    setpgid(0, 0);
    if (m_is_in_foreground) {
        block(SIGTTOU);
        tcsetpgrp(m_commands.get(), getpid());
    }
    for (int stream = 0; stream <= STDERR_FILENO; ++stream) {
        if (m_is_terminal[static_cast<std::size_t>(stream)]) {
            dup2(m_commands.get(), stream);
        }
    }
    return 0;
}

void OwnTerminal::lead(pid_t command)
{
    if (command < 0) {
        _exit(126);
    }
    close_others({m_commands.get(), m_leader.get()});
    Leader{command, m_commands.get(), m_leader.get()}.run();
}

void OwnTerminal::begin()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return; // the command has a terminal at which nobody looks
    }
    Descriptor record{ends[0]};
    m_tie = Descriptor{ends[1]};
    m_relay_pid = fork();
    if (m_relay_pid == 0) {
        close_others({m_terminal.get(), m_ours.get(), m_relay.get(), record.get()});
        TerminalRelay{
            {std::move(m_terminal), std::move(m_ours), std::move(m_relay), std::move(record)},
            m_is_in_foreground}
            .run();
    }
    m_leader = Descriptor{};
    m_relay = Descriptor{};
    if (m_is_terminal[STDERR_FILENO]) {
        m_errors = Descriptor{fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)};
        dup2(m_commands.get(), STDERR_FILENO);
    }
}

/// What was noted when nobody copied any more is shown now.
void OwnTerminal::end()
{
    m_tie = Descriptor{};
    if (m_relay_pid > 0) {
        waitpid(std::exchange(m_relay_pid, 0), nullptr, 0);
    }
    if (!m_errors) {
        return;
    }
    dup2(m_errors.get(), STDERR_FILENO);
    m_errors = Descriptor{};
    std::array<char, 4096> bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
    pollfd entry{m_ours.get(), POLLIN, 0};
    while (poll(&entry, 1, 0) > 0 && (entry.revents & POLLIN) != 0) {
        const ssize_t got = read(m_ours.get(), bytes.data(), bytes.size());
        if (got <= 0 || write(STDERR_FILENO, bytes.data(), static_cast<std::size_t>(got)) < 0) {
            break;
        }
    }
}

OwnTerminal::~OwnTerminal()
{
    if (m_errors) {
        dup2(m_errors.get(), STDERR_FILENO);
    }
}

} // namespace lttng_gpu::record
