// SPDX-License-Identifier: MIT
//
// When a program learned that a job of one of its calls had ended: a call that waited for it
// returned. Waits that name their commands (named_waits.hpp) tell it of these, also where they
// began when the command had ended. Of other commands, and of jobs of the kernel, it is the first
// wait of the process that was under way at the end, as for frames: inferred. What no wait tells is
// unknown.
#pragma once

#include "caller_match.hpp"
#include "frame_gpu.hpp"

#include <map>

namespace lttng_gpu::model {

/// The program, with the APIs that it uses.
struct ProgramKey {
    TraceId trace;
    std::uint32_t pid_ns = 0;
    std::int64_t pid = -1;

    friend auto operator<=>(const ProgramKey&, const ProgramKey&) = default;
};

enum class WaitKind : std::uint8_t {
    Unnamed,  // nothing tells for what it was
    Named,    // on_queue_wait() and on_command_wait() tell it
    Blocking, // a command of which the call is, and which on_command_wait() tells
};

class CompletionNotices {
public:
    explicit CompletionNotices(JobSink& sink) : m_sink{sink} {}

    /// A call that waited returned.
    void on_wait(const ProgramKey& program, const TimeSpan& wait, WaitKind kind);
    /// All commands of the queue up to that number had ended then.
    void on_queue_wait(const ProgramKey& program, unsigned queue, std::uint64_t newest,
                       Timestamp end);
    /// That command had.
    void on_command_wait(const ProgramKey& program, unsigned queue, std::uint64_t command,
                         Timestamp end);
    /// A command whose times are known. Nothing is told of one without an end.
    void on_command(const ProgramKey& program, unsigned queue, std::uint64_t command,
                    const Job& job);
    /// A job of the kernel's drivers, and who made its call.
    void on_job(const Caller& caller, const Job& job);

private:
    static constexpr std::size_t most_ended = 4096; // of a program, or of one of its queues
    static constexpr std::size_t most_waits = 1024; // of a queue

    struct Ended {
        std::uint64_t command = 0; // 0: a job of the kernel's
        unsigned queue = 0;
        CompletionNotice end; // when it was learned is not known yet
        Duration error{};
    };
    struct QueueWait {
        std::uint64_t newest;
        Timestamp end;
    };
    struct Queue {
        std::deque<QueueWait> waits;                 // both ascend
        std::map<std::uint64_t, Timestamp> commands; // waited for one by one
        std::deque<Ended> ended;                     // not learned yet, by number
    };
    struct Program {
        ProgramWaits waits;         // all of them
        ProgramWaits unnamed_waits; // that may have been for any command
        std::deque<Ended> ended;    // not learned yet, by their ends
        bool names_commands = false;
        std::map<unsigned, Queue> queues;
    };

    void tell(const Ended& ended, Timestamp learned);
    void add(Program& program, const Ended& ended);
    bool tell_single(Queue& queue, const Ended& ended);
    void add_to_queue(Queue& queue, const Ended& ended);
    void begin_names(Program& program);

    JobSink& m_sink;
    std::map<ProgramKey, Program> m_programs;
};

} // namespace lttng_gpu::model
