// SPDX-License-Identifier: MIT
//
// See wire_reader.hpp. protozero is headers only: the babeltrace2 plugin has no need of
// libprotobuf, whose static library cannot be linked into a plugin.
#include "wire_reader.hpp"

#include <algorithm>
#include <protozero/types.hpp>
#include <protozero/varint.hpp>

namespace lttng_gpu::trace::perfetto {

using protozero::pbf_wire_type;

std::optional<std::uint64_t> take_varint(Bytes& rest)
{
    const char* const begin = reinterpret_cast<const char*>(rest.data());
    const char* at = begin;
    try {
        const std::uint64_t value = protozero::decode_varint(&at, begin + rest.size());
        rest = rest.subspan(static_cast<std::size_t>(at - begin));
        return value;
    } catch (const protozero::exception&) {
        return {};
    }
}

bool WireReader::next()
{
    if (x_is_damaged || x_rest.empty()) {
        return false;
    }
    const bool is_read = take_field();
    x_is_damaged |= !is_read;
    return is_read;
}

bool WireReader::take_field()
{
    const auto tag = take_varint(x_rest);
    if (!tag || *tag > UINT32_MAX || *tag >> 3 == 0) {
        return false;
    }
    x_field = {static_cast<std::uint32_t>(*tag >> 3), false, 0, {}};
    switch (static_cast<pbf_wire_type>(*tag & 7)) {
    case pbf_wire_type::varint: {
        const auto value = take_varint(x_rest);
        x_field.value = value.value_or(0);
        return value.has_value();
    }
    case pbf_wire_type::fixed64:
        return take_fixed(8);
    case pbf_wire_type::fixed32:
        return take_fixed(4);
    case pbf_wire_type::length_delimited:
        return take_bytes();
    default: // groups, which Perfetto does not write, and what is no type
        return false;
    }
}

bool WireReader::take_fixed(unsigned size)
{
    if (x_rest.size() < size) {
        return false;
    }
    for (unsigned byte = 0; byte < size; ++byte) {
        x_field.value |= std::uint64_t{x_rest[byte]} << (8 * byte);
    }
    x_rest = x_rest.subspan(size);
    return true;
}

bool WireReader::take_bytes()
{
    const auto length = take_varint(x_rest);
    if (!length) {
        return false;
    }
    x_is_damaged = *length > x_rest.size();
    x_field.has_bytes = true;
    x_field.bytes =
        x_rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(*length, x_rest.size())));
    x_rest = x_rest.subspan(x_field.bytes.size());
    return true;
}

} // namespace lttng_gpu::trace::perfetto
