// SPDX-License-Identifier: MIT
//
// See program_width.hpp.
#include "program_width.hpp"

#include "tool.hpp"

#include <array>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace lttng_gpu::record {
namespace {

constexpr bool is_wide = sizeof(void*) == 8;
constexpr int most_interpreters = 4; // as many as Linux follows

/// The interpreter of a "#!" line; what `env` would look for, in its place.
std::string interpreter_of(const std::string& line)
{
    std::istringstream words{line.substr(2)};
    std::string program;
    words >> program;
    if (std::filesystem::path{program}.filename() == "env") {
        while (words >> program && program.starts_with('-')) {
        }
    }
    return program;
}

} // namespace

int other_width()
{
    return is_wide ? 32 : 64;
}

std::string find_program_of_other_width(const std::string& command)
{
    int code = 0;
    std::string program = find_program(command, code);
    for (int followed = 0; followed <= most_interpreters && !program.empty(); ++followed) {
        std::ifstream file{program, std::ios::binary};
        std::array<char, 256> head{};
        file.read(head.data(), head.size());
        const std::string_view text{head.data(), static_cast<std::size_t>(file.gcount())};
        if (!text.starts_with("#!")) {
            const bool is_elf = text.size() > EI_CLASS && text.starts_with(ELFMAG);
            const char other = is_wide ? ELFCLASS32 : ELFCLASS64;
            return is_elf && text[EI_CLASS] == other ? program : "";
        }
        program = find_program(interpreter_of(std::string{text.substr(0, text.find('\n'))}), code);
    }
    return {};
}

} // namespace lttng_gpu::record
