// SPDX-License-Identifier: MIT
//
// many_commands none|released|held|free-order|never-waiting COUNT: enqueues COUNT commands. Ten
// times, after each tenth of them, it prints resident memory in KiB and the bytes that the layer
// has asked for so far: without events, with events released at once, held for a thousand commands,
// in an out-of-order queue, and without any call that waits (only flushes).
#include "layer_memory.hpp"
#include "work.hpp"

#include <string>
#include <thread>

namespace {

// Of its own: the pages of LTTng's buffers, which are shared with the daemon, are not the
// program's.
long resident_kib()
{
    char line[256];
    long kib = 0;
    if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
        while (std::fgets(line, sizeof line, file) && std::sscanf(line, "RssAnon: %ld", &kib) != 1)
            continue;
        std::fclose(file);
    }
    return kib;
}

bool is_complete(cl_event event)
{
    cl_int status = 0;
    require(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "clGetEventInfo");
    return status == CL_COMPLETE;
}

} // namespace

int main(int count, char** words)
{
    const std::string what = count > 1 ? words[1] : "none";
    const long total = count > 2 ? std::atol(words[2]) : 100000;
    Setup setup;
    layer_memory::find_layer();
    cl_command_queue queue =
        setup.queue(what == "free-order" ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    Work work(setup);
    std::vector<cl_event> held;
    for (long number = 1; number <= total; ++number) {
        cl_event event = nullptr;
        const bool has_event =
            what == "held" || what == "released" || (what == "never-waiting" && number % 500 == 0);
        work.launch(queue, has_event ? &event : nullptr);
        if (what == "released")
            require(clReleaseEvent(event), "clReleaseEvent");
        else if (has_event)
            held.push_back(event);
        if (number % 500 == 0 && what == "never-waiting") {
            // The application looks, it does not wait in OpenCL.
            require(clFlush(queue), "clFlush");
            while (!is_complete(held.back()))
                std::this_thread::yield();
        }
        if (number % 1000 == 0) {
            if (what != "never-waiting")
                require(clFinish(queue), "clFinish");
            for (cl_event old : held)
                require(clReleaseEvent(old), "clReleaseEvent");
            held.clear();
        }
        if (number % (total / 10) == 0)
            std::printf("%ld %zu\n", resident_kib(), layer_memory::asked_for.load());
    }
    require(clFinish(queue), "clFinish");
}
