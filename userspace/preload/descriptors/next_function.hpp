// SPDX-License-Identifier: MIT
//
// A function that stands before another library's of the same name.
#pragma once

#include <dlfcn.h>

#define EXPORTED extern "C" [[gnu::visibility("default")]]

namespace lttng_gpu {

/// `function` gets that of the library after this one.
template <class Function> void find_next(Function*& function, const char* name)
{
    function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace lttng_gpu
