// SPDX-License-Identifier: MIT
//
// forks before|exit|quick-exit|ask|exec: a child that uses OpenCL which its parent has not used
// yet; one that exits, or _exits, after its parent used it; one that asks the driver; one that
// becomes another program. The parent works on.
#include "work.hpp"

#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

void work_once(const char* who)
{
    Setup setup;
    cl_command_queue queue = setup.queue();
    {
        Work work(setup);
        work.run(queue, 7);
    }
    require(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    setup.release();
    std::printf("%s worked\n", who);
    std::fflush(stdout);
}

// How a child ended, in words.
void report(pid_t child)
{
    int ended = 0;
    waitpid(child, &ended, 0);
    if (WIFEXITED(ended))
        std::printf("child: exit code %d\n", WEXITSTATUS(ended));
    else
        std::printf("child: signal %d\n", WTERMSIG(ended));
    std::fflush(stdout);
}

void in_child(const std::string& what)
{
    alarm(60);
    if (what == "before") {
        work_once("child");
        std::exit(3);
    }
    if (what == "exit")
        std::exit(4);
    if (what == "quick-exit")
        _exit(5);
    if (what == "exec")
        execlp("true", "true", nullptr);
    cl_uint count = 0;
    require(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
    std::printf("child: %u platforms\n", count);
    std::fflush(stdout);
    _exit(6);
}

} // namespace

int main(int count, char** words)
{
    const std::string what = count > 1 ? words[1] : "";
    if (what == "before") {
        const pid_t child = fork();
        if (child == 0)
            in_child(what);
        work_once("parent");
        report(child);
        return 0;
    }
    Setup setup;
    cl_command_queue queue = setup.queue();
    Work work(setup);
    work.run(queue, 1);
    // Commands may be under way at the fork.
    for (int i = 0; i < 100; ++i)
        work.launch(queue);
    const pid_t child = fork();
    if (child == 0)
        in_child(what);
    report(child);
    work.run(queue, 2);
    std::printf("parent works on\n");
}
