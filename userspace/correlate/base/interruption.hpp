// SPDX-License-Identifier: MIT
//
// Ctrl-C, SIGTERM and SIGHUP are only noted while this lives, so that a command can end
// in order. (`record` is another case: it waits for signals, see record/signals.hpp.)
#pragma once

#include "expected.hpp"

#include <array>
#include <csignal>

namespace lttng_gpu {

/// At most one at a time in a process, made before all that is to be tidied up.
class Interruption {
public:
    enum class Purpose {
        /// What is being recorded has no end of its own: reading stops, and what was read is
        /// reported. A second signal ends the program. SIGHUP ends it at once.
        StopReading,
        /// A command that writes removes what is not finished; then the signal is sent again.
        TidyUp,
    };

    explicit Interruption(Purpose purpose);
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    /// Ends the process if a signal requested it and the purpose is to tidy up.
    ~Interruption();

    bool is_requested() const { return has_come(); }
    /// The same for who does not have it, on any thread: a signal that is noted has come.
    static bool has_come();

private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

    bool takes(int number) const { return m_purpose == Purpose::TidyUp || number != SIGHUP; }

    Purpose m_purpose;
    std::array<struct sigaction, signals.size()> m_before{};
};

/// The error of a command that a signal ended.
Failure interrupted();

} // namespace lttng_gpu
