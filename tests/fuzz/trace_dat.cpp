// SPDX-License-Identifier: MIT
//
// Any bytes as a trace.dat file. The seeds are small files of both versions and byte
// orders, and a packed one.
#include "ftrace_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    lttng_gpu::test::read_fuzzed_file({reinterpret_cast<const char*>(data), size});
    return 0;
}
