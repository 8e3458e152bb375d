// SPDX-License-Identifier: MIT
//
// See output_file.hpp.
#include "output_file.hpp"

#include <cstring>
#include <utility>

namespace lttng_gpu::exporting {
namespace {

// File systems take large pieces in larger units, which costs the kernel less.
constexpr std::size_t buffer_size = 1U << 19U;

} // namespace

OutputFile::OutputFile(report::PartialFile file) : m_file{std::move(file)}, m_buffer(buffer_size) {}

Expected<OutputFile> OutputFile::create(const report::OutputPlace& place, bool has_path)
{
    auto file = report::PartialFile::create(place, has_path);
    if (!file) {
        return Failure{file.error()};
    }
    return OutputFile{std::move(*file)};
}

void OutputFile::write(std::string_view text)
{
    if (m_buffer.size() - m_used < text.size()) {
        flush();
        if (text.size() > m_buffer.size()) {
            m_file.write(text);
            return;
        }
    }
    std::memcpy(m_buffer.data() + m_used, text.data(), text.size());
    m_used += text.size();
}

Expected<void> OutputFile::finish()
{
    flush();
    return m_file.finish();
}

void OutputFile::flush()
{
    m_file.write({m_buffer.data(), m_used});
    m_used = 0;
}

} // namespace lttng_gpu::exporting
