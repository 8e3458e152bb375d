// SPDX-License-Identifier: MIT
//
// See record.hpp.
#include "record.hpp"

#include "folder.hpp"
#include "lttng_home.hpp"
#include "recording.hpp"
#include "recovery.hpp"
#include "report_process.hpp"
#include "suspension.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <iostream>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

constexpr int exit_bad_arguments = 2;

/// What must be there before anything is changed; the exit code when it is not.
std::optional<int> find_obstacle(const RecordOptions& options, Narrator& narrator)
{
    int code = 0;
    for (const char* program : {"lttng", "lttng-sessiond"}) {
        if (find_program(program, code).empty()) {
            narrator.note(std::string{program} +
                          " is not installed → apt-get install lttng-tools (lttng-gpu doctor says "
                          "what else is missing)");
            return exit_not_recorded;
        }
    }
    if (!options.is_recovery && find_program(options.command[0], code).empty()) {
        narrator.note(options.command[0] +
                      (code == 127 ? ": command not found" : ": permission denied"));
        return code;
    }
    return {};
}

int recover_noted(Tool& tool)
{
    const Notes notes{Notes::default_folder()};
    std::error_code ignored;
    if (!fs::exists(notes.folder(), ignored)) {
        tool.narrator().note("nothing to clean up");
        return 0;
    }
    const auto lock =
        notes.lock([&, is_awaited = tool.waiting_for("another recording that begins or ends")] {
            return is_awaited() && !tool.is_interrupted();
        });
    if (!lock) {
        tool.narrator().note(lock.error().message);
        return exit_not_recorded;
    }
    if (recover(tool, notes) == 0) {
        tool.narrator().note("nothing to clean up");
    }
    notes.remove_if_empty();
    return 0;
}

int run_recovery(Tool& tool)
{
    Signals signals;
    int ended_by = 0;
    tool.set_interruption([&signals, &ended_by] {
        while (const auto caught = signals.wait({})) {
            const bool is_end = caught->number != SIGCHLD && caught->number != SIGUSR1;
            ended_by = is_end ? caught->number : ended_by;
        }
        return ended_by != 0;
    });
    const int code = recover_noted(tool);
    tool.set_interruption(nullptr);
    return ended_by != 0 ? 128 + ended_by : code;
}

struct Recorded {
    int code = 0;
    bool is_complete = true;
    std::vector<Snapshot> snapshots;
    std::chrono::nanoseconds suspended{0};
};

/// The command's standard output is not ours to write to: it may be a file or a pipe that
/// wants the command's words only. So the report goes elsewhere, unless that is asked for.
class RedirectedOutput {
public:
    /// A file of reports loses what was in it.
    RedirectedOutput(int target, bool is_file) : m_earlier{fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)}
    {
        std::fflush(stdout);
        if (is_file) {
            [[maybe_unused]] const int result = ftruncate(target, 0); // pipes have nothing to lose
        }
        dup2(target, STDOUT_FILENO);
    }
    RedirectedOutput(const RedirectedOutput&) = delete;
    RedirectedOutput& operator=(const RedirectedOutput&) = delete;
    ~RedirectedOutput()
    {
        std::fflush(stdout);
        dup2(m_earlier.get(), STDOUT_FILENO);
    }

private:
    Descriptor m_earlier;
};

bool is_file(const RecordOptions& options)
{
    return !options.report_file.empty() && options.report_file != "-";
}

/// Opened before anything is recorded, so that a wrong name costs nothing. An earlier report
/// stays in it until there is something to write. It is the user's own, and root follows no path
/// that the user could change.
Expected<Descriptor> open_report(const RecordOptions& options, const std::optional<User>& user,
                                 const Folder& folder)
{
    if (!is_file(options) || options.is_dry_run) {
        return Descriptor{
            fcntl(options.report_file == "-" ? STDOUT_FILENO : STDERR_FILENO, F_DUPFD_CLOEXEC, 3)};
    }
    constexpr int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    const fs::path path = fs::absolute(options.report_file).lexically_normal();
    const fs::path inside = path.lexically_relative(folder.path());
    const bool is_inside = !inside.empty() && *inside.begin() != "..";
    Descriptor file;
    if (user && is_inside) {
        // The folder is root's for now, and there is nothing in it.
        file = Descriptor{open((folder.place() / inside).c_str(), flags | O_EXCL, 0666)};
    } else {
        file = user ? user->open_as(path, flags) : Descriptor{open(path.c_str(), flags, 0666)};
    }
    if (!file) {
        return Failure{{ErrorKind::BadArguments,
                        fmt::format("{} cannot be written{}: {}", options.report_file,
                                    user ? " by " + user->name : "", std::strerror(errno))}};
    }
    return file;
}

