// SPDX-License-Identifier: MIT
#include "elf_section.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <memory>
#include <unistd.h>

namespace lttng_gpu::layout {
namespace {

struct File {
    explicit File(const std::string& path) : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~File() { close(descriptor); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    int descriptor;
};

} // namespace

std::vector<char> read_elf_section(const std::string& path, const std::string& name)
{
    elf_version(EV_CURRENT);
    const File file(path);
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(
        elf_begin(file.descriptor, ELF_C_READ, nullptr), elf_end);
    std::size_t names = 0;
    if (!elf || elf_getshdrstrndx(elf.get(), &names) != 0)
        return {};
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            continue;
        const char* found = elf_strptr(elf.get(), names, header.sh_name);
        const Elf_Data* data = found && name == found ? elf_rawdata(section, nullptr) : nullptr;
        if (data && data->d_buf)
            return {static_cast<const char*>(data->d_buf),
                    static_cast<const char*>(data->d_buf) + data->d_size};
    }
    return {};
}

} // namespace lttng_gpu::layout
