// SPDX-License-Identifier: MIT
#include "kernels.hpp"

#include <stdlib.h>
#include <string.h>

#include "provider.hpp"
#include "runtime/handle_table.hpp"
#include "tables.hpp"

namespace lttng_gpu::hsa {

static HandleTable<char*> names;

/// Null where the runtime does not tell it.
static char* ask_name(hsa_executable_symbol_t symbol)
{
    const auto ask = runtime().hsa_executable_symbol_get_info;
    uint32_t length = 0;
    if (ask(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH, &length) != HSA_STATUS_SUCCESS)
        return nullptr;
    char* name = static_cast<char*>(calloc(size_t(length) + 1, 1));
    if (name && ask(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, name) != HSA_STATUS_SUCCESS) {
        free(name);
        return nullptr;
    }
    return name;
}

/// Of code objects since version 3 the symbol is that of the kernel's descriptor.
static void cut_suffix(char* name)
{
    static const char suffix[] = ".kd";
    const size_t length = strlen(name);
    if (length > sizeof(suffix) - 1 && !strcmp(name + length - (sizeof(suffix) - 1), suffix))
        name[length - (sizeof(suffix) - 1)] = 0;
}

void note_kernel(hsa_executable_symbol_t symbol, uint64_t object)
{
    char* name = object ? ask_name(symbol) : nullptr;
    if (!name)
        return;
    cut_suffix(name);
    if (EVENT_ENABLED(kernel)) {
        const lttng_gpu_hsa_kernel record = {object, name};
        events.kernel(&record);
    }
    char* before = nullptr;
    const bool is_known = names.with(key(object), [&](char*& known) {
        before = known;
        known = name;
    });
    if (!is_known && !names.set(key(object), name))
        before = name;
    free(before);
}

void find_kernel(uint64_t object, KernelName& name)
{
    names.with(key(object), [&](const char* known) {
        const size_t length = strnlen(known, sizeof(name.text) - 1);
        memcpy(name.text, known, length);
        name.text[length] = 0;
    });
}

void forget_kernels()
{
    names.for_each([](const void*, char*& name) {
        free(name);
        name = nullptr;
    });
    names.clear();
}

void lock_kernels()
{
    names.lock_all();
}

void unlock_kernels()
{
    names.unlock_all();
}

} // namespace lttng_gpu::hsa
