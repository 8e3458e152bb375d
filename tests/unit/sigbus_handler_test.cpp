// SPDX-License-Identifier: MIT
//
// A mapped file that is truncated while a child process reads it.
#include "cli/commands.hpp"
#include "cli/sigbus_handler.hpp"
#include "ctf_writer.hpp"
#include "trace/mapped_file.hpp"

#include <array>
#include <doctest/doctest.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
namespace fs = std::filesystem;

namespace {

/// Never returns.
[[noreturn]] void read_truncated_page(const fs::path& path, int errors)
{
    ::dup2(errors, STDERR_FILENO);
    cli::install_sigbus_handler();
    const auto file = trace::MappedFile::open(path);
    fs::resize_file(path, 0);
    const volatile std::uint8_t byte = file->bytes()[5000];
    ::_exit(byte == 0 ? 98 : 99);
}

} // namespace

TEST_CASE("mapped_file_when_it_shrinks_then_the_program_ends_with_a_message")
{
    const TemporaryDirectory directory;
    const fs::path path = directory.path() / "stream";
    std::ofstream{path} << std::string(8192, 'x');
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        read_truncated_page(path, ends[1]);
    }
    ::close(ends[1]);
    std::string said;
    std::array<char, 256> some{};
    for (ssize_t count = 0; (count = ::read(ends[0], some.data(), some.size())) > 0;) {
        said.append(some.data(), static_cast<std::size_t>(count));
    }
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == cli::exit_damaged_trace);
    CHECK(said == "lttng-gpu: a file of the trace was truncated while it was read\n");
}
