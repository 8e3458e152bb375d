// SPDX-License-Identifier: MIT
// The OpenCL functions that make, submit and wait for commands.
#pragma once

#include "objects.hpp"

namespace lttng_gpu::gputest {

void fill_command_functions(cl_icd_dispatch& table);
void fill_object_functions(cl_icd_dispatch& table);

/// Answers a clGet...Info call: `size` bytes of `value` if there is room.
cl_int answer(const void* value, std::size_t size, std::size_t room, void* place,
              std::size_t* size_needed);

template <typename Value>
cl_int answer_value(const Value& value, std::size_t room, void* place, std::size_t* size_needed)
{
    return answer(&value, sizeof value, room, place, size_needed);
}

inline cl_int answer_text(const std::string& text, std::size_t room, void* place,
                          std::size_t* size_needed)
{
    return answer(text.c_str(), text.size() + 1, room, place, size_needed);
}

template <typename Object> cl_int CL_API_CALL retain_object(Object* object)
{
    object->retain();
    return CL_SUCCESS;
}

template <typename Object> cl_int CL_API_CALL release_object(Object* object)
{
    object->release();
    return CL_SUCCESS;
}

template <typename Object> Object* made(Object* object, cl_int* error)
{
    if (error != nullptr)
        *error = object != nullptr ? CL_SUCCESS : CL_INVALID_VALUE;
    return object;
}

} // namespace lttng_gpu::gputest
