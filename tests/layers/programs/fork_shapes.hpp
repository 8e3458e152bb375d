// SPDX-License-Identifier: MIT
//
// The ways in which programs make children. Each prints how its children ended.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <spawn.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace fork_shapes {

// More stacks than the C library keeps of threads that have ended (40 MiB).
inline void run_threads()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i)
        threads.emplace_back([] { usleep(1000); });
    for (std::thread& thread : threads)
        thread.join();
}

// At once: a child that another thread makes would print what stands in a buffer once more.
inline void say(const std::string& words)
{
    if (write(STDOUT_FILENO, words.data(), words.size()) != static_cast<ssize_t>(words.size()))
        std::_Exit(94);
}

inline bool is_asleep(const std::filesystem::path& task)
{
    std::string words;
    std::getline(std::ifstream(task / "stat"), words);
    const size_t name_end = words.rfind(") ");
    return name_end == std::string::npos || words[name_end + 2] == 'S'; // or has ended
}

// Until all other threads sleep. The child of a bare system call has the locks that they hold, and
// nobody opens them there: with a driver at work it may hang at its end, with a layer or without.
inline void wait_for_sleeping_threads()
{
    const std::string self = std::to_string(gettid());
    for (int times = 0; times < 3; ++times) {
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
            if (task.path().filename() != self && !is_asleep(task.path()))
                times = -1;
        }
        usleep(1000);
    }
}

inline int wait_for(pid_t child)
{
    int ended = 0;
    if (child < 0 || waitpid(child, &ended, 0) != child)
        return -1;
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 1000 + WTERMSIG(ended);
}

inline void become_true()
{
    execlp("true", "true", nullptr);
    _exit(90);
}

inline pid_t spawn_true()
{
    char name[] = "true";
    char* words[] = {name, nullptr};
    pid_t child = -1;
    return posix_spawnp(&child, name, nullptr, nullptr, words, environ) == 0 ? child : -1;
}

// As daemons begin: the grandchild has neither parent nor descriptors. It says in shared memory
// how it fared.
inline void daemonise()
{
    auto* done = static_cast<volatile int*>(
        mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    int ends[2];
    if (pipe(ends) != 0)
        _exit(91);
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        const pid_t daemon = fork();
        if (daemon != 0)
            std::exit(0);
        for (int descriptor = 3; descriptor < 1024; ++descriptor) {
            if (descriptor != ends[1])
                close(descriptor);
        }
        run_threads();
        *done = 1;
        std::exit(0);
    }
    const int code = wait_for(child);
    close(ends[1]);
    char byte = 0;
    [[maybe_unused]] const ssize_t got = read(ends[0], &byte, 1); // until the daemon has ended
    close(ends[0]);
    say(std::to_string(code) + (*done ? ", daemon worked; " : ", daemon died; "));
}

[[noreturn]] inline void be_child(const std::string& shape)
{
    if (shape == "quick")
        _exit(11);
    if (shape == "exec")
        become_true();
    if (shape == "again") {
        const pid_t grandchild = fork();
        if (grandchild == 0) {
            run_threads();
            std::exit(12);
        }
        const int code = wait_for(grandchild);
        run_threads();
        std::exit(code == 12 ? 13 : 92);
    }
    if (shape == "unshare") // needs a process with one thread
        std::exit(unshare(CLONE_NEWUSER) == 0 ? 14 : errno == EINVAL ? 93 : 14);
    if (shape != "exit")
        run_threads();
    std::exit(15);
}

inline pid_t make_child(const std::string& shape)
{
    if (shape == "spawn")
        return spawn_true();
    if (shape == "vfork") {
        const pid_t child = vfork();
        if (child == 0)
            become_true();
        return child;
    }
    if (shape == "system-call") { // no handler of pthread_atfork() runs
        wait_for_sleeping_threads();
        const auto child = static_cast<pid_t>(syscall(SYS_fork));
        if (child == 0)
            be_child("exit");
        return child;
    }
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        be_child(shape);
    }
    return child;
}

inline void make_children(const std::string& shape, int count)
{
    for (int i = 0; i < count; ++i) {
        if (shape == "daemon")
            daemonise();
        else
            say(std::to_string(wait_for(make_child(shape))) + ' ');
    }
}

/// `count` children one after the other, or four threads' at once.
inline void storm(const std::string& shape, int count)
{
    if (shape == "thread")
        std::thread(make_children, shape, count).join();
    else if (shape == "threads") {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back(make_children, shape, count / 4);
        for (std::thread& thread : threads)
            thread.join();
    } else
        make_children(shape, count);
}

} // namespace fork_shapes
