// SPDX-License-Identifier: MIT
#include "counts.hpp"

#include "runtime/handle_table.hpp"

namespace lttng_gpu::gl {

__thread Counts counts = {0, 0, 0, false, 0};

/// Of contexts that are current in no thread.
static HandleTable<Counts> contexts;
/// Numbers of the last frames.
static HandleTable<uint64_t> surfaces;

static const void* key(uint64_t handle)
{
    return reinterpret_cast<const void*>(static_cast<uintptr_t>(handle));
}

static bool has_counted(const Counts& some)
{
    return (some.draws | some.dispatches | some.uploads) != 0 || some.has_work;
}

void switch_context(uint64_t context)
{
    if (counts.context == context)
        return;
    if (counts.context && has_counted(counts))
        contexts.set(key(counts.context), counts);
    counts = {0, 0, 0, false, context};
    if (!context)
        return;
    contexts.remove_if(key(context), [](const Counts& kept) {
        counts = kept;
        return true;
    });
}

void forget_context(uint64_t context)
{
    contexts.remove(key(context));
}

uint64_t next_frame(uint64_t surface)
{
    uint64_t number = 1;
    if (!surfaces.with(key(surface), [&number](uint64_t& last) { number = ++last; }))
        surfaces.set(key(surface), number);
    return number;
}

void forget_surface(uint64_t surface)
{
    surfaces.remove(key(surface));
}

void lock_counts()
{
    contexts.lock_all();
    surfaces.lock_all();
}

void unlock_counts()
{
    surfaces.unlock_all();
    contexts.unlock_all();
}

} // namespace lttng_gpu::gl
