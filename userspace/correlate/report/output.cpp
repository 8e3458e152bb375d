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
    if (x_is_ascii) {
        x_buffer += as_ascii(text);
    } else {
        x_buffer += text;
    }
    if (x_buffer.size() >= piece) {
        flush();
    }
}

void Output::flush()
{
    x_file.write(x_buffer);
    x_buffer.clear();
}

Expected<void> Output::finish()
{
    flush();
    return x_file.finish();
}

} // namespace lttng_gpu::report
