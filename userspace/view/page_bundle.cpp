// SPDX-License-Identifier: MIT
//
// See page_bundle.hpp. LTTNG_GPU_PAGE is the file that the build made.
#include "page_bundle.hpp"

asm(".pushsection .rodata\n"
    ".global lttng_gpu_page_begin\n"
    ".hidden lttng_gpu_page_begin\n"
    "lttng_gpu_page_begin:\n"
    ".incbin \"" LTTNG_GPU_PAGE "\"\n"
    ".global lttng_gpu_page_end\n"
    ".hidden lttng_gpu_page_end\n"
    "lttng_gpu_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char lttng_gpu_page_begin[];
extern const char lttng_gpu_page_end[];
}

namespace lttng_gpu::view {

std::string_view page_bundle()
{
    return {lttng_gpu_page_begin,
            static_cast<std::size_t>(lttng_gpu_page_end - lttng_gpu_page_begin)};
}

} // namespace lttng_gpu::view
