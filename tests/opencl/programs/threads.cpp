// SPDX-License-Identifier: MIT
//
// threads [ROUNDS [THREADS]]: sixteen threads work on a queue of their own and on two that all
// share, while one more makes and releases queues and contexts, and every result is checked.
#include "work.hpp"

#include <atomic>
#include <thread>

int main(int count, char** words)
{
    const int rounds = count > 1 ? std::atoi(words[1]) : 60;
    const int threads_count = count > 2 ? std::atoi(words[2]) : 16;
    Setup setup;
    cl_command_queue shared = setup.queue();
    cl_command_queue free_order = setup.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    std::atomic<int> done{0};
    std::vector<std::thread> threads;
    for (int number = 0; number < threads_count; ++number) {
        threads.emplace_back([&, number] {
            const cl_command_queue own = setup.queue(number % 2 ? CL_QUEUE_PROFILING_ENABLE : 0);
            Work work(setup);
            for (int i = 0; i < rounds; ++i) {
                work.run(own, number * 1000 + i);
                work.run(shared, number * 2000 + i);
                work.run(free_order, number * 3000 + i);
                done.fetch_add(3);
            }
            require(clReleaseCommandQueue(own), "clReleaseCommandQueue");
        });
    }
    threads.emplace_back([&] {
        for (int i = 0; i < rounds / 4; ++i) {
            Setup passing;
            cl_command_queue queue = passing.queue();
            {
                Work work(passing);
                work.run(queue, i);
            }
            require(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
            passing.release();
            done.fetch_add(1);
        }
    });
    for (std::thread& thread : threads)
        thread.join();
    require(clReleaseCommandQueue(shared), "clReleaseCommandQueue");
    require(clReleaseCommandQueue(free_order), "clReleaseCommandQueue");
    setup.release();
    std::printf("%d units of work\n", done.load());
}
