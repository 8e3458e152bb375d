// SPDX-License-Identifier: MIT
//
// steady: works, on two queues and with a queue made and released now and then, until its standard
// input closes; says "ready" when it began. Sessions come and go meanwhile.
#include "work.hpp"

#include <poll.h>
#include <unistd.h>

namespace {

bool is_input_open()
{
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    char byte;
    return poll(&input, 1, 0) == 0 || read(STDIN_FILENO, &byte, 1) > 0;
}

} // namespace

int main()
{
    Setup setup;
    cl_command_queue first = setup.queue();
    cl_command_queue second = setup.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    {
        Work work(setup), other(setup);
        std::printf("ready\n");
        std::fflush(stdout);
        std::vector<cl_event> kept;
        for (int round = 0; is_input_open(); ++round) {
            work.run(first, round);
            other.run(second, round);
            // Some events outlive a session's beginning or end.
            cl_event event = nullptr;
            work.launch(first, &event);
            kept.push_back(event);
            cl_ulong time = 0;
            require(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time,
                                            nullptr) == CL_PROFILING_INFO_NOT_AVAILABLE
                        ? CL_SUCCESS
                        : 1,
                    "times of a queue that does not profile");
            if (kept.size() == 100) {
                for (cl_event old : kept)
                    require(clReleaseEvent(old), "clReleaseEvent");
                kept.clear();
            }
            if (round % 10)
                continue;
            cl_command_queue passing = setup.queue();
            // The other one's memory is at rest.
            other.run(passing, round);
            cl_command_queue_properties properties = 77;
            require(clGetCommandQueueInfo(passing, CL_QUEUE_PROPERTIES, sizeof properties,
                                          &properties, nullptr),
                    "clGetCommandQueueInfo");
            require(properties == 0 ? CL_SUCCESS : 1, "properties of a plain queue");
            require(clReleaseCommandQueue(passing), "clReleaseCommandQueue");
        }
        for (cl_event old : kept)
            require(clReleaseEvent(old), "clReleaseEvent");
    }
    require(clReleaseCommandQueue(first), "clReleaseCommandQueue");
    require(clReleaseCommandQueue(second), "clReleaseCommandQueue");
    setup.release();
    std::printf("every result was right\n");
}