/// Says what there is; returns those traces of which there is something to report, from the folder
/// of the recording on.
std::vector<RecordedTrace> tell_what_was_recorded(const RecordOptions& options,
                                                  const Folder& folder, const Recorded& recorded,
                                                  Narrator& narrator)
{
    if (const std::string note = suspension_note(recorded.suspended); !note.empty()) {
        narrator.note(note);
    }
    if (folder.is_removed()) {
        narrator.note("the folder was removed while it was recorded: there is no trace");
        return {};
    }
    const fs::path shown = folder.shown();
    if (!folder.is_in_place()) {
        narrator.note("the folder was moved while it was recorded; it is " + shown.string());
    }
    if (!options.is_flight_recorder) {
        if (!has_trace(folder.place())) {
            narrator.note("nothing was recorded: no program with events ran");
            return {};
        }
        narrator.note("the trace is in " + shown.string());
        return {{"", ""}};
    }
    if (recorded.snapshots.empty()) {
        narrator.note("no snapshot was taken");
    }
    std::vector<RecordedTrace> traces;
    for (const Snapshot& snapshot : recorded.snapshots) {
        narrator.note(fmt::format("snapshot {} ({}) is in {}", snapshot.name, snapshot.reason,
                                  (shown / snapshot.folder.filename()).string()));
        if (has_trace(snapshot.folder)) {
            traces.push_back({snapshot.folder.filename(),
                              fmt::format("snapshot {}: {}", snapshot.name, snapshot.reason)});
        }
    }
    return traces;
}

/// What a recording is made with and shown by.
struct Environment {
    const RecordOptions& options;
    const std::optional<User>& user;
    Folder& folder;
    const Descriptor& report_file;
    const Reporter& report;
    Tool& tool;
};

/// In a process of its own, which is the user's.
void report_all(const Environment& with, std::vector<RecordedTrace> traces)
{
    fs::path folder = with.folder.path();
    if (!with.folder.is_in_place()) {
        folder = ".";
        if (!with.folder.enter()) {
            return;
        }
    }
    const RedirectedOutput redirected{with.report_file.get(), is_file(with.options)};
    for (RecordedTrace& trace : traces) {
        trace.place = trace.place.empty() ? folder : folder / trace.place;
    }
    with.report(traces);
}

/// The trace is as it stays.
void show(const Environment& with, const Recorded& recorded, const EarlierSignals& signals,
          ReportProcess& process)
{
    if (with.options.is_dry_run) {
        return;
    }
    Narrator& narrator = with.tool.narrator();
    const auto traces = tell_what_was_recorded(with.options, with.folder, recorded, narrator);
    if (with.user) {
        with.folder.settle();
    }
    if (!with.options.has_report || traces.empty()) {
        return;
    }
    process.start(signals, with.user, [&] { report_all(with, traces); });
    if (!is_file(with.options)) {
        narrator.hold_while([&process] { return !process.is_over(); });
    }
}

Recorded run_recording(const Environment& with, ReportProcess& process)
{
    Signals signals;
    Recording recording{with.options, with.user, with.folder, with.tool};
    if (const auto begun = recording.begin(signals); !begun) {
        with.tool.narrator().note(begun.error().message);
        recording.end();
        const int signal = recording.ended_by();
        return {signal != 0 ? 128 + signal : exit_not_recorded, signal != 0, {}, {}};
    }
    Recorded recorded;
    const auto suspended_before = time_suspended();
    recorded.code = recording.run_command(signals);
    recording.finish_trace();
    recorded.suspended = time_suspended() - suspended_before;
    recorded.snapshots = recording.snapshots();
    show(with, recorded, signals.earlier(), process);
    recorded.is_complete = recording.end([&process] { return !process.is_over(); });
    return recorded;
}

} // namespace

int record(const RecordOptions& options, const Reporter& report, std::ostream& output,
           std::ostream& errors)
{
    Narrator narrator{errors, output, options.is_verbose, options.is_dry_run};
    Tool tool{narrator};
    if (const auto obstacle = find_obstacle(options, narrator)) {
        return *obstacle;
    }
    if (const auto home = ensure_writable_home(narrator); !home) {
        narrator.note(home.error().message);
        return exit_not_recorded;
    }
    if (options.is_recovery) {
        return run_recovery(tool);
    }
    const auto refuse = [&](const Error& error) {
        narrator.note(error.message);
        return exit_bad_arguments;
    };
    const auto user = user_of_command(options.user);
    if (!user) {
        return refuse(user.error());
    }
    auto folder = Folder::make(options.folder, options.is_dry_run, *user);
    if (!folder) {
        return refuse(folder.error());
    }
    if (folder->place() != folder->path()) {
        narrator.set_name(folder->place().string(), folder->path().string());
    }
    const auto report_file = open_report(options, *user, *folder);
    if (!report_file) {
        return refuse(report_file.error());
    }
    if (*user && options.user.empty()) {
        narrator.comment(fmt::format("the command runs as {}, who called for root, and the "
                                     "recording is theirs; as root: --user root",
                                     (*user)->name));
    }
    ReportProcess process;
    const Recorded recorded =
        run_recording({options, *user, *folder, *report_file, report, tool}, process);
    process.wait();
    narrator.release();
    return recorded.is_complete ? recorded.code : exit_not_recorded;
}

} // namespace lttng_gpu::record
