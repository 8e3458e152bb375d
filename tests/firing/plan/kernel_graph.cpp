// SPDX-License-Identifier: MIT
#include "kernel_graph.hpp"

#include <bpf/btf.h>
#include <cerrno>
#include <cstring>

namespace lttng_gpu::firing {
namespace {

btf* parse(const std::string& path, btf* base)
{
    btf* types = base ? btf__parse_split(path.c_str(), base) : btf__parse(path.c_str(), nullptr);
    if (!types)
        throw std::runtime_error(path + ": no usable BTF: " + std::strerror(errno));
    return types;
}

bool is_structure(const btf_type* type)
{
    return btf_is_struct(type) || btf_is_union(type);
}

} // namespace

KernelGraph::KernelGraph(const std::string& kernel_path, const std::string& module_path)
    : kernel_(parse(kernel_path, nullptr)),
      module_(module_path.empty() ? nullptr : parse(module_path, kernel_.get())),
      types_(module_ ? module_.get() : kernel_.get()),
      first_of_module_(btf__type_cnt(kernel_.get()))
{
    // Where there are several of one name, the module's own is meant.
    for (TypeId id = 1; id < btf__type_cnt(types_); ++id)
        if (is_structure(btf__type_by_id(types_, id)) && !name(id).empty())
            structures_[name(id)] = id;
}

std::string KernelGraph::name(TypeId type) const
{
    const btf_type* t = btf__type_by_id(types_, type);
    const char* text = t ? btf__name_by_offset(types_, t->name_off) : nullptr;
    return text ? text : "";
}

TypeId KernelGraph::strip(TypeId type) const
{
    const btf_type* t = btf__type_by_id(types_, type);
    while (t && (btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t))) {
        type = t->type;
        t = btf__type_by_id(types_, type);
    }
    return type;
}

std::optional<Tracepoint> KernelGraph::find_tracepoint(const std::string& event) const
{
    const std::string wanted = "btf_trace_" + event;
    // Modules may hold the typedef of a kernel's tracepoint that they call, but then it is the
    // kernel's: split BTF does not repeat it.
    const int id = btf__find_by_name_kind(types_, wanted.c_str(), BTF_KIND_TYPEDEF);
    if (id < 0)
        return {};
    const TypeId pointer = strip(static_cast<TypeId>(id));
    const btf_type* prototype = btf__type_by_id(types_, btf__type_by_id(types_, pointer)->type);
    if (!prototype || !btf_is_func_proto(prototype))
        return {};
    Tracepoint found{static_cast<TypeId>(id) >= first_of_module_, {}};
    for (std::uint32_t i = 1; i < btf_vlen(prototype); ++i)
        found.arguments.push_back(btf_params(prototype)[i].type);
    return found;
}

bool KernelGraph::has(const std::string& what) const
{
    std::size_t dot = what.find('.');
    if (dot == std::string::npos)
        return btf__find_by_name(types_, what.c_str()) >= 0;
    try {
        TypeId type = find_structure(what.substr(0, dot));
        while (dot != std::string::npos) {
            const std::size_t end = what.find('.', dot + 1);
            type = find_member(type, what.substr(dot + 1, end - dot - 1)).type;
            if (end != std::string::npos && shape(type) == Shape::pointer)
                type = target(type);
            dot = end;
        }
        return true;
    } catch (const NotInThisKernel&) {
        return false;
    }
}

TypeId KernelGraph::find_structure(const std::string& structure) const
{
    if (const auto found = structures_.find(structure); found != structures_.end())
        return found->second;
    throw NotInThisKernel("this kernel has no struct " + structure);
}

