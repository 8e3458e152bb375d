// SPDX-License-Identifier: MIT
//
// See browser.hpp.
#include "browser.hpp"

#include "../record/user.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lttng_gpu::cli {
namespace {

/// Until it is at its end, or has a whole line.
std::string read_line(int pipe)
{
    std::string line;
    for (char byte = 0; read(pipe, &byte, 1) == 1 && byte != '\n';) {
        line += byte;
    }
    return line;
}

/// A folder that nobody else can look into.
class PrivateFolder {
public:
    PrivateFolder()
    {
        const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
        struct stat status = {};
        if (runtime != nullptr && *runtime == '/' && lstat(runtime, &status) == 0 &&
            S_ISDIR(status.st_mode) && status.st_uid == geteuid() && (status.st_mode & 077) == 0) {
            m_path = runtime;
            return;
        }
        m_path = "/tmp/lttng-gpu-XXXXXX";
        m_is_ours = mkdtemp(m_path.data()) != nullptr;
        m_path = m_is_ours ? m_path : "";
    }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    ~PrivateFolder()
    {
        if (m_is_ours) {
            rmdir(m_path.c_str());
        }
    }
    const std::string& path() const { return m_path; }

private:
    std::string m_path; // empty: there is none
    bool m_is_ours = false;
};

bool write_page(const std::string& address, std::string& file)
{
    const std::string text = fmt::format(
        "<!DOCTYPE html>\n<meta http-equiv=\"refresh\" content=\"0; url={0}\">\n<title>lttng-gpu"
        "</title>\n<a href=\"{0}\">lttng-gpu</a>\n",
        address);
    constexpr std::string_view ending = ".html";
    const int descriptor = mkostemps(file.data(), static_cast<int>(ending.size()), O_CLOEXEC);
    if (descriptor < 0) {
        file.clear();
        return false;
    }
    const bool is_written =
        write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(descriptor);
    return is_written;
}

void run_browser(const std::string& file)
{
    const std::array<const char*, 3> words{"xdg-open", file.c_str(), nullptr};
    pid_t opener = 0;
    // Where there is no desktop, it is the browser.
    posix_spawnp(&opener, words[0], nullptr, nullptr, const_cast<char* const*>(words.data()),
                 environ);
}

/// In a session of its own: the browser is not ended by Ctrl-C, and has nothing of a terminal that
/// is root's.
void help(int pipe)
{
    setsid();
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        close(stream);
        open("/dev/null", O_RDWR); // gets the lowest free number
    }
    const std::string address = read_line(pipe);
    const auto user = record::user_of_command({});
    if (address.empty() || !user || (*user && (*user)->become() != 0)) {
        return;
    }
    const PrivateFolder folder;
    std::string file = folder.path() + "/lttng-gpu-XXXXXX.html";
    if (!folder.path().empty() && write_page(address, file)) {
        run_browser(file);
        read_line(pipe); // the end of the program that serves the page
    }
    if (!file.empty()) {
        unlink(file.c_str());
    }
}

} // namespace

Browser::Browser(bool is_wanted)
{
    int ends[2];
    if (!is_wanted || pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    m_pid = fork();
    if (m_pid == 0) {
        close(ends[1]);
        help(ends[0]);
        std::_Exit(0);
    }
    close(ends[0]);
    m_helper = ends[1];
}

Browser::~Browser()
{
    if (m_helper >= 0) {
        close(m_helper);
        while (m_pid > 0 && waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
}

void Browser::open(const std::string& address) const
{
    const std::string line = address + "\n";
    if (m_helper >= 0) {
        [[maybe_unused]] const ssize_t written = write(m_helper, line.data(), line.size());
    }
}

} // namespace lttng_gpu::cli
