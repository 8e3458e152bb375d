// SPDX-License-Identifier: MIT
//
// closes WAY TIMES [wait]: between two halves of its work, the program closes all descriptors above
// 2, in one of the ways in which programs do, or puts a file of its own in their places. Says which
// number the next one gets. With "wait" it works on when its input has ended. child-WAY: a child
// does it, exec-WAY: a child that then becomes this program again, as daemons and Python's
// subprocesses do.
#include "work.hpp"

#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int first = 3;
constexpr int few = 64; // numbers that programs ask for
int most = 0;

template <class Function> void each(Function&& function)
{
    for (int descriptor = first; descriptor < most; ++descriptor)
        function(descriptor);
}

void close_stream(int descriptor)
{
    if (std::FILE* stream = fdopen(descriptor, "r"))
        std::fclose(stream);
}

std::FILE* own_file = nullptr;

// What dup2 or dup3 says of the numbers that programs ask for.
template <class Function> void replace_all(Function&& replace)
{
    own_file = std::tmpfile();
    const int own = fileno(own_file);
    int replaced = 0;
    each([&](int descriptor) {
        if (replace(own, descriptor) == descriptor && descriptor < few)
            ++replaced;
    });
    std::printf("%d replaced\n", replaced);
    each([own](int descriptor) {
        if (descriptor < few && descriptor != own)
            close(descriptor);
    });
}

void close_all(const std::string& way)
{
    if (way == "close")
        each([](int descriptor) { close(descriptor); });
    else if (way == "fclose")
        each(close_stream);
    else if (way == "closefrom")
        closefrom(first);
    else if (way == "close_range")
        std::printf("says %d\n", close_range(first, ~0u, 0));
    else if (way == "close_range-unshare")
        std::printf("says %d\n", close_range(first, ~0u, CLOSE_RANGE_UNSHARE));
    else if (way == "dup2")
        replace_all([](int from, int to) { return dup2(from, to); });
    else if (way == "dup3")
        replace_all([](int from, int to) { return dup3(from, to, O_CLOEXEC); });
    else if (way != "none")
        std::exit(1);
}

// All that are open: in a child these must be none, as without LTTng.
int count_open()
{
    int count = 0;
    each([&](int descriptor) { count += fcntl(descriptor, F_GETFD) >= 0; });
    return count;
}

void in_child(const std::string& way, const char* program)
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        close_all(way);
        std::printf("the child has %d\n", count_open());
        std::fflush(stdout);
        if (program)
            execl(program, program, "none", "1", nullptr);
        _exit(program ? 1 : 0);
    }
    int ended = 0;
    if (waitpid(child, &ended, 0) != child || ended != 0)
        std::printf("the child ended with %d\n", ended);
}

} // namespace

int main(int count, char** words)
{
    const std::string way = count > 1 ? words[1] : "none";
    const int times = count > 2 ? std::atoi(words[2]) : 1;
    most = int(sysconf(_SC_OPEN_MAX)) < 4096 ? int(sysconf(_SC_OPEN_MAX)) : 4096;
    Setup setup;
    cl_command_queue queue = setup.queue();
    Work work(setup);
    work.run(queue, 1);
    const bool has_exec = way.compare(0, 5, "exec-") == 0;
    const bool is_child = has_exec || way.compare(0, 6, "child-") == 0;
    for (int i = 0; i < times; ++i) {
        if (is_child)
            in_child(way.substr(way.find('-') + 1), has_exec ? words[0] : nullptr);
        else
            close_all(way);
        work.run(queue, 2);
    }
    if (count > 3) {
        std::printf("closed\n");
        std::fflush(stdout);
        while (std::getchar() != EOF) {
        }
        work.run(queue, 3);
    }
    const int next = open("/dev/null", O_RDONLY);
    if (way == "none" || way == "dup2" || way == "dup3" || is_child)
        std::printf("the next number is %d\n", next);
    for (int i = 0; i < 100; ++i)
        work.run(queue, i);
    if (own_file && lseek(fileno(own_file), 0, SEEK_END) != 0)
        std::printf("somebody wrote into the program's file\n");
    require(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    std::printf("%d commands\n", 5 * (101 + times));
}
