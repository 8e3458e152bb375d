// SPDX-License-Identifier: MIT
//
// See session_daemon.hpp.
#include "session_daemon.hpp"

#include "kernel_side.hpp"

#include "lttng_home.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace {

constexpr std::chrono::seconds most_to_stop{60};
// A consumer daemon that waits for a stuck buffer does not end by itself; all it had is written.
constexpr std::chrono::milliseconds most_to_stop_when_stuck{100};
constexpr std::chrono::seconds most_to_stop_without_consumers{2};
// One that was killed keeps its memory and its sockets until each of its threads has had a
// processor once more, which takes seconds on a busy machine.
constexpr std::chrono::seconds most_to_die{30};
constexpr std::chrono::seconds most_without_writing{3};
constexpr std::chrono::milliseconds step{100};
// Of a session daemon of root's that nobody gave another place; see lttng-sessiond(8).
constexpr const char* root_pid_file = "/var/run/lttng/lttng-sessiond.pid";

/// 0: none, or what the file names is no session daemon any more.
int pid_in(const std::filesystem::path& path)
{
    std::ifstream file{path};
    int pid = 0;
    file >> pid;
    return pid > 0 && program_name(pid).starts_with("lttng-sessiond") ? pid : 0;
}

/// Of all of its threads.
std::vector<int> children_of(int process)
{
    std::vector<int> found;
    std::error_code error;
    const std::filesystem::path tasks = fmt::format("/proc/{}/task", process);
    for (const auto& task : std::filesystem::directory_iterator{tasks, error}) {
        std::ifstream file{task.path() / "children"};
        for (int pid = 0; file >> pid;) {
            found.push_back(pid);
        }
    }
    return found;
}

/// Whether these processes write to files.
class Writing {
public:
    explicit Writing(std::vector<int> processes) : m_processes{std::move(processes)} {}

    /// None has written a packet for a while, nor waits for a disk.
    bool has_ceased()
    {
        std::uint64_t bytes = 0;
        bool waits_for_disk = false;
        for (const int pid : m_processes) {
            bytes += written_by(pid);
            waits_for_disk = waits_for_disk || state_of(pid) == 'D';
        }
        if (bytes >= m_bytes + least_packet || waits_for_disk) {
            m_bytes = bytes;
            m_since = std::chrono::steady_clock::now();
        }
        return std::chrono::steady_clock::now() - m_since > most_without_writing;
    }

private:
    // A page. What they write to wake their threads is some bytes a second.
    static constexpr std::uint64_t least_packet = 4096;

    static std::uint64_t written_by(int pid)
    {
        std::ifstream file{fmt::format("/proc/{}/io", pid)};
        std::uint64_t bytes = 0;
        for (std::string name; file >> name >> bytes;) {
            if (name == "wchar:") {
                return bytes;
            }
        }
        return 0;
    }

    static char state_of(int pid)
    {
        std::ifstream file{fmt::format("/proc/{}/status", pid)};
        std::string word;
        while (file >> word && word != "State:") {
        }
        file >> word;
        return word.empty() ? 'X' : word.front();
    }

    std::vector<int> m_processes;
    std::uint64_t m_bytes = 0;
    std::chrono::steady_clock::time_point m_since = std::chrono::steady_clock::now();
};

Descriptor process_of(int pid)
{
    return Descriptor{static_cast<int>(syscall(SYS_pidfd_open, pid, 0))};
}

/// Until it has ended, or `goes_on` says no; the user is told when that takes long, and can end it.
bool await_daemon(Tool& tool, int pid, const Descriptor& process,
                  const std::function<bool(std::chrono::steady_clock::duration)>& goes_on)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto is_awaited =
        tool.waiting_for(fmt::format("the session daemon (process {}) to end", pid));
    while (!await_end(process.get(), step)) {
        if (!goes_on(std::chrono::steady_clock::now() - begin) || !is_awaited()) {
            return false;
        }
    }
    return true;
}

/// LTTng's consumer daemon may wait for buffers that a killed program left, without end.
bool has_stopped(Tool& tool, int pid, const Descriptor& process, bool is_stuck)
{
    Writing writing{consumers_of(pid)};
    return await_daemon(tool, pid, process, [&](std::chrono::steady_clock::duration waited) {
        return waited <= (is_stuck ? most_to_stop_when_stuck : most_to_stop) &&
               !writing.has_ceased();
    });
}

/// No session is left, so nothing is lost.
void kill_daemon(Tool& tool, int pid, const Descriptor& process, bool is_stuck)
{
    std::vector<Descriptor> children;
    std::ranges::transform(children_of(pid), std::back_inserter(children), process_of);
    for (const int consumer : consumers_of(pid)) {
        kill(consumer, SIGKILL);
    }
    // One that waits for a stuck session's buffers does not end without consumers either.
    if (!await_end(process.get(),
                   is_stuck ? most_to_stop_when_stuck : most_to_stop_without_consumers)) {
        kill(pid, SIGKILL);
    }
    const auto may_take = [](std::chrono::steady_clock::duration waited) {
        return waited <= most_to_die;
    };
    // Whoever records next, or counts what is left, must not find any of them.
    bool goes_on = await_daemon(tool, pid, process, may_take);
    for (const Descriptor& child : children) {
        goes_on = goes_on && (!child || await_daemon(tool, pid, child, may_take));
    }
}

} // namespace

std::string program_name(int pid)
{
    std::ifstream file{fmt::format("/proc/{}/comm", pid)};
    std::string name;
    std::getline(file, name);
    return name;
}

