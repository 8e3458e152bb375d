// SPDX-License-Identifier: MIT
//
// Any bytes as a text trace: they must be read to their end, in order of time, without
// a value that lies outside the text.
#include "ftrace_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // What decides whether it is a trace at all stands first, so that all is read.
    std::string text = "# tracer: nop\n";
    text.append(reinterpret_cast<const char*>(data), size);
    lttng_gpu::test::read_fuzzed_file(text);
    return 0;
}
