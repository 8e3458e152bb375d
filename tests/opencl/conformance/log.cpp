// SPDX-License-Identifier: MIT
#include "log.hpp"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <map>

namespace conformance {

namespace {

const char* current_section = "";

std::map<std::string, int>& calls()
{
    static std::map<std::string, int> counts;
    return counts;
}

// In the order of the table; the test compares this list with the header's.
const char* const entries[] = {
#include "dispatch_entries.inc"
};

} // namespace

void line(const char* format, ...)
{
    std::printf("%s: ", current_section);
    va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
    std::printf("\n");
    // A crash must leave what led to it.
    std::fflush(stdout);
}

void section(const char* name)
{
    current_section = name;
}

void called(const char* function)
{
    ++calls()[function];
}

cl_int status(const char* function, const char* words, cl_int result)
{
    called(function);
    line("%s %s: %d", function, words, result);
    return result;
}

void made(const char* function, const char* words, bool exists, cl_int error)
{
    called(function);
    line("%s %s: %s, %d", function, words, exists ? "object" : "none", error);
}

void list_calls(cl_platform_id platform)
{
    // What the driver itself lacks cannot be called: the loader would jump to nothing.
    const auto* table = *reinterpret_cast<void* const* const*>(platform);
    int index = 0;
    for (const char* entry : entries) {
        const int count = calls().count(entry) ? calls()[entry] : 0;
        line("%s: %d calls%s", entry, count, table[index] ? "" : ", not in the driver");
        ++index;
    }
}

std::string digest(const void* data, std::size_t size)
{
    // FNV-1a.
    std::uint64_t value = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < size; ++i)
        value = (value ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
    char text[40];
    std::snprintf(text, sizeof text, "%zu bytes %016llx", size,
                  static_cast<unsigned long long>(value));
    return text;
}

} // namespace conformance
