// SPDX-License-Identifier: MIT
//
// What the BTF of a kernel image, or of a module on top of it, says about prototypes and structure
// fields. Types are spelled as C does, by the names that the kernel source uses ("u32", "struct
// dma_fence *").
#pragma once

#include "btf_file.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace lttng_gpu::layout {

struct MemberPlace {
    std::uint32_t offset_bytes;
    std::string type;
};

// A module that says nothing of its types.
struct NoModuleTypes : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class KernelTypes {
public:
    // module_path may be empty. Both are ELF files with a .BTF section, or raw BTF as in
    // /sys/kernel/btf. Throws std::runtime_error, also when the module is of another kernel build,
    // and NoModuleTypes.
    // A module that was built out of tree may bring a base of its own (.BTF.base, Linux 6.11 and
    // later: what it uses of the kernel, by name); then what that lacks is looked up in the kernel.
    KernelTypes(const std::string& kernel_path, const std::string& module_path);

    // Argument list of the tracepoint's handlers without their first (private data) argument.
    // The kernel emits one typedef btf_trace_<name> per tracepoint (include/trace/bpf_probe.h).
    std::optional<std::string> find_tracepoint(const std::string& name) const;
    // The type of these handlers with typedefs resolved, in C: "void(void *, struct dma_fence *,
    // unsigned int)". kCFI hashes it so; an unnamed structure goes by the name of its typedef.
    std::string handler_type(const std::string& tracepoint) const;
    // Throws when the module has several functions of that name: a kprobe would not know which.
    std::optional<std::string> find_function(const std::string& name) const;

    // Empty when the structure or the member is not there. Throws when structures of that name
    // disagree about the place, or when the member is a bit field.
    std::optional<MemberPlace> find_member(const std::string& structure,
                                           const std::string& path) const;

    // Bytes of a structure; throws like find_member().
    std::optional<std::uint32_t> find_size(const std::string& structure) const;
    std::optional<std::int64_t> find_constant(const std::string& enumerator) const;

    // Of the kernel image's BTF; modules/base/kernel_types.c has the same.
    std::string kernel_hash() const;

    // Whether the module's own BTF has a structure, function or enumerator of that name. What is
    // not its own it takes from the kernel image.
    bool is_of_module(const std::string& name) const;

private:
    enum class Typedefs { named, resolved };
    std::string spell(std::uint32_t type, Typedefs typedefs = Typedefs::named) const;
    std::string spell_arguments(std::uint32_t prototype, std::uint32_t first,
                                Typedefs typedefs = Typedefs::named) const;
    bool is_name_of_unnamed(std::uint32_t type) const;
    std::uint32_t find_handler(const std::string& tracepoint) const; // its prototype, or 0
    std::optional<MemberPlace> find_in(std::uint32_t structure, const std::string& path) const;
    std::uint32_t strip(std::uint32_t type) const;
    bool module_belongs_to_kernel() const;
    // The structure that a type of this name is: itself, or an unnamed one behind a typedef; or 0.
    std::uint32_t structure_named(std::uint32_t type, const std::string& name) const;
    const char* name_of(std::uint32_t type) const;
    std::optional<std::int64_t> enumerator_of(const btf_type* type, const std::string& name) const;

    BtfTypes base_; // the kernel, or what the module brings
    BtfTypes module_;
    const btf* types_ = nullptr;          // module_ when there is one: split BTF contains its base
    std::unique_ptr<KernelTypes> kernel_; // only of a module that brings its base
};

} // namespace lttng_gpu::layout
