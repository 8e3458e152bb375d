// SPDX-License-Identifier: MIT
#include "kernel_types.hpp"

#include "elf_section.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

namespace lttng_gpu::layout {
namespace {

BtfTypes read_module(const std::string& path, btf* base)
{
    try {
        return read_btf(path, base);
    } catch (const std::runtime_error& error) {
        throw NoModuleTypes(error.what());
    }
}

} // namespace

KernelTypes::KernelTypes(const std::string& kernel_path, const std::string& module_path)
{
    const auto own_base = read_elf_section(module_path, ".BTF.base");
    if (own_base.empty()) {
        base_ = read_btf(kernel_path);
    } else {
        kernel_ = std::make_unique<KernelTypes>(kernel_path, "");
        base_.reset(btf__new(own_base.data(), static_cast<std::uint32_t>(own_base.size())));
        if (!base_)
            throw std::runtime_error(module_path + ": no usable BTF: " + std::strerror(errno));
    }
    if (!module_path.empty())
        module_ = read_module(module_path, base_.get());
    types_ = module_ ? module_.get() : base_.get();
    if (module_ && !module_belongs_to_kernel())
        throw std::runtime_error(module_path + ": its BTF was not made for the kernel of " +
                                 kernel_path + ", but for another build");
}

// A module's BTF continues the numbering of types and the string table of the kernel that it was
// built for, but does not name that kernel. On top of another one its names begin inside of other
// names, and it refers to types that do not exist.
bool KernelTypes::module_belongs_to_kernel() const
{
    std::uint32_t size = 0;
    const auto* header = static_cast<const btf_header*>(btf__raw_data(base_.get(), &size));
    if (!header)
        return false;
    const auto begins_name = [&](std::uint32_t offset) {
        return offset == 0 || offset == header->str_len ||
               (btf__str_by_offset(types_, offset) && !*btf__str_by_offset(types_, offset - 1));
    };
    const std::uint32_t count = btf__type_cnt(types_);
    for (std::uint32_t id = btf__type_cnt(base_.get()); id < count; ++id) {
        const btf_type* type = btf__type_by_id(types_, id);
        if (!begins_name(type->name_off))
            return false;
        if ((btf_is_ptr(type) || btf_is_mod(type) || btf_is_typedef(type)) && type->type >= count)
            return false;
        for (std::uint32_t i = 0; btf_is_composite(type) && i < btf_vlen(type); ++i)
            if (!begins_name(btf_members(type)[i].name_off) || btf_members(type)[i].type >= count)
                return false;
    }
    return true;
}

const char* KernelTypes::name_of(std::uint32_t type) const
{
    const btf_type* t = btf__type_by_id(types_, type);
    const char* name = t ? btf__name_by_offset(types_, t->name_off) : nullptr;
    return name ? name : "";
}

// The type behind typedefs and qualifiers.
std::uint32_t KernelTypes::strip(std::uint32_t type) const
{
    const btf_type* t = btf__type_by_id(types_, type);
    while (t && (btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t))) {
        type = t->type;
        t = btf__type_by_id(types_, type);
    }
    return type;
}

std::uint32_t KernelTypes::structure_named(std::uint32_t id, const std::string& name) const
{
    const btf_type* type = btf__type_by_id(types_, id);
    if (name != name_of(id))
        return 0;
    if (btf_is_struct(type))
        return id;
    if (!btf_is_typedef(type) || !btf_is_struct(btf__type_by_id(types_, type->type)))
        return 0;
    return *name_of(type->type) ? 0 : type->type;
}

// A typedef of a structure, union or enumeration that has no other name.
bool KernelTypes::is_name_of_unnamed(std::uint32_t id) const
{
    const btf_type* type = btf__type_by_id(types_, id);
    const btf_type* target = btf_is_typedef(type) ? btf__type_by_id(types_, type->type) : nullptr;
    return target && (btf_is_composite(target) || btf_is_any_enum(target)) && !*name_of(type->type);
}

