// SPDX-License-Identifier: MIT
//
// The functions below this layer, and the wrappers that stand above them in the runtime's tables.
#pragma once

#include <stddef.h>

#include "functions.hpp"

namespace lttng_gpu::hsa {

/// The runtime's. Null where its table has none, or has it at a place that is not sure.
extern Functions functions[1];
/// Of those that are not wrapped; null before a runtime has given its tables.
extern decltype(hsa_queue_load_read_index_relaxed)* load_read_index;

inline const Functions& runtime()
{
    return functions[0];
}

/// One per function that is wrapped.
struct TableSlot {
    unsigned table;  ///< of those in HsaApiTable
    bool is_settled; ///< at this place in every version so far
    size_t place;    ///< in its table
    size_t offset;   ///< of the real function in Functions
    void* wrapper;
};
extern const TableSlot table_slots[];
extern const unsigned table_slots_count;
/// Of each table, as the headers have it.
extern const unsigned table_bytes[];

/// Puts the wrappers into the runtime's tables, as far as these are known.
void wrap_tables(HsaApiTable& tables);

} // namespace lttng_gpu::hsa
