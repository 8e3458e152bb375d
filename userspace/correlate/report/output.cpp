// SPDX-License-Identifier: MIT
//
// See output.hpp.
#include "output.hpp"

#include "screen.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace lttng_gpu::report {

Expected<Output> Output::open(const std::string& path)
{
    if (path.empty()) {
        return Output{stdout, "standard output"};
    }
    return open(path, path);
}

Expected<Output> Output::open(const std::string& path, std::string name)
{
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
        return Failure{{ErrorKind::Output, "cannot write " + name + ": " + std::strerror(errno)}};
    }
    return Output{file, std::move(name)};
}

Output::Output(Output&& other) noexcept
    : x_file{std::exchange(other.x_file, nullptr)}, x_name{std::move(other.x_name)},
      x_buffer{std::move(other.x_buffer)}, x_failure{std::move(other.x_failure)},
      x_is_ascii{other.x_is_ascii}
{
}

Output::~Output()
{
    if (x_file != nullptr && x_file != stdout) {
        std::fclose(x_file);
    }
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
        flush_buffer();
    }
}

void Output::flush()
{
    if (!x_buffer.empty()) {
        flush_buffer();
        if (!x_failure && std::fflush(x_file) != 0) {
            fail();
        }
    }
}

Expected<void> Output::finish()
{
    flush_buffer();
    if (!x_failure && std::fflush(x_file) != 0) {
        fail();
    }
    if (x_file != stdout && std::fclose(std::exchange(x_file, stdout)) != 0 && !x_failure) {
        fail();
    }
    if (x_failure) {
        return Failure{{ErrorKind::Output, "cannot write " + x_name + ": " + *x_failure}};
    }
    return {};
}

void Output::flush_buffer()
{
    if (!x_failure && std::fwrite(x_buffer.data(), 1, x_buffer.size(), x_file) != x_buffer.size()) {
        fail();
    }
    x_buffer.clear();
}

void Output::fail()
{
    x_failure = std::strerror(errno);
}

} // namespace lttng_gpu::report