int pid_of_daemon(const Notes& notes)
{
    if (const int ours = pid_in(notes.daemon_pid_file()); ours != 0) {
        return ours;
    }
    const int own = geteuid() == 0 ? 0 : pid_in(lttng_home() / ".lttng/lttng-sessiond.pid");
    return own != 0 ? own : pid_in(root_pid_file);
}

std::vector<int> consumers_of(int daemon)
{
    std::vector<int> found = children_of(daemon);
    std::erase_if(found, [](int pid) { return !program_name(pid).starts_with("lttng-consumerd"); });
    return found;
}

Expected<bool> is_daemon_running(Tool& tool)
{
    const auto listed = tool.ask({"lttng", "--no-sessiond", "list"});
    return listed ? Expected<bool>{listed->code == 0} : Failure{listed.error()};
}

namespace {

bool says_no_daemon(const Finished& finished)
{
    return finished.errors.find("No session daemon") != std::string::npos;
}

/// `lttng list` of LTTng 2.16 does not say why it failed; this one does, in all versions.
bool is_no_daemon_there(Tool& tool)
{
    const auto asked =
        tool.ask({"lttng", "--no-sessiond", "snapshot", "list-output", "--session=no-such"});
    return asked && asked->code != 0 && says_no_daemon(*asked);
}

} // namespace

/// As XML, because LTTng 2.16 writes its list for people in another form than 2.13. An
/// `&` or `<` in a name stays as XML writes it: names of ours have none.
Expected<std::vector<std::string>> list_sessions(Tool& tool)
{
    constexpr std::string_view begin = "<name>";
    std::vector<std::string> names;
    const auto listed = tool.ask({"lttng", "--no-sessiond", "--mi", "xml", "list"});
    if (!listed) {
        return Failure{listed.error()};
    }
    if (listed->code != 0) {
        if (says_no_daemon(*listed) || is_no_daemon_there(tool)) {
            return names;
        }
        return failed("`lttng list` failed: " + listed->last_error_line());
    }
    const std::string& text = listed->output;
    for (auto at = text.find("<session>"); at != std::string::npos;
         at = text.find("<session>", at + 1)) {
        const auto from = text.find(begin, at);
        const auto until = text.find("</name>", at);
        if (from < until && until != std::string::npos) {
            names.push_back(text.substr(from + begin.size(), until - from - begin.size()));
        }
    }
    return names;
}

bool may_exist(Tool& tool, const std::vector<std::string>& sessions)
{
    const auto listed = list_sessions(tool);
    return !listed || std::find_first_of(listed->begin(), listed->end(), sessions.begin(),
                                         sessions.end()) != listed->end();
}

Expected<void> start_daemon_if_none(Tool& tool, const Notes& notes, bool has_kernel_tracer,
                                    const std::string& lttng_probes)
{
    const auto is_running = is_daemon_running(tool);
    if (!is_running) {
        return Failure{is_running.error()};
    }
    if (*is_running) {
        return {};
    }
    if (has_kernel_tracer) {
        if (const auto noted = note_modules_of_daemon(notes); !noted) {
            return noted;
        }
    }
    std::vector<std::string> words{"lttng-sessiond", "--background",
                                   "--pidfile=" + notes.daemon_pid_file().string()};
    if (!has_kernel_tracer) {
        words.push_back("--no-kernel");
    } else if (!lttng_probes.empty() && std::getenv("LTTNG_KMOD_PROBES") == nullptr) {
        words.push_back("--kmod-probes=" + lttng_probes);
    }
    const auto started = tool.must(words);
    if (!started) {
        return failed(started.error().message + "; `lttng-sessiond --no-kernel` on a terminal "
                                                "shows more");
    }
    return {};
}

DaemonEnd stop_daemon_if_ours(Tool& tool, const Notes& notes, bool is_stuck)
{
    const auto file = notes.daemon_pid_file();
    std::error_code ignored;
    if (tool.narrator().is_dry_run()) {
        if (!is_daemon_running(tool).value_or(false)) {
            tool.narrator().command("kill \"$(cat " + shell_text({file.string()}) + ")\"");
        }
        return DaemonEnd::None;
    }
    const int pid = pid_in(file);
    if (pid == 0) {
        return std::filesystem::remove(file, ignored) ? DaemonEnd::Before : DaemonEnd::None;
    }
    if (notes.has_recordings()) {
        return DaemonEnd::None; // the last recording stops it
    }
    const auto sessions = list_sessions(tool);
    if (!sessions) {
        tool.narrator().note(
            fmt::format("the session daemon keeps running (pid {}), until the next recording or "
                        "`lttng-gpu record --recover`: {}",
                        pid, sessions.error().message));
        return DaemonEnd::None;
    }
    if (!sessions->empty()) {
        tool.narrator().note(
            fmt::format("the session daemon keeps running (pid {}): it has the session "
                        "{}, which record did not create",
                        pid, sessions->front()));
        std::filesystem::remove(file, ignored); // it is theirs now
        return DaemonEnd::None;
    }
    tool.narrator().command(fmt::format("kill {}", pid));
    const Descriptor process = process_of(pid);
    DaemonEnd end = DaemonEnd::Itself;
    if (process && syscall(SYS_pidfd_send_signal, process.get(), SIGTERM, nullptr, 0) == 0 &&
        !has_stopped(tool, pid, process, is_stuck)) {
        kill_daemon(tool, pid, process, is_stuck);
        end = DaemonEnd::Killed;
    }
    std::filesystem::remove(file, ignored);
    return end;
}

} // namespace lttng_gpu::record
