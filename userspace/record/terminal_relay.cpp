// SPDX-License-Identifier: MIT
//
// See terminal_relay.hpp. Modes: while what is typed is for the command, root's terminal is raw
// and the command's own does what a terminal does (echo, Ctrl-C, newlines), as with ssh. Else
// root's terminal stays as it is, other programs of a pipeline may use it, and signals of its
// keys come to record, which passes them on.
#include "terminal_relay.hpp"

#include "terminal_message.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

namespace lttng_gpu::record {
namespace {

constexpr std::array noted_signals{SIGWINCH, SIGCONT, SIGTSTP};

bool is_ready(int descriptor, short event)
{
    pollfd entry{descriptor, event, 0};
    return poll(&entry, 1, 0) > 0 && (entry.revents & event) != 0;
}

bool write_all(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return true;
}

} // namespace

bool is_in_foreground(int terminal)
{
    const pid_t group = tcgetpgrp(terminal);
    return group < 0 || group == getpgrp();
}

TerminalRelay::TerminalRelay(RelayEnds ends, bool is_reading) : m_ends{std::move(ends)}
{
    sigset_t noted;
    sigemptyset(&noted);
    for (const int number : noted_signals) {
        sigaddset(&noted, number);
    }
    m_signals = Descriptor{signalfd(-1, &noted, SFD_CLOEXEC | SFD_NONBLOCK)};
    sigaddset(&noted, SIGTTOU); // whoever may write there may set modes
    sigprocmask(SIG_BLOCK, &noted, nullptr);
    fcntl(m_ends.command.get(), F_SETFL, O_RDWR | O_NONBLOCK);
    m_has_modes = tcgetattr(m_ends.terminal.get(), &m_modes) == 0;
    if (is_reading) {
        begin_reading();
    } else {
        set_command_output(false);
    }
}

void TerminalRelay::run()
{
    while (true) {
        wait();
    }
}

void TerminalRelay::wait()
{
    const bool has_input = !m_input.empty();
    std::array<pollfd, 5> entries{
        pollfd{m_signals.get(), POLLIN, 0}, pollfd{m_ends.leader.get(), POLLIN, 0},
        pollfd{m_ends.command.get(), static_cast<short>(POLLIN | (has_input ? POLLOUT : 0)), 0},
        pollfd{m_is_reading && !has_input && !m_is_dead ? m_ends.terminal.get() : -1, POLLIN, 0},
        pollfd{m_is_alone ? -1 : m_ends.record.get(), POLLIN, 0}};
    if (poll(entries.data(), entries.size(), -1) < 0) {
        return;
    }
    const auto& [signals, leader, command, terminal, record] = entries;
    if (signals.revents != 0) {
        take_signal();
    }
    if ((command.revents & POLLOUT) != 0) {
        send_input();
    }
    if ((command.revents & (POLLIN | POLLHUP)) != 0) {
        take_output();
    }
    if (terminal.revents != 0) {
        take_input();
    }
    if (record.revents != 0) {
        m_is_alone = true;
        end_reading();
    }
    if (leader.revents != 0) {
        take_state();
    }
}

void TerminalRelay::take_signal()
{
    signalfd_siginfo info{};
    if (read(m_signals.get(), &info, sizeof info) != sizeof info) {
        return;
    }
    if (info.ssi_signo == SIGWINCH) {
        copy_size();
    } else if (info.ssi_signo == SIGTSTP) {
        // Ctrl-Z with a terminal that is not raw: record is stopped by it, too.
        tell(static_cast<char>(TerminalWish::Stop));
        suspend(SIGTSTP, true);
    } else if (m_is_reading && !is_in_foreground(m_ends.terminal.get())) {
        m_is_reading = false; // bg; the shell has set modes of its own
    } else if (m_is_reading) {
        begin_reading();
    }
}

void TerminalRelay::take_state()
{
    CommandState state;
    const ssize_t got = read(m_ends.leader.get(), &state, sizeof state);
    if (got != sizeof state || state.kind == CommandState::Kind::Ended) {
        end();
    }
    if (state.answered != m_wishes) {
        return; // it goes on already
    }
    const bool wants_terminal = state.signal == SIGTTIN || state.signal == SIGTTOU;
    if (wants_terminal && !m_is_alone && is_in_foreground(m_ends.terminal.get())) {
        begin_reading();
        go_on();
        return;
    }
    suspend(state.signal, false);
}

/// `is_told`: the others of this job got the signal.
void TerminalRelay::suspend(int signal, bool is_told)
{
    const bool was_reading = m_is_reading;
    end_reading();
    kill(is_told ? getpid() : 0, signal);
    // As a program that does nothing about it: in a group without a shell above nothing stops.
    sigset_t stop;
    sigset_t before;
    sigemptyset(&stop);
    sigaddset(&stop, signal);
    sigprocmask(SIG_UNBLOCK, &stop, &before);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    const bool has_terminal = is_in_foreground(m_ends.terminal.get());
    if (has_terminal && !m_is_alone && (was_reading || signal == SIGTTIN || signal == SIGTTOU)) {
        begin_reading();
    }
    go_on();
}

void TerminalRelay::go_on()
{
    ++m_wishes;
    tell(static_cast<char>(m_is_reading ? TerminalWish::GoOnInForeground
                                        : TerminalWish::GoOnInBackground));
}

void TerminalRelay::take_output()
{
    std::array<char, 4096> bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
    const ssize_t got = read(m_ends.command.get(), bytes.data(), bytes.size());
    if (got > 0 && !m_is_dead) {
        m_is_dead =
            !write_all(m_ends.terminal.get(), {bytes.data(), static_cast<std::size_t>(got)});
    }
}

void TerminalRelay::take_input()
{
    std::array<char, 1024> bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
    const ssize_t got = read(m_ends.terminal.get(), bytes.data(), bytes.size());
    if (got > 0) {
        m_input.assign(bytes.data(), static_cast<std::size_t>(got));
        send_input();
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        m_is_dead = true;
    }
}

void TerminalRelay::send_input()
{
    const ssize_t written = write(m_ends.command.get(), m_input.data(), m_input.size());
    if (written > 0) {
        m_input.erase(0, static_cast<std::size_t>(written));
    }
}

void TerminalRelay::begin_reading()
{
    m_is_reading = true;
    set_command_output(true);
    copy_size();
    if (!m_has_modes) {
        return;
    }
    termios raw = m_modes;
    cfmakeraw(&raw);
    tcsetattr(m_ends.terminal.get(), TCSADRAIN, &raw);
}

void TerminalRelay::end_reading()
{
    if (std::exchange(m_is_reading, false) && m_has_modes && !m_is_dead) {
        tcsetattr(m_ends.terminal.get(), TCSADRAIN, &m_modes);
        set_command_output(false);
    }
}

/// One of the two terminals makes lines of what is written, not both.
void TerminalRelay::set_command_output(bool is_processed) const
{
    termios modes{};
    if (m_has_modes && tcgetattr(m_ends.command.get(), &modes) == 0) {
        modes.c_oflag = is_processed ? modes.c_oflag | (m_modes.c_oflag & OPOST)
                                     : modes.c_oflag & ~static_cast<tcflag_t>(OPOST);
        tcsetattr(m_ends.command.get(), TCSANOW, &modes);
    }
}

void TerminalRelay::copy_size() const
{
    winsize size{};
    if (ioctl(m_ends.terminal.get(), TIOCGWINSZ, &size) == 0) {
        ioctl(m_ends.command.get(), TIOCSWINSZ, &size);
    }
}

void TerminalRelay::tell(char wish)
{
    [[maybe_unused]] const ssize_t sent = send(m_ends.leader.get(), &wish, 1, MSG_NOSIGNAL);
}

/// The leader keeps the command's terminal open until it sees us gone: its end would throw away
/// what is not read. poll() brings forth what is still on its way (Linux, n_tty_poll()).
void TerminalRelay::end()
{
    while (is_ready(m_ends.command.get(), POLLIN)) {
        take_output();
    }
    end_reading();
    _exit(0);
}

} // namespace lttng_gpu::record
