// SPDX-License-Identifier: MIT
//
// See wire_reader.hpp.
#include "wire_reader.hpp"

#include <algorithm>
#include <google/protobuf/wire_format_lite.h>

namespace lttng_gpu::trace::perfetto {

using google::protobuf::internal::WireFormatLite;

bool WireReader::next()
{
    if (x_is_damaged) {
        return false;
    }
    const std::uint32_t tag = x_stream.ReadTag();
    if (tag == 0) {
        x_is_damaged = !x_stream.ConsumedEntireMessage();
        return false;
    }
    x_field = {static_cast<std::uint32_t>(WireFormatLite::GetTagFieldNumber(tag)), false, 0, {}};
    bool is_read = false;
    switch (WireFormatLite::GetTagWireType(tag)) {
    case WireFormatLite::WIRETYPE_VARINT:
        is_read = x_stream.ReadVarint64(&x_field.value);
        break;
    case WireFormatLite::WIRETYPE_FIXED64:
        is_read = x_stream.ReadLittleEndian64(&x_field.value);
        break;
    case WireFormatLite::WIRETYPE_FIXED32: {
        std::uint32_t value = 0;
        is_read = x_stream.ReadLittleEndian32(&value);
        x_field.value = value;
        break;
    }
    case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
        is_read = take_bytes();
        break;
    default: // groups, which Perfetto does not write, and what is no type
        break;
    }
    if (!is_read) {
        x_is_damaged = true;
    }
    return is_read && x_field.number != 0;
}

bool WireReader::take_bytes()
{
    std::uint32_t length = 0;
    if (!x_stream.ReadVarint32(&length)) {
        return false;
    }
    const void* data = nullptr;
    int available = 0;
    if (!x_stream.GetDirectBufferPointer(&data, &available)) {
        available = 0; // at the end
    }
    const std::uint32_t taken = std::min(length, static_cast<std::uint32_t>(available));
    x_is_damaged = taken < length;
    x_field.has_bytes = true;
    x_field.bytes = {static_cast<const std::uint8_t*>(data), taken};
    return x_stream.Skip(static_cast<int>(taken));
}

} // namespace lttng_gpu::trace::perfetto
