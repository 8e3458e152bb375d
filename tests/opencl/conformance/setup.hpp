// SPDX-License-Identifier: MIT
//
// What every section of the conformance program begins with, and what it asks of objects.
#pragma once

#include "log.hpp"

#include <atomic>
#include <functional>

namespace conformance {

struct Device {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
};

// The platform in $CONFORMANCE_PLATFORM (a part of its name), else the first one, and its first
// device.
Device find_device();

// A context of one device; released with its section.
class Context {
public:
    explicit Context(const Device& device);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    operator cl_context() const { return m_context; }
    const Device& device() const { return m_device; }
    // Not logged. Released by the caller.
    cl_command_queue queue(cl_command_queue_properties properties = 0) const;
    cl_mem buffer(std::size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE) const;
    // Built for the device.
    cl_program program(const char* source) const;

private:
    Device m_device;
    cl_context m_context = nullptr;
};

void pause_half_a_millisecond();

// Reads an information of type T; logs the result, and the value where `shown`.
template <class T, class Function, class Object, class Name>
T information(const char* function, Function call, const char* words, Object object, Name name,
              bool shown = true)
{
    T value{};
    std::size_t size = 0;
    called(function);
    const cl_int result = call(object, name, sizeof value, &value, &size);
    if (result != CL_SUCCESS)
        line("%s %s: %d", function, words, result);
    else if (shown)
        line("%s %s: %lld in %zu bytes", function, words, (long long)value, size);
    else
        line("%s %s: %zu bytes", function, words, size);
    return value;
}

// Logs the least number of references seen within a thirtieth of a second, or one: a driver's
// threads may hold an object for a moment after a command's end, but nobody may hold it for long.
template <class Function, class Object, class Name>
void references_left(const char* function, Function call, const char* words, Object object,
                     Name name)
{
    called(function);
    cl_int result = CL_SUCCESS;
    cl_uint least = ~0u;
    for (int tries = 0; tries < 60 && result == CL_SUCCESS && least > 1; ++tries) {
        cl_uint value = 0;
        result = call(object, name, sizeof value, &value, nullptr);
        least = value < least ? value : least;
        if (least > 1)
            pause_half_a_millisecond();
    }
    line("%s: %u references left, %d", words, least, result);
}

// A counter that callbacks of other threads add to.
class Count {
public:
    void add() { m_value.fetch_add(1, std::memory_order_release); }
    int value() const { return m_value.load(std::memory_order_acquire); }
    // Waits until it is at least `least`, ten seconds at most, and a little longer for what should
    // not come.
    int settled(int least) const;
    // What came within a fifth of a second, where a driver may leave a callback out.
    int after_a_while() const;

private:
    std::atomic<int> m_value{0};
};

// Does it in a child process, and says whether that lived: drivers end the program in functions
// that they do not implement. `words` are logged when it did not.
bool is_survived(const char* function, const char* words, const std::function<void()>& call);

} // namespace conformance

// Calls it only where a child that did so lived.
#define CALL_IF_SURVIVED(words, function, ...)                                                     \
    (conformance::is_survived(#function, words, [&] { function(__VA_ARGS__); }) &&                 \
     CALL(words, function, __VA_ARGS__) == CL_SUCCESS)
#define MAKE_IF_SURVIVED(words, function, ...)                                                     \
    do {                                                                                           \
        if (conformance::is_survived(#function, words, [&] { function(__VA_ARGS__, nullptr); }))   \
            MAKE(words, function, __VA_ARGS__);                                                    \
    } while (false)
#define REFERENCES_LEFT(words, function, object, name)                                             \
    conformance::references_left(#function, function, words, object, name)
#define INFO(type, words, function, object, name)                                                  \
    conformance::information<type>(#function, function, words, object, name)
// Of values that differ between runs: only the size and the result.
#define INFO_HIDDEN(type, words, function, object, name)                                           \
    conformance::information<type>(#function, function, words, object, name, false)
