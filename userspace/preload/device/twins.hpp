// SPDX-License-Identifier: MIT
//
// Makes the twins of a program: one for each group of devices for which its source is changed in
// the same way.
#pragma once

#include <stdlib.h>

#include "device.hpp"

namespace lttng_gpu::device {

/// Null without memory. For what clGet*Info(handle, WHAT, ...) gives of any length.
template <class Function, class Object>
char* ask_text(Function function, Object object, cl_uint what, size_t* bytes_told = nullptr)
{
    size_t bytes = 0;
    if (function(object, what, 0, nullptr, &bytes) != CL_SUCCESS)
        bytes = 0;
    char* text = static_cast<char*>(calloc(bytes + 1, 1));
    if (text && bytes && function(object, what, bytes, text, nullptr) != CL_SUCCESS)
        text[0] = 0;
    if (bytes_told)
        *bytes_told = bytes;
    return text;
}

/// Of each device for which it can be done one twin has it; why others have none is said.
Twin* make_twins(cl_program program, const char* source, size_t bytes, const Devices& devices,
                 const char* options);
void free_twin(Twin* twin);
/// While the lock is held.
const Twin* twins_of(cl_program program);
/// Of names that end with a zero each, and the list with one more.
bool has_name(const char* names, const char* name);

} // namespace lttng_gpu::device
