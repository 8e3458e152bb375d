// SPDX-License-Identifier: MIT
//
// See unpack.hpp.
#include "unpack.hpp"

#include <memory>
#include <zlib.h>
#include <zstd.h>

namespace lttng_gpu::trace::perfetto {
namespace {

/// Perfetto packs about half a megabyte at once; most of it is texts that repeat.
constexpr std::size_t largest = std::size_t{64} << 20;
constexpr std::size_t step = std::size_t{256} << 10;

/// One step of unpacking into the free part at the end.
enum class Step : std::uint8_t { GoesOn, Done, Cut, Failed };

/// Grows the result until all is in it. `run` writes from `used` on and moves `used`.
template <typename Run> std::optional<Unpacked> grow(Run run)
{
    std::vector<std::uint8_t> result;
    std::size_t used = 0;
    for (;;) {
        if (used == result.size()) {
            if (used >= largest) {
                return {};
            }
            result.resize(used + std::max(step, used));
        }
        const Step done = run(result, used);
        if (done == Step::Failed) {
            return {};
        }
        if (done != Step::GoesOn) {
            result.resize(used);
            return Unpacked{std::move(result), done == Step::Done};
        }
    }
}

std::optional<Unpacked> inflate_all(Bytes packed)
{
    z_stream stream{};
    constexpr int any_header = 15 + 32; // of zlib, which Perfetto writes, and of gzip
    if (::inflateInit2(&stream, any_header) != Z_OK) {
        return {};
    }
    const std::unique_ptr<z_stream, decltype(&::inflateEnd)> guard{&stream, ::inflateEnd};
    stream.next_in = const_cast<Bytef*>(packed.data()); // zlib does not write there
    stream.avail_in = static_cast<uInt>(packed.size());
    return grow([&](std::vector<std::uint8_t>& result, std::size_t& used) {
        stream.next_out = result.data() + used;
        stream.avail_out = static_cast<uInt>(result.size() - used);
        const int code = ::inflate(&stream, Z_NO_FLUSH);
        used = result.size() - stream.avail_out;
        if (code == Z_STREAM_END) {
            return Step::Done;
        }
        if (code != Z_OK && code != Z_BUF_ERROR) {
            return Step::Failed;
        }
        return stream.avail_out == 0 ? Step::GoesOn : Step::Cut;
    });
}

std::optional<Unpacked> decompress_all(Bytes packed)
{
    const std::unique_ptr<ZSTD_DStream, decltype(&::ZSTD_freeDStream)> stream{
        ::ZSTD_createDStream(), ::ZSTD_freeDStream};
    ZSTD_inBuffer in{packed.data(), packed.size(), 0};
    return grow([&](std::vector<std::uint8_t>& result, std::size_t& used) {
        ZSTD_outBuffer out{result.data(), result.size(), used};
        const std::size_t code = ::ZSTD_decompressStream(stream.get(), &out, &in);
        used = out.pos;
        if (::ZSTD_isError(code) != 0) {
            return Step::Failed;
        }
        if (code == 0) {
            return Step::Done;
        }
        return out.pos == out.size ? Step::GoesOn : Step::Cut;
    });
}

} // namespace

std::optional<Unpacked> unpack(Packing packing, Bytes packed)
{
    return packing == Packing::Zstd ? decompress_all(packed) : inflate_all(packed);
}

} // namespace lttng_gpu::trace::perfetto
