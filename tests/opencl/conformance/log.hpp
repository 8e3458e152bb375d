// SPDX-License-Identifier: MIT
//
// The canonical log of the conformance program: what calls returned, without anything that may
// differ between two runs (addresses, times). Two runs of the program on one driver must print the
// same, with whatever is loaded between them. Lines are written by one thread; callbacks count, and
// what they counted is logged after they were waited for.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <cstddef>
#include <string>
#include <vector>

namespace conformance {

// One line; the section's name stands before it.
[[gnu::format(printf, 1, 2)]] void line(const char* format, ...);
void section(const char* name);

// Logs a result and returns it. A function that was logged counts as called.
cl_int status(const char* function, const char* words, cl_int result);
// Logs whether there is an object, and the error.
void made(const char* function, const char* words, bool exists, cl_int error);
// Counts a call that has its own line.
void called(const char* function);

// Every entry of the dispatch table: the calls logged, or why there were none.
void list_calls(cl_platform_id platform);

// Of a buffer's content; the same on every machine.
std::string digest(const void* data, std::size_t size);
template <class T> std::string digest(const std::vector<T>& values)
{
    return digest(values.data(), values.size() * sizeof(T));
}

} // namespace conformance

// The name of the function is part of the log, so these are macros.
#define CALL(words, function, ...) conformance::status(#function, words, function(__VA_ARGS__))
#define MAKE(words, function, ...)                                                                 \
    [&] {                                                                                          \
        cl_int make_error = 12345;                                                                 \
        auto make_result = function(__VA_ARGS__, &make_error);                                     \
        conformance::made(#function, words, make_result != nullptr, make_error);                   \
        return make_result;                                                                        \
    }()
