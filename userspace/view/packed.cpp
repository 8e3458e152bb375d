// SPDX-License-Identifier: MIT
//
// See packed.hpp.
#include "packed.hpp"

#include <new>
#include <zlib.h>

namespace lttng_gpu::view {

std::string deflated(std::string_view bytes)
{
    uLongf size = compressBound(bytes.size());
    std::string result(size, '\0');
    const int code = compress2(reinterpret_cast<Bytef*>(result.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                               Z_BEST_SPEED); // the default takes twice as long for one per cent
    if (code != Z_OK) {
        throw std::bad_alloc{}; // nothing else can happen: the room is large enough
    }
    result.resize(size);
    result.shrink_to_fit();
    return result;
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t place = 0; place < bytes.size(); place += 3) {
        std::uint32_t group = 0;
        for (std::size_t next = place; next < place + 3; ++next) {
            group =
                group << 8U | (next < bytes.size() ? static_cast<std::uint8_t>(bytes[next]) : 0U);
        }
        for (unsigned digit = 0; digit < 4; ++digit) {
            const bool is_padding = place + digit > bytes.size();
            text += is_padding ? '=' : digits[group >> (18U - 6U * digit) & 63U];
        }
    }
    return text;
}

} // namespace lttng_gpu::view
