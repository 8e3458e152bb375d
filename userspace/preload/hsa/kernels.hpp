// SPDX-License-Identifier: MIT
//
// Names of kernels, by the kernel object that packets have. The program asks for that object before
// it can make a packet; its name is asked for then.
#pragma once

#include "hsa_headers.hpp"

namespace lttng_gpu::hsa {

struct KernelName {
    char text[256] = {}; ///< cut; empty where it is not known
};

/// The program was told that object of the symbol.
void note_kernel(hsa_executable_symbol_t symbol, uint64_t object);
void find_kernel(uint64_t object, KernelName& name);

void forget_kernels();
void lock_kernels();
void unlock_kernels();

} // namespace lttng_gpu::hsa
