// SPDX-License-Identifier: MIT
//
// See tool.hpp.
#include "tool.hpp"

#include "../correlate/base/apis.hpp"
#include "descriptor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace {

// `lttng destroy` waits until everything is written.
constexpr std::chrono::minutes most_of_a_tool{5};
// Longer than that, and the user is told what is waited for.
constexpr std::chrono::seconds most_in_silence{2};
constexpr std::chrono::milliseconds step{100};
// Seconds. Without it the session daemon drops an application that has not answered for 5 s, which
// one that starts on a busy or emulated machine may need; what it does until it has registered
// again is in no trace.
constexpr const char* answer_variable = "LTTNG_APP_SOCKET_TIMEOUT";
char answer_setting[] = "LTTNG_APP_SOCKET_TIMEOUT=60";

/// Ours without what is meant for the recorded command: LTTng 2.16's daemon refuses to start
/// as an application that waits for a daemon.
std::vector<char*> tool_environment()
{
    std::vector<char*> kept;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text{*entry};
        const bool is_for_loader = std::ranges::any_of(apis, [text](const Api& api) {
            return text.starts_with(std::string{api.loader_variable} + "=") &&
                   api.loading != LayerLoading::Manifests;
        });
        if (!text.starts_with("LTTNG_UST_") && !text.starts_with("LD_PRELOAD=") && !is_for_loader) {
            kept.push_back(*entry);
        }
    }
    if (std::getenv(answer_variable) == nullptr) {
        kept.push_back(answer_setting);
    }
    kept.push_back(nullptr);
    return kept;
}

/// What a program wrote to a file in memory. A daemon that keeps it open does no harm.
std::string content_of(const Descriptor& file)
{
    std::string text;
    std::array<char, 4096> piece{};
    for (ssize_t got = 0; (got = pread(file.get(), piece.data(), piece.size(),
                                       static_cast<off_t>(text.size()))) > 0;) {
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return text;
}

class SpawnActions {
public:
    SpawnActions(int output, int errors)
    {
        posix_spawn_file_actions_init(&m_files);
        posix_spawn_file_actions_addopen(&m_files, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&m_files, output, 1);
        posix_spawn_file_actions_adddup2(&m_files, errors, 2);
        posix_spawnattr_init(&m_attributes);
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&m_attributes, &none);
        posix_spawnattr_setsigdefault(&m_attributes, &all);
        posix_spawnattr_setflags(&m_attributes,
                                 static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF));
    }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions()
    {
        posix_spawn_file_actions_destroy(&m_files);
        posix_spawnattr_destroy(&m_attributes);
    }

    int spawn(pid_t& pid, const std::vector<std::string>& words)
    {
        std::vector<char*> arguments;
        arguments.reserve(words.size() + 1);
        for (const std::string& word : words) {
            arguments.push_back(const_cast<char*>(word.c_str()));
        }
        arguments.push_back(nullptr);
        return posix_spawnp(&pid, arguments[0], &m_files, &m_attributes, arguments.data(),
                            tool_environment().data());
    }

private:
    posix_spawn_file_actions_t m_files{};
    posix_spawnattr_t m_attributes{};
};

} // namespace

std::string Finished::last_error_line() const
{
    std::istringstream lines{errors.empty() ? output : errors + output};
    std::string last;
    for (std::string line; std::getline(lines, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos) {
            last = line;
        }
    }
    return last.empty() ? fmt::format("exit code {}", code) : last;
}

bool await_end(int pid_descriptor, std::chrono::milliseconds most)
{
    const auto end = std::chrono::steady_clock::now() + most;
    pollfd entry{pid_descriptor, POLLIN, 0};
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            end - std::chrono::steady_clock::now());
        const int ready =
            poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
        if (ready >= 0 || errno != EINTR) {
            return ready > 0;
        }
    }
}

