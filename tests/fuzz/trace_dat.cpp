// SPDX-License-Identifier: MIT
//
// Any bytes as a trace.dat file. Begin with the files of tests/golden, or hardly any
// input gets past the header.
#include "ftrace_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    lttng_gpu::test::read_fuzzed_file({reinterpret_cast<const char*>(data), size});
    return 0;
}
