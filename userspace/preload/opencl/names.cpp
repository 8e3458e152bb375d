// SPDX-License-Identifier: MIT
#include "names.hpp"

#include <stdlib.h>
#include <string.h>

#include "lifecycle.hpp"
#include "objects.hpp"
#include "runtime/handle_table.hpp"
#include "runtime/recent.hpp"
#include "tables.hpp"

namespace lttng_gpu::opencl {

struct KeptName {
    KeptName* next;
    char text[];
};

static constexpr unsigned buckets_count = 256;
static KeptName* buckets[buckets_count];
static SpinLock names_lock;
static HandleTable<const char*> names_by_kernel;

static uint32_t hash_text(const char* text)
{
    uint32_t hash = 2166136261;
    for (; *text; ++text)
        hash = (hash ^ static_cast<unsigned char>(*text)) * 16777619;
    return hash;
}

const char* keep_name(const char* name)
{
    KeptName*& first = buckets[hash_text(name) % buckets_count];
    Guard guard(names_lock);
    for (KeptName* kept = first; kept; kept = kept->next) {
        if (!strcmp(kept->text, name))
            return kept->text;
    }
    const size_t bytes = strlen(name) + 1;
    auto* kept = static_cast<KeptName*>(malloc(sizeof(KeptName) + bytes));
    if (!kept)
        return nullptr;
    memcpy(kept->text, name, bytes);
    kept->next = first;
    first = kept;
    return kept->text;
}

/// Null without memory: it is asked for again.
static const char* ask_name(cl_kernel kernel)
{
    char few[256];
    size_t bytes = 0;
    const auto info = core().clGetKernelInfo;
    if (info(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &bytes) != CL_SUCCESS || !bytes)
        return "";
    char* name = bytes > sizeof(few) ? static_cast<char*>(malloc(bytes)) : few;
    if (!name)
        return nullptr;
    const bool is_told = info(kernel, CL_KERNEL_FUNCTION_NAME, bytes, name, nullptr) == CL_SUCCESS;
    const char* kept = is_told ? keep_name(name) : "";
    if (name != few)
        free(name);
    return kept;
}

static uint32_t kernels_released = 0;
static thread_local Recent<const char*> recent_name
    __attribute__((tls_model("initial-exec"))) = {nullptr, nullptr, 0};

const char* kernel_name(cl_kernel kernel)
{
    const char* const found = find_recent(recent_name, kernels_released, kernel, [&] {
        const char* name = nullptr;
        if (!names_by_kernel.with(kernel, [&](const char* known) { name = known; })) {
            start_tracking(); // its release must be seen
            name = ask_name(kernel);
            if (name)
                names_by_kernel.set(kernel, name);
        }
        return name;
    });
    return found ? found : "";
}

/// It may live on; then its name is asked for again.
void before_kernel_release(cl_kernel kernel)
{
    names_by_kernel.remove(kernel);
    __atomic_add_fetch(&kernels_released, 1, __ATOMIC_RELEASE);
}

void forget_kernels()
{
    names_by_kernel.clear();
    __atomic_add_fetch(&kernels_released, 1, __ATOMIC_RELEASE);
}

void lock_kernels()
{
    names_lock.lock();
    names_by_kernel.lock_all();
}

void unlock_kernels()
{
    names_by_kernel.unlock_all();
    names_lock.unlock();
}

} // namespace lttng_gpu::opencl
