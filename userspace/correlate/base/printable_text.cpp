// SPDX-License-Identifier: MIT
#include "printable_text.hpp"

#include <cstdint>
#include <fmt/format.h>

namespace lttng_gpu {
namespace {

struct Form {
    unsigned char lead;      // the fixed bits of the first byte
    unsigned char lead_mask; // which bits these are
    std::size_t length;
    std::uint32_t least; // anything smaller has a shorter form
};
constexpr Form forms[]{
    {0x00, 0x80, 1, 0}, {0xc0, 0xe0, 2, 0x80}, {0xe0, 0xf0, 3, 0x800}, {0xf0, 0xf8, 4, 0x10000}};

bool is_character(std::uint32_t code)
{
    const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    return !is_control && !is_surrogate && code <= 0x10ffff;
}

/// Bytes of the printable character that `bytes` begins with; 0 if there is none.
std::size_t character_length(std::string_view bytes)
{
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    for (const Form& form : forms) {
        if ((byte(0) & form.lead_mask) != form.lead) {
            continue;
        }
        std::uint32_t code = byte(0) & static_cast<unsigned char>(~form.lead_mask);
        for (std::size_t at = 1; at < form.length; ++at) {
            if (at >= bytes.size() || (byte(at) & 0xc0) != 0x80) {
                return 0;
            }
            code = code << 6 | (byte(at) & 0x3f);
        }
        return code >= form.least && is_character(code) ? form.length : 0;
    }
    return 0;
}

} // namespace

std::string printable_text(std::string_view bytes)
{
    std::string text;
    while (!bytes.empty()) {
        const std::size_t length = character_length(bytes);
        if (length > 0) {
            text += bytes.substr(0, length);
        } else {
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[0]));
        }
        bytes.remove_prefix(length > 0 ? length : 1);
    }
    return text;
}

} // namespace lttng_gpu