std::string KernelTypes::spell(std::uint32_t id, Typedefs typedefs) const
{
    if (id == 0)
        return "void";
    const btf_type* type = btf__type_by_id(types_, id);
    if (!type)
        return "?";
    switch (btf_kind(type)) {
    case BTF_KIND_PTR: {
        const std::string target = spell(type->type, typedefs);
        return target + (target.back() == '*' ? "*" : " *");
    }
    case BTF_KIND_CONST: {
        const std::string target = spell(type->type, typedefs);
        return target.back() == '*' ? target + "const" : "const " + target;
    }
    case BTF_KIND_VOLATILE:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_TYPE_TAG: // __rcu, __user: no part of the C type
        return spell(type->type, typedefs);
    case BTF_KIND_STRUCT:
        return std::string("struct ") + name_of(id);
    case BTF_KIND_UNION:
        return std::string("union ") + name_of(id);
    case BTF_KIND_FWD:
        return std::string(btf_kflag(type) ? "union " : "struct ") + name_of(id);
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
        return std::string("enum ") + name_of(id);
    case BTF_KIND_ARRAY:
        return spell(btf_array(type)->type, typedefs) + "[" +
               std::to_string(btf_array(type)->nelems) + "]";
    case BTF_KIND_FUNC_PROTO:
        return spell(type->type, typedefs) + " " + spell_arguments(id, 0, typedefs);
    case BTF_KIND_TYPEDEF:
        if (typedefs == Typedefs::resolved && !is_name_of_unnamed(id))
            return spell(type->type, typedefs);
        return name_of(id);
    default:
        return name_of(id);
    }
}

std::string KernelTypes::spell_arguments(std::uint32_t prototype, std::uint32_t first,
                                         Typedefs typedefs) const
{
    const btf_type* type = btf__type_by_id(types_, prototype);
    const btf_param* parameters = btf_params(type);
    std::string text = "(";
    for (std::uint32_t i = first; i < btf_vlen(type); ++i)
        text += (i > first ? ", " : "") + spell(parameters[i].type, typedefs);
    return text + ")";
}

std::uint32_t KernelTypes::find_handler(const std::string& tracepoint) const
{
    const int id =
        btf__find_by_name_kind(types_, ("btf_trace_" + tracepoint).c_str(), BTF_KIND_TYPEDEF);
    if (id < 0)
        return 0;
    const btf_type* pointer =
        btf__type_by_id(types_, btf__type_by_id(types_, static_cast<std::uint32_t>(id))->type);
    if (!pointer || !btf_is_ptr(pointer))
        return 0;
    const btf_type* prototype = btf__type_by_id(types_, pointer->type);
    if (!prototype || !btf_is_func_proto(prototype) || btf_vlen(prototype) == 0)
        return 0;
    return pointer->type;
}

std::optional<std::string> KernelTypes::find_tracepoint(const std::string& name) const
{
    const std::uint32_t prototype = find_handler(name);
    if (!prototype)
        return {};
    return spell_arguments(prototype, 1);
}

std::string KernelTypes::handler_type(const std::string& tracepoint) const
{
    const std::uint32_t prototype = find_handler(tracepoint);
    const btf_type* type = btf__type_by_id(types_, prototype);
    return spell(type->type, Typedefs::resolved) +
           spell_arguments(prototype, 0, Typedefs::resolved);
}

// FNV-1a over words of eight bytes, little end first; the last one is filled with zeros.
std::string KernelTypes::kernel_hash() const
{
    std::uint32_t size = 0;
    const auto* bytes = static_cast<const unsigned char*>(
        btf__raw_data((kernel_ ? kernel_->base_ : base_).get(), &size));
    if (!bytes)
        throw std::runtime_error("no memory for the kernel's BTF");
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::uint32_t begin = 0; begin < size; begin += 8) {
        std::uint64_t word = 0;
        for (std::uint32_t i = 0; i < 8 && begin + i < size; ++i)
            word |= std::uint64_t{bytes[begin + i]} << (8 * i);
        hash = (hash ^ word) * 0x100000001b3;
    }
    return fmt::format("{:016x}", hash);
}

std::optional<std::string> KernelTypes::find_function(const std::string& name) const
{
    std::optional<std::string> found;
    for (std::uint32_t id = 1; id < btf__type_cnt(types_); ++id) {
        const btf_type* type = btf__type_by_id(types_, id);
        if (!btf_is_func(type) || name != name_of(id))
            continue;
        if (found)
            throw std::runtime_error("there are several functions of this name");
        found = spell_arguments(type->type, 0);
    }
    return found;
}

