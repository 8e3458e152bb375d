// SPDX-License-Identifier: MIT
//
// For programs that place points by hand (lttng_gpu_device.h): they have the recorder and the
// buffer themselves, and hand over what was recorded.
#include <fnmatch.h>
#include <string.h>

#define LTTNG_GPU_RUNTIME_TYPES_ONLY
#include "parts.hpp"
#include "runtime/session_check.hpp"
#include "userspace/instrument/header/lttng_gpu_device.h"

namespace lttng_gpu::device {

static constexpr size_t most_name = 128;

/// Copies the part of a list up to its next comma, without spaces, and moves on.
static void take_word(const char*& list, char (&word)[most_name])
{
    list += strspn(list, " \t\n,");
    const size_t length = strcspn(list, ",");
    size_t used = length < most_name - 1 ? length : most_name - 1;
    memcpy(word, list, used);
    while (used && strchr(" \t\n", word[used - 1]))
        --used;
    word[used] = 0;
    list += length;
}

bool is_chosen(const char* kernel)
{
    char pattern[most_name];
    for (const char* list = settings.kernels; *list;) {
        take_word(list, pattern);
        if (*pattern && !fnmatch(pattern, kernel, 0))
            return true;
    }
    return false;
}

static uint64_t tell_program(const char* names)
{
    const uint64_t program = new_number();
    char name[most_name];
    for (uint32_t number = 0; *names; ++number) {
        take_word(names, name);
        const lttng_gpu_devicetrace_location record = {program, number, 0, 0, "point", name};
        if (*name)
            events.location(&record);
    }
    return program;
}

static uint64_t begin_launch(uint64_t program, const char* kernel, uint64_t stream, uint64_t device,
                             int warps, int times, size_t* bytes)
{
    if (!is_enabled(events.launch_state) || !is_chosen(kernel))
        return 0;
    const lttng_gpu_devicetrace_launch record = {
        new_number(), program, 0, stream, kernel, uint8_t(warps), uint8_t(times), device};
    events.launch(&record);
    *bytes = settings.buffer_bytes;
    return record.launch;
}

static uint64_t begin_launch_1(uint64_t program, const char* kernel, uint64_t stream, int warps,
                               int times, size_t* bytes)
{
    return begin_launch(program, kernel, stream, 0, warps, times, bytes);
}

static void finish_launch(uint64_t launch, const uint32_t* words, size_t count, int warps,
                          int times, int status, uint64_t completed)
{
    const uint32_t head[chunk_words] = {};
    const uint32_t* told = count >= chunk_words ? words : head;
    const size_t chunks = count / chunk_words - (count >= chunk_words);
    Parts parts(launch);
    Packer packer(parts.bytes(), {warps != 0, times != 0});
    const Phase phases[] = {Phase::Blocks, Phase::Chunks, Phase::Ends};
    for (const Phase phase : phases) {
        for (size_t done = 0; parts.bytes() && done < chunks;) {
            const unsigned taken =
                for_each_piece(words + (done + 1) * chunk_words, chunks - done, phase,
                               [&](const Piece& piece) { parts.put(packer, piece); });
            done += taken ? taken : chunks - done;
        }
    }
    if (parts.bytes())
        parts.write(packer);
    const uint64_t sizes[3] = {told[4], told[5], told[6]};
    const uint64_t groups[3] = {told[7], told[8], told[9]};
    const lttng_gpu_devicetrace_launch_end record = {
        launch, chunks, told[1],  told[2], parts.count(), status, told[4] ? 3u : 0u,
        sizes,  groups, completed};
    events.launch_end(&record);
}

} // namespace lttng_gpu::device

extern "C" __attribute__((visibility("default"))) const void*
lttng_gpu_device_runtime(uint32_t version)
{
    using namespace lttng_gpu::device;
    static const lttng_gpu_device_runtime_1 first = {tell_program, begin_launch_1, finish_launch};
    static const lttng_gpu_device_runtime_2 second = {tell_program, begin_launch, finish_launch};
    read_settings();
    if ((version != 1 && version != 2) || !settings.is_on)
        return nullptr;
    attach_provider();
    return version == 1 ? static_cast<const void*>(&first) : &second;
}
