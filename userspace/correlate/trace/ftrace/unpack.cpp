// SPDX-License-Identifier: MIT
//
// See unpack.hpp.
#include "unpack.hpp"

#include <zlib.h>
#include <zstd.h>

namespace lttng_gpu::trace::ftrace {
namespace {

bool unpack_into(Packing packing, std::string_view packed, std::string& result)
{
    if (packing == Packing::Zstd) {
        return ZSTD_decompress(result.data(), result.size(), packed.data(), packed.size()) ==
               result.size();
    }
    uLongf size = result.size();
    return ::uncompress(reinterpret_cast<Bytef*>(result.data()), &size,
                        reinterpret_cast<const Bytef*>(packed.data()), packed.size()) == Z_OK &&
           size == result.size();
}

} // namespace

std::optional<Packing> find_packing(std::string_view name)
{
    if (name.empty() || name == "none") {
        return Packing::None;
    }
    if (name == "zlib") {
        return Packing::Zlib;
    }
    return name == "zstd" ? std::optional{Packing::Zstd} : std::nullopt;
}

Expected<std::string> unpack(Packing packing, std::string_view packed, std::uint64_t size,
                             std::uint64_t limit)
{
    if (packing != Packing::None && size <= limit) {
        std::string result(size, '\0');
        if (unpack_into(packing, packed, result)) {
            return result;
        }
    }
    return Failure{{ErrorKind::DamagedTrace, "a compressed block cannot be unpacked"}};
}

} // namespace lttng_gpu::trace::ftrace
