// SPDX-License-Identifier: MIT
//
// Commands of APIs become jobs. A command is open from its enqueueing until its
// times come, which may be much later and in any order; then its job goes to the
// rows. How many commands are open is bounded: a queue that never reports costs
// its jobs their times and places, not memory.
#pragma once

#include "../base/per_trace.hpp"
#include "../jobs/job_tracker.hpp"
#include "api_objects.hpp"
#include "api_waits.hpp"
#include "call_deduplicator.hpp"
#include "call_names.hpp"
#include "command_dependencies.hpp"
#include "command_events.hpp"
#include "command_times.hpp"
#include "named_waits.hpp"
#include "row_merge.hpp"

#include <memory>
#include <set>

namespace lttng_gpu::model {

/// Of a call that is no command's.
struct CallReturned {
    Actor actor;
    Timestamp begin;
    Timestamp end;
    StringId call;
    bool is_wait = false;                     // it did nothing but wait for commands
    std::int32_t error = 0;                   // what it returned if it failed, else 0
    bool is_poll = false;                     // it only asks whether something is complete
    const AwaitedCommands* awaited = nullptr; // for which commands it waited; null: not told
};

class ApiJobs {
public:
    ApiJobs(RingTable& rings, AnomalyCounters& anomalies, JobTracker& tracker, DeviceClocks& clocks,
            RowMerge& rows, StringPool& strings, const trace::EnumerationTable& enumerations,
            const ActorOrigins& origins, Machines& machines);

    CallNames& names() { return m_names; }

    ApiObjects& objects(const ApiProcess& where) { return process(where).objects; }

    void on_enqueue(const ApiProcess& where, const CommandEnqueued& event);
    void on_times(const ApiProcess& where, const CommandReported& event);
    /// Times of so many commands of the queue will not come.
    void on_untimed(const ApiProcess& where, std::uint64_t queue, std::uint64_t count);
    /// What commands can wait for and no queue has: the program set it.
    void on_user_event(const ApiProcess& where, std::uint64_t command, Timestamp set);
    void on_device_clock(const ApiProcess& where, std::uint64_t device, const ClockReading& reading,
                         Timestamp seen);
    void on_call(const ApiProcess& where, const CallReturned& event);
    /// A call that ends a frame.
    void on_frame(const ApiProcess& where, const Frame& frame);
    /// The frame of the context that has not ended had begun then, as far as frames tell.
    bool is_in_frame(const ApiProcess& where, std::uint64_t context, Timestamp time);
    void on_wakeup(const Actor& waker, Timestamp time, Tid woken)
    {
        m_calls.on_wakeup(waker, time, woken);
    }
    void on_ioctl(const Actor& actor, Timestamp begin, Timestamp end)
    {
        m_calls.on_ioctl(actor, begin, end);
    }
    void on_sleep(const Actor& actor, Timestamp time) { m_calls.on_sleep(actor, time); }
    SwitchHistory& switches() { return m_switches; }
    DebugGroups& groups() { return m_groups; }
    const ActorOrigins& origins() const { return m_origins; }
    void on_call_begin(const Actor& actor, Timestamp begin);
    void on_loss(TraceId trace, Timestamp end)
    {
        m_has_losses[trace] = true;
        m_switches.on_loss(trace, end);
        m_calls.on_loss(trace);
    }

