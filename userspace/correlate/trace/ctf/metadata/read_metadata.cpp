// SPDX-License-Identifier: MIT
#include "read_metadata.hpp"

#include "../../mapped_file.hpp"
#include "../../metadata_packets.hpp"
#include "ctf2_reader.hpp"
#include "field_binder.hpp"
#include "tsdl_reader.hpp"

#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::uint64_t file_limit = 64U
                                     << 20U; // bytes; the kernel's every event takes about 1 MiB
constexpr char record_separator = '\x1e';    // RFC 7464

/// Types that are used by name make more fields than the text has; so many more are fine.
std::size_t field_limit(std::size_t text_size)
{
    return 65536 + text_size / 8;
}

} // namespace

Expected<Schema> read_metadata(std::string_view bytes)
{
    auto unpacked = unpack_metadata(bytes);
    if (!unpacked) {
        return Failure{unpacked.error()};
    }
    const std::string_view text = *unpacked ? std::string_view{**unpacked} : bytes;
    auto draft = text.starts_with(record_separator) ? read_ctf2(text) : read_tsdl(text);
    if (!draft) {
        return Failure{draft.error()};
    }
    return bind_fields(std::move(*draft), field_limit(text.size()));
}

Expected<Schema> read_metadata_file(const std::filesystem::path& metadata)
{
    const auto unreadable = [&](std::string_view why) {
        return Failure{{ErrorKind::UnreadableTrace,
                        fmt::format("cannot read {}: {}", metadata.string(), why)}};
    };
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(metadata, error);
    if (error) {
        return unreadable(error.message());
    }
    if (size > file_limit) {
        return unreadable(fmt::format("expected no more than {} bytes of metadata", file_limit));
    }
    const auto file = MappedFile::open(metadata);
    if (!file) {
        return Failure{file.error()};
    }
    const auto bytes = file->bytes();
    auto schema = read_metadata({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return schema ? std::move(schema) : Expected<Schema>{unreadable(schema.error().message)};
}

} // namespace lttng_gpu::trace::ctf
