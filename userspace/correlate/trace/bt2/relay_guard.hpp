// SPDX-License-Identifier: MIT
//
// Stands between babeltrace2's lttng-live source and a relay daemon, and hands on only answers that
// can be (live_protocol.hpp). While it waits for one it says so after 2 s, and a signal that asks
// to stop ends the waiting, which that source cannot do. In all these cases the connection ends for
// the source, and what it has read until then is there.
#pragma once

#include "live_protocol.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace lttng_gpu::trace {

/// A file descriptor that is closed when this ends; negative: none.
class LiveSocket {
public:
    LiveSocket() = default;
    explicit LiveSocket(int descriptor) : m_descriptor{descriptor} {}
    LiveSocket(LiveSocket&& other) noexcept : m_descriptor{other.release()} {}
    LiveSocket& operator=(LiveSocket&& other) noexcept;
    ~LiveSocket();

    int get() const { return m_descriptor; }

private:
    int release();

    int m_descriptor = -1;
};

class RelayGuard {
public:
    /// Connects to the relay daemon of net://HOST[:PORT]/... .
    static Expected<std::unique_ptr<RelayGuard>> start(const std::string& address);
    RelayGuard(const RelayGuard&) = delete;
    RelayGuard& operator=(const RelayGuard&) = delete;
    ~RelayGuard();

    /// Where the source finds the session instead.
    const std::string& address() const { return m_address; }
    /// What the source's error comes from, when that is known here, in words of the true address.
    Error explain(Error error) const;

private:
    using Clock = std::chrono::steady_clock;

    RelayGuard() = default;

    Expected<void> listen(const std::string& path);
    Expected<void> connect(const std::string& host, const std::string& port);
    void serve();
    bool accept();
    Expected<void> serve_command();
    Expected<std::string> receive(int from, std::size_t length);
    Expected<void> wait_until_ready(int socket, short events, bool is_answer);
    Expected<void> send(int to, std::string_view bytes);
    Expected<void> check_interruption(bool is_told);

    std::string m_true_address;
    std::string m_address;
    LiveSocket m_stop; // readable when this ends
    LiveSocket m_listener;
    LiveSocket m_source;
    LiveSocket m_relay;
    LiveProtocol m_protocol;
    std::optional<Clock::time_point> m_interrupted;
    mutable std::mutex m_mutex;
    std::optional<Error> m_problem;
    std::thread m_thread;
};

} // namespace lttng_gpu::trace
