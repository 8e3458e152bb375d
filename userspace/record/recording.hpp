// SPDX-License-Identifier: MIT
//
// One recording from start to end: daemon, probes, sessions, the command. Everything is
// undone in reverse order, even when a step fails.
#pragma once

#include "command.hpp"
#include "counter_sampler.hpp"
#include "daemon_watch.hpp"
#include "disk_space.hpp"
#include "flight_recorder.hpp"
#include "notes.hpp"
#include "session.hpp"
#include "session_end.hpp"
#include "shared_buffers.hpp"
#include "signals.hpp"
#include "watch.hpp"

#include <memory>

namespace lttng_gpu::record {

class Recording {
public:
    /// `user` runs the command.
    Recording(const RecordOptions& options, const std::optional<User>& user, const Folder& folder,
              Tool& tool);
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    ~Recording();

    /// Everything up to sessions that record. Handles only signals that end it.
    Expected<void> begin(Signals& signals);
    /// The signal that ended it; 0: none.
    int ended_by() const { return x_ended_by; }
    /// Runs the command until it ends or a signal ends the recording; its exit code, or 126 or
    /// 127 with a message when it cannot be run.
    int run_command(Signals& signals);
    /// After it the trace, or the snapshots, are as they stay.
    void finish_trace();
    /// Undoes everything. Returns false when the trace is not complete, or something is left; a
    /// note said why. While the report `is_printing`, Ctrl-C is for it.
    bool end(const std::function<bool()>& is_printing = nullptr);

    const std::vector<Snapshot>& snapshots() const { return x_flight_recorder->snapshots(); }

private:
    bool is_ended(Signals& signals);
    Expected<bool> prepare_kernel();
    Expected<void> begin_sessions(bool has_kernel);
    Expected<void> begin_one(const SessionPlan& plan);
    Expected<void> begin_watch(bool has_kernel, const Memory& memory);
    void show_command(const std::vector<Setting>& settings);
    std::vector<ApiLayer> layers_for_command();
    std::vector<Setting> settings();
    int attend(Command& command, Signals& signals);
    std::chrono::milliseconds time_to_next_look() const;
    bool is_watching() const;
    void end_if_broken();
    void answer(const ReceivedSignal& caught, Command& command);
    void answer_late(Signals& signals);
    void answer_request();
    void look_for_late_jobs();
    void begin_counters();
    void end_counters();
    void report_watch_statistics();
    void listen_to(Signals* signals);
    void listen_for(Command& command, Signals& signals);
    bool is_grace_period_over() const;
    Expected<SessionEnd> end_one(const SessionPlan& session);
    void end_sessions();
    void tell_fault_at_end(const std::string& fault);
    void note_early_end();

    const RecordOptions& x_options;
    const std::optional<User>& x_user;
    const Folder& x_where;
    std::filesystem::path x_folder; // its place
    Tool& x_tool;
    Notes x_notes;
    int x_pid;
    std::string x_session;
    std::vector<SessionPlan> x_sessions; // that were begun and not ended
    SharedBuffers x_buffers;
    DiskSpace x_disk;
    DaemonWatch x_daemons;
    std::string x_fault;          // why the sessions ended before the command; empty: they did not
    bool x_is_incomplete = false; // a session could not be ended as it should
    bool x_is_stuck = false;      // see end_session()
    Signals* x_signals = nullptr; // from begin() on
    bool x_is_begun = false;
    bool x_is_trace_finished = false;
    std::unique_ptr<FlightRecorder> x_flight_recorder;
    std::unique_ptr<Watch> x_watch;
    std::unique_ptr<CounterSampler> x_counters;
    std::optional<std::chrono::steady_clock::time_point> x_grace_period_end;
    int x_ended_by = 0;                  // signal
    bool x_is_in_hurry = false;          // a signal came while no command ran
    bool x_is_wait_ended = false;        // by a signal that came since the command was looked at
    bool x_is_requested = false;         // a snapshot
    std::function<bool()> x_is_printing; // the report
    bool x_was_printing = false;         // at the last look
};

} // namespace lttng_gpu::record
