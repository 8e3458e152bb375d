// SPDX-License-Identifier: MIT
//
// See interruption.hpp. A signal handler reaches nothing but what is global.
#include "interruption.hpp"

#include <string_view>
#include <unistd.h>

namespace lttng_gpu {
namespace {

volatile std::sig_atomic_t noted_signal = 0;

// In seconds. Who waits for another program is told of it by then, and does not wait for it longer
// than that when a signal has come.
constexpr unsigned most_in_silence = 2;
constexpr int exit_unreadable_trace = 3;

void note(int number)
{
    noted_signal = number;
}

void note_and_wait(int number)
{
    note(number);
    ::alarm(most_in_silence);
}

void write_line(std::string_view text)
{
    // Nothing can be done if that fails.
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) {
        return;
    }
}

/// babeltrace2's lttng-live source goes on waiting for the relay daemon when a signal comes.
void no_answer(int)
{
    if (noted_signal == 0) {
        write_line("lttng-gpu: waiting for an answer of the relay daemon\n");
        return;
    }
    write_line("lttng-gpu: interrupted; the relay daemon does not answer\n");
    ::_exit(exit_unreadable_trace);
}

} // namespace

Interruption::Interruption(Purpose purpose) : x_purpose{purpose}
{
    noted_signal = 0;
    struct sigaction action {};
    ::sigemptyset(&action.sa_mask);
    if (purpose == Purpose::StopReading) {
        action.sa_handler = no_answer;
        ::sigaction(SIGALRM, &action, &x_alarm_before);
        action.sa_handler = note_and_wait;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
    } else {
        action.sa_handler = note;
    }
    for (std::size_t index = 0; index < signals.size(); ++index) {
        ::sigaction(signals[index], nullptr, &x_before[index]);
        if (takes(signals[index]) && x_before[index].sa_handler != SIG_IGN) { // nohup
            ::sigaction(signals[index], &action, nullptr);
        }
    }
}

Interruption::~Interruption()
{
    if (x_purpose == Purpose::StopReading) {
        ::alarm(0);
        ::sigaction(SIGALRM, &x_alarm_before, nullptr);
    }
    for (std::size_t index = 0; index < signals.size(); ++index) {
        ::sigaction(signals[index], &x_before[index], nullptr);
    }
    if (x_purpose == Purpose::TidyUp && noted_signal != 0) {
        static_cast<void>(std::raise(noted_signal));
    }
}

bool Interruption::is_requested() const
{
    if (x_purpose == Purpose::StopReading && noted_signal != 0) {
        ::alarm(0);
    }
    return noted_signal != 0;
}

void Interruption::tell_if_silent(bool has_answered)
{
    if (!x_has_answered) {
        x_has_answered = has_answered;
        ::alarm(has_answered ? 0 : most_in_silence);
    }
}

Failure interrupted()
{
    return Failure{{ErrorKind::Output, "interrupted; nothing was written"}};
}

} // namespace lttng_gpu
