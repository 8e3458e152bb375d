// SPDX-License-Identifier: MIT
//
// Runs the programs that record drives (lttng, modprobe, ...) and returns what
// they wrote. They run in a session of their own: Ctrl-C on the terminal is for the
// recorded command, and must not end `lttng destroy` half-way.
#pragma once

#include "../correlate/base/expected.hpp"
#include "narrator.hpp"

#include <chrono>
#include <functional>

namespace lttng_gpu::record {

struct Finished {
    int code = 0; // 128 + number when a signal ended it
    std::string output;
    std::string errors;

    /// The last line that is not empty, for a message.
    std::string last_error_line() const;
};

class Tool {
public:
    explicit Tool(Narrator& narrator) : m_narrator{narrator} {}

    /// Changes something: shown when asked for, and not done in a dry run, where it
    /// succeeds without output.
    Expected<Finished> run(const std::vector<std::string>& words);
    /// As run(), and an exit code that is not 0 is an error which says what failed.
    Expected<Finished> must(const std::vector<std::string>& words);
    /// As must(), for what may wait without end: `goes_on` is called several times a second, and
    /// when it returns false the program is killed, which is an error.
    Expected<Finished> must_while(const std::vector<std::string>& words,
                                  const std::function<bool()>& goes_on);
    /// Changes nothing: also done in a dry run, and never shown.
    Expected<Finished> ask(const std::vector<std::string>& words);
    /// To be called several times a second while something is waited for: after two seconds it
    /// says what, and returns false when the waiting is to end.
    std::function<bool()> waiting_for(const std::string& what);

    Narrator& narrator() { return m_narrator; }
    /// Asked while something is waited for. True ends what has taken two seconds.
    void set_interruption(std::function<bool()> is_interrupted)
    {
        m_is_interrupted = std::move(is_interrupted);
    }

    bool is_interrupted() const { return m_is_interrupted && m_is_interrupted(); }

private:
    std::function<bool()> waiting_for(const std::vector<std::string>& words);

    Narrator& m_narrator;
    std::function<bool()> m_is_interrupted;
};

inline Failure failed(std::string message)
{
    return Failure{{ErrorKind::Output, std::move(message)}};
}

/// Waits until a process has ended; false when it has not after that time.
bool await_end(int pid_descriptor, std::chrono::milliseconds most);

/// The program that this name runs, looked up as execvp does; empty: none. `code` becomes
/// 127 when there is none and 126 when it may not be executed.
std::string find_program(const std::string& name, int& code);

} // namespace lttng_gpu::record
