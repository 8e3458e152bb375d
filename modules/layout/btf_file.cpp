// SPDX-License-Identifier: MIT
#include "btf_file.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace lttng_gpu::layout {

BtfTypes read_btf(const std::string& path, btf* base)
{
    BtfTypes types(base ? btf__parse_split(path.c_str(), base) : btf__parse(path.c_str(), nullptr));
    if (!types)
        throw std::runtime_error(path + ": no usable BTF: " + std::strerror(errno));
    return types;
}

} // namespace lttng_gpu::layout
