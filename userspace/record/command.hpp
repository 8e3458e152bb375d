// SPDX-License-Identifier: MIT
//
// The recorded command: a child in the process group of record, with the same terminal
// and files, so that it can read and write and Ctrl-C and Ctrl-Z reach it as without
// record. It gets the signal settings from before record changed them.
#pragma once

#include "api_layers.hpp"
#include "signals.hpp"
#include "tool.hpp"
#include "user.hpp"

#include <optional>
#include <sys/types.h>

namespace lttng_gpu::record {

class Command {
public:
    /// As `user`, if there is one. An error means that it could not be started; `code` is then 126
    /// or 127.
    static Expected<Command> start(const std::vector<std::string>& words,
                                   const std::vector<Setting>& settings,
                                   const EarlierSignals& earlier, const std::optional<User>& user,
                                   int& code);

    pid_t pid() const { return x_pid; }
    /// Its exit code, 128 + number when a signal ended it; empty while it runs.
    std::optional<int> poll();
    void send(int signal) const { kill(x_pid, signal); }

private:
    explicit Command(pid_t pid) : x_pid{pid} {}

    pid_t x_pid;
    std::optional<int> x_code;
};

} // namespace lttng_gpu::record
