// SPDX-License-Identifier: MIT
//
// Packs packets of Perfetto traces for tests, as the service does and in other ways.
#pragma once

#include "perfetto_writer.hpp"

#include <zlib.h>
#include <zstd.h>

namespace lttng_gpu::test {

/// `header` 0 is that of zlib, 16 that of gzip; a level of 0 only stores.
inline std::string deflated(const std::string& bytes, int header, int level = 6)
{
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, level, Z_DEFLATED, 15 + header, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string packed(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

inline std::string zstd_packed(const std::string& bytes)
{
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3));
    return packed;
}

/// A packet of packed packets.
inline std::string in_packet(const std::string& packed, bool is_zstd = false)
{
    perfetto::Trace trace;
    (is_zstd ? trace.add_packet()->mutable_zstd_compressed_packets()
             : trace.add_packet()->mutable_compressed_packets())
        ->assign(packed);
    return trace.SerializeAsString();
}

} // namespace lttng_gpu::test
