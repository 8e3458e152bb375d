// SPDX-License-Identifier: MIT
//
// Any bytes as a Perfetto trace. The seeds are small traces of each form: events with numbers,
// generic and described ones, compact scheduling, packed packets, clocks, losses.
#include "ftrace_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    lttng_gpu::test::read_fuzzed_file({reinterpret_cast<const char*>(data), size});
    return 0;
}