std::optional<MemberPlace> KernelTypes::find_in(std::uint32_t structure,
                                                const std::string& path) const
{
    const btf_type* type = btf__type_by_id(types_, structure);
    const std::string member = path.substr(0, path.find('.'));
    for (std::uint32_t i = 0; i < btf_vlen(type); ++i) {
        const btf_member& candidate = btf_members(type)[i];
        const char* name = btf__name_by_offset(types_, candidate.name_off);
        const std::uint32_t bits = btf_member_bit_offset(type, i);
        const std::uint32_t inner = strip(candidate.type);
        const bool anonymous = !name || !*name;
        const bool nested = !anonymous && member != path && member == name;
        if (!anonymous && !nested && path != name)
            continue;
        if (anonymous || nested) {
            if (!is_structure(btf__type_by_id(types_, inner)))
                continue;
            const std::string rest = anonymous ? path : path.substr(member.size() + 1);
            auto place = find_in(inner, rest);
            if (!place && kernel_ && *name_of(inner))
                place = kernel_->find_member(name_of(inner), rest);
            if (place) {
                place->offset_bytes += bits / 8;
                return place;
            }
            continue;
        }
        if (btf_member_bitfield_size(type, i) != 0 || bits % 8 != 0)
            throw std::runtime_error(path + " is a bit field");
        return MemberPlace{bits / 8, spell(candidate.type)};
    }
    return {};
}

std::optional<MemberPlace> KernelTypes::find_member(const std::string& structure,
                                                    const std::string& path) const
{
    std::optional<MemberPlace> found;
    bool is_first = true;
    for (std::uint32_t id = 1; id < btf__type_cnt(types_); ++id) {
        const std::uint32_t named = structure_named(id, structure);
        if (!named)
            continue;
        const auto place = find_in(named, path);
        const bool same =
            place.has_value() == found.has_value() &&
            (!place || (place->offset_bytes == found->offset_bytes && place->type == found->type));
        if (!is_first && !same)
            throw std::runtime_error(
                "the kernel has several structures of this name, and they differ");
        found = place;
        is_first = false;
    }
    if (!found && kernel_)
        return kernel_->find_member(structure, path);
    return found;
}

std::optional<std::uint32_t> KernelTypes::find_size(const std::string& structure) const
{
    std::optional<std::uint32_t> found;
    for (std::uint32_t id = 1; id < btf__type_cnt(types_); ++id) {
        const std::uint32_t named = structure_named(id, structure);
        if (!named)
            continue;
        const std::uint32_t size = btf__type_by_id(types_, named)->size;
        if (found && *found != size)
            throw std::runtime_error(
                "the kernel has several structures of this name, and they differ");
        found = size;
    }
    return found;
}

std::optional<std::int64_t> KernelTypes::enumerator_of(const btf_type* type,
                                                       const std::string& name) const
{
    const bool is_wide = btf_is_enum64(type);
    for (std::uint32_t i = 0; btf_is_any_enum(type) && i < btf_vlen(type); ++i) {
        const auto offset = is_wide ? btf_enum64(type)[i].name_off : btf_enum(type)[i].name_off;
        if (name == btf__name_by_offset(types_, offset))
            return is_wide ? static_cast<std::int64_t>(btf_enum64_value(&btf_enum64(type)[i]))
                           : btf_enum(type)[i].val;
    }
    return {};
}

std::optional<std::int64_t> KernelTypes::find_constant(const std::string& enumerator) const
{
    for (std::uint32_t id = 1; id < btf__type_cnt(types_); ++id)
        if (const auto value = enumerator_of(btf__type_by_id(types_, id), enumerator))
            return value;
    return kernel_ ? kernel_->find_constant(enumerator) : std::nullopt;
}

bool KernelTypes::is_of_module(const std::string& name) const
{
    if (!module_)
        return false;
    for (std::uint32_t id = btf__type_cnt(base_.get()); id < btf__type_cnt(types_); ++id) {
        const btf_type* type = btf__type_by_id(types_, id);
        if (structure_named(id, name) || (btf_is_func(type) && name == name_of(id)) ||
            enumerator_of(type, name))
            return true;
    }
    return false;
}

} // namespace lttng_gpu::layout
