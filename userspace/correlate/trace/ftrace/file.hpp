// SPDX-License-Identifier: MIT
//
// A file that is read and never mapped: one that shrinks meanwhile then ends early
// and does not kill the program. Errors name the file.
#pragma once

#include "../../base/expected.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace lttng_gpu::trace::ftrace {

class File {
public:
    static Expected<File> open(const std::filesystem::path& path);

    File(File&& other) noexcept;
    File& operator=(File&& other) = delete;
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();

    /// 0 for what the kernel makes while it is read.
    std::uint64_t size() const { return m_size; }
    const std::filesystem::path& path() const { return m_path; }

    /// The next bytes, as many as come at once; 0 at the end.
    Expected<std::size_t> read(std::span<std::byte> into);
    /// From a place on, until `into` is full or the file ends.
    Expected<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) const;

private:
    File(std::filesystem::path path, int descriptor, std::uint64_t size)
        : m_path{std::move(path)}, m_descriptor{descriptor}, m_size{size}
    {
    }

    std::filesystem::path m_path;
    int m_descriptor;
    std::uint64_t m_size;
};

} // namespace lttng_gpu::trace::ftrace
