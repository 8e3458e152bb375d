// SPDX-License-Identifier: MIT
//
// The door of a tool of the HSA runtime (HSA_TOOLS_LIB): hsa_init() hands over its tables.
//
// Tables of other versions of the runtime: each begins with a version, whose minor number is its
// size. What lies behind that size is not there. Functions came to the end of tables, but for one
// that came into the middle of the AMD extensions'; so a slot is taken if every version so far has
// it at that place, or if the table has the size of the header's that this layer was built with.
#include <sys/auxv.h>

#include "lifecycle.hpp"
#include "provider.hpp"
#include "tables.hpp"

namespace lttng_gpu::hsa {

/// The highest of a table's major numbers that was compared with these headers.
static constexpr uint32_t newest_major = 2;

Functions functions[1] = {};
decltype(hsa_queue_load_read_index_relaxed)* load_read_index = nullptr;

static void wrap_slot(const TableSlot& slot, ApiTableVersion* table)
{
    if (!table || table->major_id == 0 || table->major_id > newest_major)
        return;
    const bool has_same_size = table->minor_id == table_bytes[slot.table];
    if (slot.place + sizeof(void*) > table->minor_id || !(slot.is_settled || has_same_size))
        return;
    void*& function = *reinterpret_cast<void**>(reinterpret_cast<char*>(table) + slot.place);
    if (!function || function == slot.wrapper)
        return;
    *reinterpret_cast<void**>(reinterpret_cast<char*>(functions) + slot.offset) = function;
    function = slot.wrapper;
}

/// Null where the runtime's list of tables is too short for it.
template <class Table>
static ApiTableVersion* version_of(const HsaApiTable& tables, Table* const& member)
{
    const auto place =
        reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&tables);
    return size_t(place) + sizeof(void*) <= tables.version.minor_id && member ? &member->version
                                                                              : nullptr;
}

void wrap_tables(HsaApiTable& tables)
{
    ApiTableVersion* const parts[] = {
        version_of(tables, tables.core_), version_of(tables, tables.amd_ext_),
        version_of(tables, tables.finalizer_ext_), version_of(tables, tables.image_ext_)};
    constexpr size_t read_index = offsetof(CoreApiTable, hsa_queue_load_read_index_relaxed_fn);
    if (parts[0] && parts[0]->minor_id >= read_index + sizeof(void*))
        load_read_index = tables.core_->hsa_queue_load_read_index_relaxed_fn;
    for (unsigned i = 0; i < table_slots_count; ++i)
        wrap_slot(table_slots[i], parts[table_slots[i].table]);
}

} // namespace lttng_gpu::hsa

#define DOOR extern "C" __attribute__((visibility("default")))

/// Called in hsa_init(), which the runtime's lock is held in. What it returns false for is closed.
DOOR bool OnLoad(HsaApiTable* tables, uint64_t, uint64_t, const char* const*);
DOOR void OnUnload();

bool OnLoad(HsaApiTable* tables, uint64_t, uint64_t, const char* const*)
{
    using namespace lttng_gpu::hsa;
    if (!tables || getauxval(AT_SECURE))
        return true;
    attach_provider();
    wrap_tables(*tables);
    start_with_runtime();
    return true;
}

/// The last hsa_shut_down(): all handles end. The tables are the runtime's to reset.
void OnUnload()
{
    lttng_gpu::hsa::end_with_runtime();
}
