// SPDX-License-Identifier: MIT
//
// TSDL metadata of any bytes: plain, or in packets when the bytes say so.
#include "trace/ctf/metadata/read_metadata.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    const auto schema = lttng_gpu::trace::ctf::read_metadata(bytes);
    const bool is_one_line = schema || (!schema.error().message.empty() &&
                                        schema.error().message.find('\n') == std::string::npos);
    if (!is_one_line || (schema && schema->register_count > size)) {
        std::abort();
    }
    return 0;
}
