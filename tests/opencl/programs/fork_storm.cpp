// SPDX-License-Identifier: MIT
//
// fork_storm SHAPE [COUNT]: after it has used OpenCL, the program makes COUNT children one after
// the other, in one of the ways in which programs make them, prints how each ended, and works on.
#include "../../layers/programs/fork_shapes.hpp"
#include "work.hpp"

int main(int count, char** words)
{
    if (count < 2)
        return 1;
    const std::string shape = words[1];
    const int children = count > 2 ? std::atoi(words[2]) : 20;
    Setup setup;
    cl_command_queue queue = setup.queue();
    Work work(setup);
    work.run(queue, 1);
    for (int i = 0; i < 100; ++i)
        work.launch(queue);
    std::fflush(stdout);
    fork_shapes::storm(shape, children);
    work.run(queue, 2);
    require(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    std::printf("the parent works on\n");
}
