// SPDX-License-Identifier: MIT
//
// See record.hpp.
#include "record.hpp"

#include "recording.hpp"
#include "recovery.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <iostream>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

constexpr int exit_bad_arguments = 2;

/// ./lttng-gpu-20260131-235959, with a number when that is taken.
fs::path free_name()
{
    const std::time_t seconds = std::time(nullptr);
    std::tm local{};
    localtime_r(&seconds, &local);
    char text[32];
    std::strftime(text, sizeof text, "lttng-gpu-%Y%m%d-%H%M%S", &local);
    fs::path name{text};
    std::error_code ignored;
    for (int number = 2; fs::exists(name, ignored); ++number) {
        name = fmt::format("{}-{}", text, number);
    }
    return name;
}

/// LTTng makes folders also when nothing comes to be in them.
bool has_trace(const fs::path& folder)
{
    std::error_code error;
    for (fs::recursive_directory_iterator entry{folder, error}, end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename() == "metadata") {
            return true;
        }
    }
    return false;
}

/// What the command may have put there stays.
void remove_empty_folders(const fs::path& folder)
{
    std::error_code error;
    for (const auto& entry : fs::directory_iterator{folder, error}) {
        if (entry.is_directory(error) && !entry.is_symlink(error)) {
            remove_empty_folders(entry.path());
        }
    }
    fs::remove(folder, error); // not if there is something in it
}

/// The folder of the trace, made if need be; it goes again if nothing gets into it.
class Folder {
public:
    static Expected<Folder> make(const RecordOptions& options)
    {
        const fs::path shown = options.folder.empty() ? free_name() : options.folder;
        std::error_code error;
        const bool is_there = fs::exists(shown, error);
        if (is_there && (!fs::is_directory(shown, error) || !fs::is_empty(shown, error) || error)) {
            return Failure{
                {ErrorKind::BadArguments,
                 fmt::format("{} is not an empty folder; choose another with -o", shown.string())}};
        }
        if (!is_there && !options.is_dry_run) {
            fs::create_directories(shown, error);
            if (error) {
                return Failure{
                    {ErrorKind::BadArguments,
                     fmt::format("{} cannot be made: {}", shown.string(), error.message())}};
            }
        }
        return Folder{shown, is_there || options.is_dry_run};
    }

    Folder(Folder&& other) noexcept
        : x_shown{std::move(other.x_shown)}, x_path{std::move(other.x_path)}, x_stays{std::exchange(
                                                                                  other.x_stays,
                                                                                  true)}
    {
    }
    Folder& operator=(Folder&&) = delete;
    ~Folder()
    {
        if (!x_stays && !has_trace(x_path)) {
            remove_empty_folders(x_path);
        }
    }

    const fs::path& shown() const { return x_shown; }
    const fs::path& path() const { return x_path; }

private:
    Folder(fs::path shown, bool stays)
        : x_shown{std::move(shown)}, x_path{fs::absolute(x_shown).lexically_normal()}, x_stays{
                                                                                           stays}
    {
    }

    fs::path x_shown;
    fs::path x_path;
    bool x_stays;
};

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

int run_recovery(Tool& tool)
{
    const Notes notes{Notes::default_folder()};
    std::error_code ignored;
    if (!fs::exists(notes.folder(), ignored)) {
        tool.narrator().note("nothing to clean up");
        return 0;
    }
    const auto lock = notes.lock();
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

struct Recorded {
    int code = 0;
    bool is_begun = true;
    bool is_complete = true;
    std::vector<Snapshot> snapshots;
};

Recorded run_recording(const RecordOptions& options, const fs::path& folder, Tool& tool)
{
    Signals signals;
    Recording recording{options, folder, tool};
    if (const auto begun = recording.begin(); !begun) {
        tool.narrator().note(begun.error().message);
        recording.end();
        return {exit_not_recorded, false, false, {}};
    }
    Recorded recorded;
    recorded.code = recording.run_command(signals);
    recorded.is_complete = recording.end();
    recorded.snapshots = recording.snapshots();
    return recorded;
}

/// The command's standard output is not ours to write to: it may be a file or a pipe that
/// wants the command's words only. So the report goes elsewhere, unless that is asked for.
class RedirectedOutput {
public:
    explicit RedirectedOutput(int target) : x_earlier{fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)}
    {
        std::fflush(stdout);
        dup2(target, STDOUT_FILENO);
    }
    RedirectedOutput(const RedirectedOutput&) = delete;
    RedirectedOutput& operator=(const RedirectedOutput&) = delete;
    ~RedirectedOutput()
    {
        std::fflush(stdout);
        dup2(x_earlier.get(), STDOUT_FILENO);
    }

private:
    Descriptor x_earlier;
};

/// Opened before anything is recorded, so that a wrong name costs nothing.
Expected<Descriptor> open_report(const RecordOptions& options)
{
    if (options.report_file.empty() || options.report_file == "-" || options.is_dry_run) {
        return Descriptor{
            fcntl(options.report_file == "-" ? STDOUT_FILENO : STDERR_FILENO, F_DUPFD_CLOEXEC, 3)};
    }
    Descriptor file{
        open(options.report_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (!file) {
        return Failure{
            {ErrorKind::BadArguments,
             fmt::format("{} cannot be written: {}", options.report_file, std::strerror(errno))}};
    }
    return file;
}

void show(const RecordOptions& options, const Folder& folder, const Recorded& recorded,
          const Reporter& report, Narrator& narrator)
{
    if (!options.is_flight_recorder) {
        if (!has_trace(folder.path())) {
            narrator.note("nothing was recorded: no program with events ran meanwhile");
            return;
        }
        narrator.note("the trace is in " + folder.shown().string());
        if (options.has_report) {
            report(folder.path());
        }
        return;
    }
    if (recorded.snapshots.empty()) {
        narrator.note("no snapshot was taken");
    }
    for (const Snapshot& snapshot : recorded.snapshots) {
        narrator.note(fmt::format("snapshot {} ({}) is in {}", snapshot.name, snapshot.reason,
                                  (folder.shown() / snapshot.name).string()));
        if (options.has_report && has_trace(snapshot.folder)) {
            report(snapshot.folder);
        }
    }
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
    if (options.is_recovery) {
        return run_recovery(tool);
    }
    const auto report_file = open_report(options);
    if (!report_file) {
        narrator.note(report_file.error().message);
        return exit_bad_arguments;
    }
    const auto folder = Folder::make(options);
    if (!folder) {
        narrator.note(folder.error().message);
        return exit_bad_arguments;
    }
    const Recorded recorded = run_recording(options, folder->path(), tool);
    if (!options.is_dry_run && recorded.is_begun) {
        const RedirectedOutput redirected{report_file->get()};
        show(options, *folder, recorded, report, narrator);
    }
    return recorded.is_complete ? recorded.code : exit_not_recorded;
}

} // namespace lttng_gpu::record
