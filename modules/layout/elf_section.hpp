// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace lttng_gpu::layout {

// The bytes of a section, uncompressed; empty when the file is no ELF file or has no such section.
std::vector<char> read_elf_section(const std::string& path, const std::string& name);

} // namespace lttng_gpu::layout
