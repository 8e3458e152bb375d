// SPDX-License-Identifier: MIT
//
// See output.hpp.
#include "output.hpp"

#include "screen.hpp"

namespace lttng_gpu::report {

Expected<Output> Output::open(const OutputPlace& place)
{
    auto file = PartialFile::create(place);
    if (!file) {
        return Failure{file.error()};
    }
    return Output{std::move(*file)};
}

void Output::write(std::string_view text)
{
    constexpr std::size_t piece = 1U << 16U;
    if (m_is_ascii) {
        m_buffer += as_ascii(text);
    } else {
        m_buffer += text;
    }
    if (m_buffer.size() >= piece) {
        flush();
    }
}

void Output::flush()
{
    m_file.write(m_buffer);
    m_buffer.clear();
}

Expected<void> Output::finish()
{
    flush();
    return m_file.finish();
}

} // namespace lttng_gpu::report
