// SPDX-License-Identifier: MIT
//
// Lets a command that is writing tidy up before Ctrl-C, SIGTERM or SIGHUP ends the
// process: the signal is only noted, and sent again when the command has cleaned up.
#pragma once

#include "../correlate/base/expected.hpp"

#include <array>
#include <csignal>

namespace lttng_gpu::exporting {

/// At most one at a time in a process, made before all that is to be tidied up.
class Interruption {
public:
    Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    /// Ends the process if a signal requested it.
    ~Interruption();

    bool is_requested() const;

private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

    std::array<struct sigaction, signals.size()> x_before{};
};

/// The error of a command that a signal ended.
Failure interrupted();

} // namespace lttng_gpu::exporting
