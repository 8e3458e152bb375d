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
    int ended_by() const { return m_ended_by; }
    /// Runs the command until it ends or a signal ends the recording; its exit code, or 126 or
    /// 127 with a message when it cannot be run.
    int run_command(Signals& signals);
    /// After it the trace, or the snapshots, are as they stay.
    void finish_trace();
    /// Undoes everything. Returns false when the trace is not complete, or something is left; a
    /// note said why. While the report `is_printing`, Ctrl-C is for it.
    bool end(const std::function<bool()>& is_printing = nullptr);

    const std::vector<Snapshot>& snapshots() const { return m_flight_recorder->snapshots(); }

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

    const RecordOptions& m_options;
    const std::optional<User>& m_user;
    const Folder& m_where;
    std::filesystem::path m_folder; // its place
    Tool& m_tool;
    Notes m_notes;
    int m_pid;
    std::string m_session;
    std::vector<SessionPlan> m_sessions; // that were begun and not ended
    SharedBuffers m_buffers;
    DiskSpace m_disk;
    DaemonWatch m_daemons;
    std::string m_fault;          // why the sessions ended before the command; empty: they did not
    bool m_is_incomplete = false; // a session could not be ended as it should
    bool m_is_stuck = false;      // see end_session()
    Signals* m_signals = nullptr; // from begin() on
    bool m_is_begun = false;
    bool m_is_trace_finished = false;
    std::unique_ptr<FlightRecorder> m_flight_recorder;
    std::unique_ptr<Watch> m_watch;
    std::unique_ptr<CounterSampler> m_counters;
    std::optional<std::chrono::steady_clock::time_point> m_grace_period_end;
    int m_ended_by = 0;                  // signal
    bool m_is_in_hurry = false;          // a signal came while no command ran
    bool m_is_wait_ended = false;        // by a signal that came since the command was looked at
    bool m_is_requested = false;         // a snapshot
    std::function<bool()> m_is_printing; // the report
    bool m_was_printing = false;         // at the last look
};

} // namespace lttng_gpu::record
