// SPDX-License-Identifier: MIT
//
// conformance [SECTION...]: calls every entry of OpenCL's dispatch table that the driver has, with
// valid and with invalid arguments, and prints what came of it. The output of two runs on one
// driver is the same.
#include "sections.hpp"

#include <cstdio>
#include <cstring>

using namespace conformance;

namespace {

struct Section {
    const char* name;
    void (*run)(const Device& device);
};

const Section sections[] = {
    {"platforms", platforms},   {"contexts", contexts},
    {"queues", queues},         {"buffers", buffers},
    {"images", images},         {"shared_memory", shared_memory},
    {"programs", programs},     {"kernels", kernels},
    {"events", events},         {"profiling", profiling},
    {"callbacks", callbacks},   {"references", references},
    {"sharing", sharing},       {"command_buffers", command_buffers},
    {"extensions", extensions},
};

bool is_wanted(const char* name, int count, char** words)
{
    for (int i = 1; i < count; ++i)
        if (std::strcmp(words[i], name) == 0)
            return true;
    return count == 1;
}

} // namespace

int main(int count, char** words)
{
    const Device device = find_device();
    for (const Section& part : sections) {
        if (!is_wanted(part.name, count, words))
            continue;
        section(part.name);
        part.run(device);
    }
    section("entries");
    list_calls(device.platform);
    return std::fflush(stdout) == 0 ? 0 : 1;
}
