// SPDX-License-Identifier: MIT
#include "uploads.hpp"

#include <stdlib.h>

namespace lttng_gpu::gl {

uint64_t least_upload_bytes = 65536;

void read_upload_limit()
{
    const char* const text = getenv("LTTNG_GPU_GL_UPLOAD_BYTES");
    char* end = nullptr;
    const unsigned long long bytes = text ? strtoull(text, &end, 10) : 0;
    if (text && end != text && !*end)
        least_upload_bytes = bytes;
}

/// OpenGL 4.6, table 8.3.
static unsigned components_of(unsigned format)
{
    switch (format) {
    case 0x1900: // COLOR_INDEX
    case 0x1901: // STENCIL_INDEX
    case 0x1902: // DEPTH_COMPONENT
    case 0x1903: // RED
    case 0x1904: // GREEN
    case 0x1905: // BLUE
    case 0x1906: // ALPHA
    case 0x1909: // LUMINANCE
    case 0x8D94: // RED_INTEGER
    case 0x8D95: // GREEN_INTEGER
    case 0x8D96: // BLUE_INTEGER
        return 1;
    case 0x190A: // LUMINANCE_ALPHA
    case 0x8227: // RG
    case 0x8228: // RG_INTEGER
    case 0x84F9: // DEPTH_STENCIL
        return 2;
    case 0x1907: // RGB
    case 0x80E0: // BGR
    case 0x8D98: // RGB_INTEGER
    case 0x8D9A: // BGR_INTEGER
        return 3;
    case 0x1908: // RGBA
    case 0x80E1: // BGRA
    case 0x8D99: // RGBA_INTEGER
    case 0x8D9B: // BGRA_INTEGER
        return 4;
    }
    return 0;
}

/// OpenGL 4.6, table 8.2 and 8.5: of one component.
static unsigned component_bytes_of(unsigned type)
{
    switch (type) {
    case 0x1400: // BYTE
    case 0x1401: // UNSIGNED_BYTE
        return 1;
    case 0x1402: // SHORT
    case 0x1403: // UNSIGNED_SHORT
    case 0x140B: // HALF_FLOAT
    case 0x8D61: // HALF_FLOAT_OES
        return 2;
    case 0x1404: // INT
    case 0x1405: // UNSIGNED_INT
    case 0x1406: // FLOAT
        return 4;
    }
    return 0;
}

/// Likewise: of a pixel whose components are packed.
static unsigned packed_bytes_of(unsigned type)
{
    switch (type) {
    case 0x8032: // UNSIGNED_BYTE_3_3_2
    case 0x8362: // UNSIGNED_BYTE_2_3_3_REV
        return 1;
    case 0x8033: // UNSIGNED_SHORT_4_4_4_4
    case 0x8034: // UNSIGNED_SHORT_5_5_5_1
    case 0x8363: // UNSIGNED_SHORT_5_6_5
    case 0x8364: // UNSIGNED_SHORT_5_6_5_REV
    case 0x8365: // UNSIGNED_SHORT_4_4_4_4_REV
    case 0x8366: // UNSIGNED_SHORT_1_5_5_5_REV
        return 2;
    case 0x8035: // UNSIGNED_INT_8_8_8_8
    case 0x8036: // UNSIGNED_INT_10_10_10_2
    case 0x8367: // UNSIGNED_INT_8_8_8_8_REV
    case 0x8368: // UNSIGNED_INT_2_10_10_10_REV
    case 0x84FA: // UNSIGNED_INT_24_8
    case 0x8C3B: // UNSIGNED_INT_10F_11F_11F_REV
    case 0x8C3E: // UNSIGNED_INT_5_9_9_9_REV
        return 4;
    case 0x8DAD: // FLOAT_32_UNSIGNED_INT_24_8_REV
        return 8;
    }
    return 0;
}

uint64_t image_bytes(unsigned format, unsigned type, uint64_t pixels)
{
    const unsigned packed = packed_bytes_of(type);
    return pixels * (packed ? packed : components_of(format) * component_bytes_of(type));
}

} // namespace lttng_gpu::gl
