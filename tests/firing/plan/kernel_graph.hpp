// SPDX-License-Identifier: MIT
//
// The types of a kernel, or of a module on top of it, as a graph that paths are followed in.
#pragma once

#include "../../../modules/layout/kernel_types.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace lttng_gpu::firing {

using TypeId = std::uint32_t;

// This kernel has no such member, structure or argument; other kernels may.
struct NotInThisKernel : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Member {
    std::uint64_t bit = 0;
    unsigned width = 0; // of a bit field; 0: the type's
    TypeId type = 0;
};

struct Tracepoint {
    bool in_module = false;
    std::vector<TypeId> arguments;
};

enum class Shape { integer, boolean, pointer, structure, array, other };

class KernelGraph {
public:
    // module_path may be empty. Throws std::runtime_error.
    KernelGraph(const std::string& kernel_path, const std::string& module_path);

    std::optional<Tracepoint> find_tracepoint(const std::string& name) const;
    // "type", "function" or "struct.member.path".
    bool has(const std::string& what) const;

    TypeId find_structure(const std::string& name) const;                // throws NotInThisKernel
    Member find_member(TypeId structure, const std::string& name) const; // throws NotInThisKernel

    Shape shape(TypeId type) const;
    bool is_signed(TypeId type) const;
    bool is_char(TypeId type) const;
    std::uint64_t size(TypeId type) const; // throws when it has none
    TypeId target(TypeId pointer) const;   // with the structure that a forward declaration means
    TypeId element(TypeId array) const;
    std::uint32_t elements(TypeId array) const;
    std::string name(TypeId type) const;
    // Byte offsets of all bools of an object of that type, unions left out.
    const std::vector<std::uint32_t>& bools(TypeId type);

private:
    TypeId strip(TypeId type) const;
    std::optional<Member> find_in(TypeId structure, const std::string& name) const;

    std::unique_ptr<btf, layout::BtfDeleter> kernel_;
    std::unique_ptr<btf, layout::BtfDeleter> module_;
    const btf* types_;
    TypeId first_of_module_;
    std::unordered_map<std::string, TypeId> structures_;
    std::unordered_map<TypeId, std::vector<std::uint32_t>> bools_;
};

} // namespace lttng_gpu::firing
