// SPDX-License-Identifier: MIT
//
// See relay_guard.hpp.
#include "relay_guard.hpp"

#include "../../base/interruption.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <netdb.h>
#include <poll.h>
#include <sstream>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lttng_gpu::trace {
namespace {

constexpr std::chrono::seconds most_in_silence{2};
/// After which it is looked whether a signal has come. Answers come sooner than that.
constexpr int look_milliseconds = 100;
constexpr const char* default_port = "5344"; // of lttng-relayd, for readers

Failure ended(std::string why)
{
    return Failure{{ErrorKind::DamagedTrace, std::move(why)}};
}

/// The source has ended, or the guard has to: nothing is wrong.
Failure no_longer_wanted()
{
    return ended({});
}

struct Place {
    std::string host, port, path;
};

/// Of net://HOST[:PORT]/PATH; nothing of others.
std::optional<Place> place_of(const std::string& address)
{
    const std::size_t scheme = address.find("://");
    const std::size_t host = scheme == std::string::npos ? scheme : scheme + 3;
    const std::size_t path = host == std::string::npos ? host : address.find('/', host);
    if (path == std::string::npos || path == host) {
        return {};
    }
    const std::string server = address.substr(host, path - host);
    const std::size_t colon = server.rfind(':');
    if (colon == std::string::npos || server.back() == ']') {
        return Place{server, default_port, address.substr(path)};
    }
    return Place{server.substr(0, colon), server.substr(colon + 1), address.substr(path)};
}

/// Whether the other end of a connection on this machine is of the same user: of another one it is
/// nobody whom we wait for.
bool is_own(int connection)
{
    sockaddr_in peer{};
    socklen_t length = sizeof peer;
    if (::getpeername(connection, reinterpret_cast<sockaddr*>(&peer), &length) != 0) {
        return false;
    }
    const std::string place =
        fmt::format("{:08X}:{:04X}", peer.sin_addr.s_addr, ntohs(peer.sin_port));
    std::ifstream table{"/proc/self/net/tcp"};
    for (std::string line; std::getline(table, line);) {
        // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid
        std::istringstream words{line};
        std::string word;
        std::string local;
        words >> word >> local;
        for (int skipped = 0; skipped < 5; ++skipped) {
            words >> word;
        }
        uid_t user = 0;
        if (local == place && words >> user) {
            return user == ::geteuid();
        }
    }
    return false;
}

/// Signals are for the thread that reads.
class SignalsElsewhere {
public:
    SignalsElsewhere()
    {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    SignalsElsewhere(const SignalsElsewhere&) = delete;
    SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;
    ~SignalsElsewhere() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

private:
    sigset_t m_before{};
};

} // namespace

LiveSocket& LiveSocket::operator=(LiveSocket&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

LiveSocket::~LiveSocket()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

int LiveSocket::release()
{
    return std::exchange(m_descriptor, -1);
}

Expected<std::unique_ptr<RelayGuard>> RelayGuard::start(const std::string& address)
{
    const auto place = place_of(address);
    if (!place) {
        return Failure{{ErrorKind::BadArguments, "not the address of a session: " + address}};
    }
    std::unique_ptr<RelayGuard> guard{new RelayGuard};
    guard->m_true_address = address;
    guard->m_stop = LiveSocket{::eventfd(0, EFD_CLOEXEC)};
    if (const auto connected = guard->connect(place->host, place->port); !connected) {
        return Failure{{ErrorKind::UnreadableTrace,
                        fmt::format("cannot read {}: {}", address, connected.error().message)}};
    }
    if (const auto listens = guard->listen(place->path); !listens) {
        return Failure{listens.error()};
    }
    const SignalsElsewhere signals;
    guard->m_thread = std::thread{&RelayGuard::serve, guard.get()};
    return guard;
}

RelayGuard::~RelayGuard()
{
    if (m_thread.joinable()) {
        ::eventfd_write(m_stop.get(), 1);
        m_thread.join();
    }
}

Expected<void> RelayGuard::connect(const std::string& host, const std::string& port)
{
    const bool is_bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
    const std::string name = is_bracketed ? host.substr(1, host.size() - 2) : host;
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(name.c_str(), port.c_str(), &wanted, &found); error != 0) {
        return ended(fmt::format("{}:{}: {}", host, port, ::gai_strerror(error)));
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses{found, ::freeaddrinfo};
    int error = 0;
    for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
        LiveSocket made{
            ::socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
        error = errno;
        if (made.get() < 0) {
            continue;
        }
        error = ::connect(made.get(), address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
        if (error == EINPROGRESS) {
            if (auto ready = wait_until_ready(made.get(), POLLOUT, true); !ready) {
                return ready;
            }
            socklen_t length = sizeof error;
            ::getsockopt(made.get(), SOL_SOCKET, SO_ERROR, &error, &length);
        }
        if (error == 0) {
            m_relay = std::move(made);
            return {};
        }
    }
    return ended(
        fmt::format("no relay daemon answers at {}:{}: {}", host, port, std::strerror(error)));
}

Expected<void> RelayGuard::listen(const std::string& path)
{
    m_listener = LiveSocket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof place;
    auto* const address = reinterpret_cast<sockaddr*>(&place);
    if (::bind(m_listener.get(), address, length) != 0 || ::listen(m_listener.get(), 1) != 0 ||
        ::getsockname(m_listener.get(), address, &length) != 0) {
        return Failure{{ErrorKind::UnreadableTrace,
                        fmt::format("cannot listen on 127.0.0.1: {}", std::strerror(errno))}};
    }
    m_address = fmt::format("net://127.0.0.1:{}{}", ntohs(place.sin_port), path);
    return {};
}

Error RelayGuard::explain(Error error) const
{
    const std::lock_guard lock{m_mutex};
    if (m_problem) {
        return {error.kind, m_problem->message};
    }
    if (const std::size_t place = error.message.find(m_address); place != std::string::npos) {
        error.message.replace(place, m_address.size(), m_true_address);
    }
    return error;
}

void RelayGuard::serve()
{
    if (!accept()) {
        return;
    }
    auto served = serve_command();
    while (served) {
        served = serve_command();
    }
    if (!served.error().message.empty()) {
        const std::lock_guard lock{m_mutex};
        m_problem = served.error();
    }
    m_source = LiveSocket{};
    m_relay = LiveSocket{};
}

bool RelayGuard::accept()
{
    while (true) {
        if (!wait_until_ready(m_listener.get(), POLLIN, false)) {
            return false;
        }
        LiveSocket accepted{
            ::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
        if (accepted.get() >= 0 && is_own(accepted.get())) {
            m_source = std::move(accepted);
            m_listener = LiveSocket{};
            return true;
        }
    }
}

Expected<void> RelayGuard::serve_command()
{
    // babeltrace2 can go on asking for long.
    if (auto checked = check_interruption(false); !checked) {
        return checked;
    }
    const auto head = receive(m_source.get(), live_command_head);
    if (!head) {
        return Failure{head.error()};
    }
    LiveCommand command{static_cast<std::uint32_t>(static_cast<unsigned char>((*head)[11])), {}};
    const auto length = live_payload_length(*head);
    if (!length) {
        return Failure{length.error()};
    }
    auto payload = receive(m_source.get(), *length);
    if (!payload) {
        return Failure{payload.error()};
    }
    command.payload = std::move(*payload);
    const auto head_length = LiveProtocol::head_length(command);
    if (!head_length) {
        return Failure{head_length.error()};
    }
    if (auto sent = send(m_relay.get(), *head + command.payload); !sent) {
        return sent;
    }
    if (command.is_last()) {
        auto sent = send(m_source.get(), live_yes);
        return sent ? no_longer_wanted() : sent;
    }
    auto answer = receive(m_relay.get(), *head_length);
    if (!answer) {
        return Failure{answer.error()};
    }
    const auto rest_length = m_protocol.rest_length(command, *answer);
    if (!rest_length) {
        return Failure{rest_length.error()};
    }
    const auto rest = receive(m_relay.get(), *rest_length);
    if (!rest) {
        return Failure{rest.error()};
    }
    if (auto checked = LiveProtocol::check_rest(command, *rest); !checked) {
        return checked;
    }
    return send(m_source.get(), *answer + *rest);
}

Expected<std::string> RelayGuard::receive(int from, std::size_t length)
{
    const bool is_answer = from == m_relay.get();
    // As it comes: who claims much has not sent it yet.
    std::string bytes;
    std::array<char, 65536> piece{};
    while (bytes.size() < length) {
        if (const auto ready = wait_until_ready(from, POLLIN, is_answer); !ready) {
            return Failure{ready.error()};
        }
        const ssize_t got =
            ::recv(from, piece.data(), std::min(piece.size(), length - bytes.size()), 0);
        if (got > 0) {
            bytes.append(piece.data(), static_cast<std::size_t>(got));
        } else if (!is_answer) {
            return no_longer_wanted();
        } else if (got == 0) {
            return ended("the relay daemon has closed the connection");
        } else if (errno != EAGAIN && errno != EINTR) {
            return ended(fmt::format("the relay daemon: {}", std::strerror(errno)));
        }
    }
    return bytes;
}

Expected<void> RelayGuard::send(int to, std::string_view bytes)
{
    const bool is_command = to == m_relay.get();
    while (!bytes.empty()) {
        const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN || errno == EINTR) {
            if (auto ready = wait_until_ready(to, POLLOUT, is_command); !ready) {
                return ready;
            }
        } else if (is_command) {
            return ended(fmt::format("the relay daemon: {}", std::strerror(errno)));
        } else {
            return no_longer_wanted();
        }
    }
    return {};
}

/// `is_answer`: it is the relay daemon that is waited for.
Expected<void> RelayGuard::wait_until_ready(int socket, short events, bool is_answer)
{
    const auto begin = Clock::now();
    bool is_told = false;
    while (true) {
        std::array<pollfd, 3> waited{
            {{socket, events, 0}, {m_stop.get(), POLLIN, 0}, {m_source.get(), POLLRDHUP, 0}}};
        const int ready = ::poll(waited.data(), waited.size(), is_answer ? look_milliseconds : -1);
        if (waited[0].revents != 0) {
            return {};
        }
        if (ready > 0 && (waited[1].revents != 0 || waited[2].revents != 0)) {
            return no_longer_wanted();
        }
        if (!is_answer) {
            continue;
        }
        if (!is_told && Clock::now() - begin >= most_in_silence) {
            is_told = true;
            constexpr std::string_view line =
                "lttng-gpu: waiting for an answer of the relay daemon\n";
            if (::write(STDERR_FILENO, line.data(), line.size()) < 0) {
                continue; // nothing can be done about that
            }
        }
        if (auto checked = check_interruption(is_told); !checked) {
            return checked;
        }
    }
}

/// Who has been told of the waiting need not wait any longer.
Expected<void> RelayGuard::check_interruption(bool is_told)
{
    if (!Interruption::has_come()) {
        return {};
    }
    if (!m_interrupted) {
        m_interrupted = Clock::now();
    }
    if (is_told || Clock::now() - *m_interrupted >= most_in_silence) {
        return ended("interrupted; the relay daemon does not answer");
    }
    return {};
}

} // namespace lttng_gpu::trace