namespace {

/// Until it has ended, or `goes_on` says no; then it is killed.
Expected<Finished> execute(const std::vector<std::string>& words,
                           const std::function<bool()>& goes_on)
{
    const Descriptor output{memfd_create("output", MFD_CLOEXEC)};
    const Descriptor errors{memfd_create("errors", MFD_CLOEXEC)};
    if (!output || !errors) {
        return failed(fmt::format("not enough memory for the output of {}: {}", words[0],
                                  std::strerror(errno)));
    }
    pid_t pid = 0;
    if (const int error = SpawnActions{output.get(), errors.get()}.spawn(pid, words); error != 0) {
        return failed(fmt::format("{} cannot be run: {}", words[0], std::strerror(error)));
    }
    const Descriptor process{static_cast<int>(syscall(SYS_pidfd_open, pid, 0))};
    const auto begin = std::chrono::steady_clock::now();
    const auto has_time = [&] { return std::chrono::steady_clock::now() - begin < most_of_a_tool; };
    bool has_ended = !process || await_end(process.get(), step);
    while (!has_ended && has_time() && goes_on()) {
        has_ended = await_end(process.get(), step);
    }
    if (!has_ended) {
        kill(pid, SIGKILL);
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!has_ended) {
        const auto seconds =
            std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
        return failed(fmt::format("`{}` did not end in {} s and was killed", shell_text(words),
                                  seconds.count()));
    }
    return Finished{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                    content_of(output), content_of(errors)};
}

Expected<Finished> succeeded(Expected<Finished> finished, const std::vector<std::string>& words)
{
    if (finished && finished->code != 0) {
        return failed(
            fmt::format("`{}` failed: {}", shell_text(words), finished->last_error_line()));
    }
    return finished;
}

} // namespace

Expected<Finished> Tool::ask(const std::vector<std::string>& words)
{
    return execute(words, waiting_for(words));
}

std::function<bool()> Tool::waiting_for(const std::string& what)
{
    return [this, what, begin = std::chrono::steady_clock::now(), is_told = false]() mutable {
        // Asked early, because whoever is asked may have to pass a signal on.
        const bool is_unwanted = is_interrupted();
        if (std::chrono::steady_clock::now() - begin < most_in_silence) {
            return true;
        }
        if (!is_told) {
            m_narrator.note("waiting for " + what);
            is_told = true;
        }
        m_narrator.print_held();
        return !is_unwanted;
    };
}

std::function<bool()> Tool::waiting_for(const std::vector<std::string>& words)
{
    return waiting_for("`" + shell_text(words) + "`");
}

Expected<Finished> Tool::run(const std::vector<std::string>& words)
{
    m_narrator.command(shell_text(words));
    return m_narrator.is_dry_run() ? Finished{} : execute(words, waiting_for(words));
}

Expected<Finished> Tool::must(const std::vector<std::string>& words)
{
    return succeeded(run(words), words);
}

Expected<Finished> Tool::must_while(const std::vector<std::string>& words,
                                    const std::function<bool()>& goes_on)
{
    m_narrator.command(shell_text(words));
    if (m_narrator.is_dry_run()) {
        return Finished{};
    }
    const auto is_awaited = waiting_for(words);
    return succeeded(execute(words, [&] { return goes_on() && is_awaited(); }), words);
}

std::string find_program(const std::string& name, int& code)
{
    code = 127;
    const auto is_program = [&code](const std::string& path) {
        struct stat status {};
        if (stat(path.c_str(), &status) != 0) {
            return false;
        }
        if (S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0) {
            return true;
        }
        code = 126;
        return false;
    };
    if (name.find('/') != std::string::npos) {
        return is_program(name) ? name : "";
    }
    const char* path = std::getenv("PATH");
    std::istringstream folders{path != nullptr ? path : "/bin:/usr/bin"};
    for (std::string folder; !name.empty() && std::getline(folders, folder, ':');) {
        std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
        if (is_program(candidate)) {
            return candidate;
        }
    }
    return "";
}

} // namespace lttng_gpu::record
