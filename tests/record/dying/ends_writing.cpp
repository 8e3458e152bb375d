// SPDX-License-Identifier: MIT
//
// ends_writing END [idle|one|busy]: a thread (one) or several that write events (busy), or none
// after the first thousand (idle), until the program ends in that way: kill, segv, abort, exit,
// _exit, oom, fork (a child that writes events without exec, and outlives its parent), callback
// (exit() in a thread that writes), none (it ends by itself after a second), wait (others kill it;
// it ends by itself after ten minutes). $LONGEST is a file to which a single thread's longest time
// for an event is written, in seconds.
#include "provider.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int some_code = 9;

std::atomic<double> longest{0};

void write_timed_events()
{
    const std::array<char, 64> bytes{};
    auto before = std::chrono::steady_clock::now();
    for (unsigned number = 0;; ++number) {
        lttng_ust_tracepoint(lttng_gpu_dying, event, number, bytes.data());
        const auto now = std::chrono::steady_clock::now();
        longest = std::max(longest.load(), std::chrono::duration<double>{now - before}.count());
        before = now;
    }
}

void write_events(unsigned count)
{
    const std::array<char, 64> bytes{};
    for (unsigned number = 0; number < count; ++number)
        lttng_ust_tracepoint(lttng_gpu_dying, event, number, bytes.data());
}

[[noreturn]] void use_up_memory()
{
    for (std::vector<char*> all;;) {
        constexpr std::size_t size = 8 << 20;
        all.push_back(static_cast<char*>(std::malloc(size)));
        std::memset(all.back(), 1, size);
    }
}

void end(const std::string& how)
{
    if (how == "kill" || how == "segv")
        std::raise(how == "kill" ? SIGKILL : SIGSEGV);
    if (how == "abort")
        std::abort();
    if (how == "exit")
        std::exit(some_code);
    if (how == "_exit")
        _exit(some_code);
    if (how == "oom")
        use_up_memory();
    if (how == "callback")
        std::thread{[] {
            write_events(10);
            std::exit(some_code);
        }}.join();
    if (how == "fork" && fork() == 0) {
        write_events(1000);
        std::this_thread::sleep_for(std::chrono::milliseconds{300});
        write_events(1000);
        _exit(0);
    }
    _exit(0);
}

} // namespace

int main(int count, char** words)
{
    const std::string how = count > 1 ? words[1] : "none";
    const std::string load = count > 2 ? words[2] : "idle";
    const int most = load == "busy" ? 3 : load == "one" ? 1 : 0;
    write_events(1000);
    // For who waits for that.
    if (const char* const wrote = std::getenv("WROTE"))
        close(creat(wrote, S_IRUSR | S_IWUSR));
    std::vector<std::thread> writers;
    for (int writer = 0; writer < most; ++writer)
        writers.emplace_back(
            [most] { most == 1 ? write_timed_events() : write_events(2'000'000'000); });
    std::this_thread::sleep_for(how == "wait"
                                    ? std::chrono::milliseconds{std::chrono::minutes{10}}
                                    : std::chrono::milliseconds{how == "none" ? 1000 : 400});
    if (const char* const file = std::getenv("LONGEST"))
        std::ofstream{file} << longest << '\n';
    end(how);
}