std::optional<Member> KernelGraph::find_in(TypeId structure, const std::string& member) const
{
    const btf_type* type = btf__type_by_id(types_, structure);
    for (std::uint32_t i = 0; i < btf_vlen(type); ++i) {
        const btf_member& candidate = btf_members(type)[i];
        const char* name = btf__name_by_offset(types_, candidate.name_off);
        const std::uint32_t bit = btf_member_bit_offset(type, i);
        if (name && *name) {
            if (member == name)
                return Member{bit, btf_member_bitfield_size(type, i), candidate.type};
        } else if (is_structure(btf__type_by_id(types_, strip(candidate.type)))) {
            if (auto found = find_in(strip(candidate.type), member)) {
                found->bit += bit;
                return found;
            }
        }
    }
    return {};
}

Member KernelGraph::find_member(TypeId structure, const std::string& member) const
{
    const TypeId type = strip(structure);
    if (!is_structure(btf__type_by_id(types_, type)))
        throw std::runtime_error("what '" + member + "' shall be a member of is no structure");
    if (const auto found = find_in(type, member))
        return *found;
    throw NotInThisKernel("struct " + name(type) + " has no member " + member);
}

Shape KernelGraph::shape(TypeId type) const
{
    const btf_type* t = btf__type_by_id(types_, strip(type));
    if (!t)
        return Shape::other;
    if (btf_is_int(t))
        return btf_int_encoding(t) & BTF_INT_BOOL ? Shape::boolean : Shape::integer;
    if (btf_is_any_enum(t))
        return Shape::integer;
    if (btf_is_ptr(t))
        return Shape::pointer;
    if (btf_is_array(t))
        return Shape::array;
    return is_structure(t) ? Shape::structure : Shape::other;
}

bool KernelGraph::is_signed(TypeId type) const
{
    const btf_type* t = btf__type_by_id(types_, strip(type));
    return btf_is_int(t) ? btf_int_encoding(t) & BTF_INT_SIGNED
                         : btf_is_any_enum(t) && btf_kflag(t);
}

bool KernelGraph::is_char(TypeId type) const
{
    const TypeId plain = strip(type);
    return btf_is_int(btf__type_by_id(types_, plain)) && name(plain) == "char";
}

std::uint64_t KernelGraph::size(TypeId type) const
{
    const auto bytes = btf__resolve_size(types_, type);
    if (bytes < 0)
        throw std::runtime_error("a type without a size: '" + name(strip(type)) + "'");
    return static_cast<std::uint64_t>(bytes);
}

TypeId KernelGraph::target(TypeId pointer) const
{
    const TypeId type = strip(btf__type_by_id(types_, strip(pointer))->type);
    return btf_is_fwd(btf__type_by_id(types_, type)) ? find_structure(name(type)) : type;
}

TypeId KernelGraph::element(TypeId array) const
{
    return btf_array(btf__type_by_id(types_, strip(array)))->type;
}

std::uint32_t KernelGraph::elements(TypeId array) const
{
    return btf_array(btf__type_by_id(types_, strip(array)))->nelems;
}

const std::vector<std::uint32_t>& KernelGraph::bools(TypeId type)
{
    type = strip(type);
    if (const auto known = bools_.find(type); known != bools_.end())
        return known->second;
    std::vector<std::uint32_t> offsets;
    const btf_type* t = btf__type_by_id(types_, type);
    if (shape(type) == Shape::boolean) {
        offsets.push_back(0);
    } else if (btf_is_struct(t)) {
        for (std::uint32_t i = 0; i < btf_vlen(t); ++i)
            if (btf_member_bitfield_size(t, i) == 0)
                for (const std::uint32_t offset : bools(btf_members(t)[i].type))
                    offsets.push_back(btf_member_bit_offset(t, i) / 8 + offset);
    } else if (btf_is_array(t)) {
        const auto inner = bools(element(type));
        for (std::uint32_t i = 0; !inner.empty() && i < elements(type); ++i)
            for (const std::uint32_t offset : inner)
                offsets.push_back(static_cast<std::uint32_t>(i * size(element(type))) + offset);
    }
    return bools_[type] = std::move(offsets);
}

} // namespace lttng_gpu::firing
