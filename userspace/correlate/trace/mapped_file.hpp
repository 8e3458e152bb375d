// SPDX-License-Identifier: MIT
//
// A file as memory, read only. Pages come from the page cache without a copy;
// they are not memory of ours that other programs would miss.
#pragma once

#include "../base/expected.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace lttng_gpu::trace {

class MappedFile {
public:
    /// An empty file is an empty span. Errors are of kind UnreadableTrace. A symbolic link is
    /// one: a trace that was sent may name any file of its reader with it.
    static Expected<MappedFile> open(const std::filesystem::path& path);

    /// Bytes that are the caller's, for tests; they must outlive the object.
    static MappedFile borrow(std::span<const std::uint8_t> bytes);

    MappedFile() = default;
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    std::span<const std::uint8_t> bytes() const { return {m_begin, m_size}; }
    const std::filesystem::path& path() const { return m_path; }

    /// About to be read: maps the pages at once, which is cheaper than a fault for each.
    void will_need(std::size_t offset, std::size_t size) const;
    /// Not needed any more.
    void drop(std::size_t offset, std::size_t size) const;

private:
    bool read(int file);

    const std::uint8_t* m_begin = nullptr;
    std::size_t m_size = 0;
    bool m_is_borrowed = false;       // or read: nothing to unmap
    std::vector<std::uint8_t> m_copy; // of a file that was read
    std::filesystem::path m_path;
};

} // namespace lttng_gpu::trace
