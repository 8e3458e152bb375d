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
    if (m_is_damaged || m_rest.empty()) {
        return false;
    }
    const bool is_read = take_field();
    m_is_damaged |= !is_read;
    return is_read;
}

bool WireReader::take_field()
{
    const auto tag = take_varint(m_rest);
    if (!tag || *tag > UINT32_MAX || *tag >> 3 == 0) {
        return false;
    }
    m_field = {static_cast<std::uint32_t>(*tag >> 3), false, 0, {}};
    switch (static_cast<pbf_wire_type>(*tag & 7)) {
    case pbf_wire_type::varint: {
        const auto value = take_varint(m_rest);
        m_field.value = value.value_or(0);
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
    if (m_rest.size() < size) {
        return false;
    }
    for (unsigned byte = 0; byte < size; ++byte) {
        m_field.value |= std::uint64_t{m_rest[byte]} << (8 * byte);
    }
    m_rest = m_rest.subspan(size);
    return true;
}

bool WireReader::take_bytes()
{
    const auto length = take_varint(m_rest);
    if (!length) {
        return false;
    }
    m_is_damaged = *length > m_rest.size();
    m_field.has_bytes = true;
    m_field.bytes =
        m_rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(*length, m_rest.size())));
    m_rest = m_rest.subspan(m_field.bytes.size());
    return true;
}

} // namespace lttng_gpu::trace::perfetto
