// SPDX-License-Identifier: MIT
//
// CTF 2 metadata of any bytes behind the preamble, which an input need not find.
#include "trace/ctf/metadata/read_metadata.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::string text = "\x1e{\"type\": \"preamble\", \"version\": 2}\x1e";
    if (size > 0 && data[0] == 0x1e) {
        text.clear(); // has its own
    }
    text.append(reinterpret_cast<const char*>(data), size);
    const auto schema = lttng_gpu::trace::ctf::read_metadata(text);
    const bool is_one_line = schema || (!schema.error().message.empty() &&
                                        schema.error().message.find('\n') == std::string::npos);
    if (!is_one_line || (schema && schema->register_count > size)) {
        std::abort();
    }
    return 0;
}
