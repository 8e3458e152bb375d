// SPDX-License-Identifier: MIT
//
// The value of one field into another of the same shape (see field_class_copy.hpp).
#pragma once

#include <babeltrace2/babeltrace.h>

namespace lttng_gpu::exporting {

/// False when memory is short. Null for both is fine: a scope that is not there.
bool copy_field(const bt_field* original, bt_field* target);

} // namespace lttng_gpu::exporting
