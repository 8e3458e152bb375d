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
        /// reported. A second signal ends the program, as does one while what is being read does
        /// not answer for 2 s. SIGHUP ends it at once. Uses SIGALRM.
        StopReading,
        /// A command that writes removes what is not finished; then the signal is sent again.
        TidyUp,
    };

    explicit Interruption(Purpose purpose);
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;
    /// Ends the process if a signal requested it and the purpose is to tidy up.
    ~Interruption();

    /// Whoever reads asks this again and again: when a signal has come and nobody asks, what is
    /// read does not answer.
    bool is_requested() const;
    /// The user is told when, after this, nothing is asked for 2 s; `has_answered`: no longer.
    void tell_if_silent(bool has_answered);

private:
    static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

    bool takes(int number) const { return x_purpose == Purpose::TidyUp || number != SIGHUP; }

    Purpose x_purpose;
    bool x_has_answered = false;
    struct sigaction x_alarm_before {};
    std::array<struct sigaction, signals.size()> x_before{};
};

/// The error of a command that a signal ended.
Failure interrupted();

} // namespace lttng_gpu
