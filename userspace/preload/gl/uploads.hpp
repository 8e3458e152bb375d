// SPDX-License-Identifier: MIT
//
// How much data a call hands over.
#pragma once

#include <stdint.h>

namespace lttng_gpu::gl {

/// Uploads of fewer bytes are counted only.
extern uint64_t least_upload_bytes;

/// From the environment: LTTNG_GPU_GL_UPLOAD_BYTES.
void read_upload_limit();

inline bool is_large(uint64_t bytes)
{
    return bytes >= least_upload_bytes;
}

/// Of pixels without padding between rows. 0: the format or type is not known.
uint64_t image_bytes(unsigned format, unsigned type, uint64_t pixels);

} // namespace lttng_gpu::gl
