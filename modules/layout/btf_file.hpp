// SPDX-License-Identifier: MIT
#pragma once

#include <bpf/btf.h>
#include <memory>
#include <string>

namespace lttng_gpu::layout {

struct BtfDeleter {
    void operator()(btf* types) const { btf__free(types); }
};
using BtfTypes = std::unique_ptr<btf, BtfDeleter>;

// Of an ELF file with a .BTF section, or of raw BTF as in /sys/kernel/btf. base: what the file's
// types continue, or null; it must outlive the result. Throws std::runtime_error naming the file.
BtfTypes read_btf(const std::string& path, btf* base = nullptr);

inline bool is_structure(const btf_type* type)
{
    return btf_is_struct(type) || btf_is_union(type);
}

} // namespace lttng_gpu::layout