    /// Hands on the rows that nothing can come before. To be called now and then with
    /// the time of the latest event, whosever it is.
    void release(Timestamp now);
    /// The trace is over, the tracker has finished.
    void finish();

private:
    /// Calls that are not told at their beginning do not take this long, as a rule: one that makes
    /// a driver submit, or compile, takes tens of milliseconds.
    static constexpr Duration longest_call{1'000'000'000};
    /// Who reads a trace while it grows does not wait longer for what never ends.
    static constexpr Duration longest_hold{10'000'000'000};
    static constexpr std::size_t most_open = 65536;
    static constexpr std::size_t most_done = 16384; // for wait lists
    static constexpr std::size_t most_waits_for = 64;
    static constexpr std::size_t most_calls_open = 4096;
    static constexpr std::size_t most_contexts = 4096;

    struct Command {
        CommandEnqueued enqueued;
        Job job;
        std::optional<CommandClock> clock; // with the device's times
        std::uint64_t place = 0;           // tells commands of equal begin apart
        unsigned queue = 0; // its number in the process; 0: it was not seen to be enqueued
        bool is_done = false;
    };
    struct Process {
        Process(RingTable& rings, const ApiProcess& process) : objects{rings, process}, id{process}
        {
        }

        ApiObjects objects;
        ApiProcess id;
        std::map<std::uint64_t, Command> commands;
        std::vector<QueueEnds> queues;                 // by their numbers
        std::uint64_t newest = 0;                      // the greatest number met, 0: none
        Timestamp newest_given;                        // not after that
        std::map<std::uint64_t, Timestamp> frame_ends; // the latest, by context

        QueueEnds& ends_of(unsigned queue)
        {
            if (queues.size() <= queue) {
                queues.resize(queue + std::size_t{1});
            }
            return queues[queue];
        }
    };
    struct Done {
        Process* process;
        std::uint64_t command;
    };
    struct Open {
        Timestamp begin;
        std::uint64_t place;
        Process* process;
        std::uint64_t command;

        friend bool operator<(const Open& left, const Open& right)
        {
            return left.begin != right.begin ? left.begin < right.begin : left.place < right.place;
        }
    };

    Process& process(const ApiProcess& where);
    void note_call(ReturnedCall call, bool is_enqueue, const SubmitDetail& detail = {});
    void find_successor(Process& process, const CommandEnqueued& event);
    static void note_number(Process& process, std::uint64_t command, Timestamp given);
    void give_up(Open open, Anomaly reason);
    void close(Process& process, Command& command);
    static KnownTime latest_end(const Job& job);
    void tell_execution(const Command& command);
    void tell_waits(Process& process, const Command& command);
    void note_done(Process& process, const Command& command);
    void tell_wait(Process& process, const ThreadOfSpace& thread, const Wait& wait,
                   const AwaitedCommands* awaited);
    void learn_of(const Process& process, const Command& command);
    void learn_from(Process& process, const CallReturned& call);
    static ProgramKey program_of(const Process& process)
    {
        return {process.id.trace, process.id.pid_ns, process.id.pid};
    }
    static std::optional<NamedWait> find_awaited(Process& process, const Wait& wait,
                                                 const AwaitedCommands& awaited);
    void remember_done(Process& process, std::uint64_t command);
    static FenceId fence_of(const Process& process, std::uint64_t command);
    static Timestamp begin_of(const Command& command);
    void erase_open(Process& process, const Command& command);

    RingTable& m_rings;
    AnomalyCounters& m_anomalies;
    JobTracker& m_tracker;
    DeviceClocks& m_clocks;
    RowMerge& m_rows;
    CommandTimes m_times;
    CommandDependencies m_dependencies;
    const ActorOrigins& m_origins;
    CallNames m_names;
    SwitchHistory m_switches;
    DebugGroups m_groups;
    CompletionNotices m_learned;
    ApiCalls m_calls;
    Frames m_frames;
    CallDeduplicator m_teller;
    std::map<ApiProcess, std::unique_ptr<Process>> m_processes;
    Process* m_last_process = nullptr;
    std::set<Open> m_open;
    std::deque<Done> m_done; // oldest first; of an earlier program with that pid, too
    std::map<ThreadOfSpace, Timestamp> m_calls_open;
    ApiWaits m_waits;
    NamedWaits m_named_waits;
    PerTrace<bool> m_has_losses;
    std::uint64_t m_places = 0;
};

} // namespace lttng_gpu::model
