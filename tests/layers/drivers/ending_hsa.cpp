// SPDX-License-Identifier: MIT
//
// An HSA runtime that ends by itself, see ending.h: a tool that is loaded before the layer, and
// puts its functions into the tables.
#include <hsa/hsa.h>
// As the runtime includes it: its neighbours are beside it.
#define AMD_INTERNAL_BUILD
#include <hsa/hsa_api_trace.h>
#include <stddef.h>
#include <stdint.h>

#include "ending.h"

/// Those that are watched have their names, others their places.
static const char* name_of(const char* table, size_t place, char* room, size_t room_bytes)
{
    static const struct {
        size_t place;
        const char* name;
    } known[] = {
        {offsetof(CoreApiTable, hsa_signal_create_fn), "hsa_signal_create"},
        {offsetof(CoreApiTable, hsa_queue_create_fn), "hsa_queue_create"},
        {offsetof(CoreApiTable, hsa_signal_store_screlease_fn), "hsa_signal_store_screlease"}};

    for (size_t i = 0; !strcmp(table, "core") && i < sizeof(known) / sizeof(*known); ++i) {
        if (known[i].place == place)
            return known[i].name;
    }
    snprintf(room, room_bytes, "function at %zu of table %s", place, table);
    return room;
}

static void take(const char* table, ApiTableVersion* version)
{
    char room[64];

    for (size_t place = sizeof(*version); version && place + sizeof(void*) <= version->minor_id;
         place += sizeof(void*)) {
        void** const function = (void**)((char*)version + place);

        *function = ending_stub(name_of(table, place, room, sizeof(room)), *function);
    }
}

extern "C" __attribute__((visibility("default"))) bool OnLoad(HsaApiTable* tables, uint64_t,
                                                              uint64_t, const char* const*)
{
    take("core", &tables->core_->version);
    take("amd_ext", &tables->amd_ext_->version);
    return true;
}
