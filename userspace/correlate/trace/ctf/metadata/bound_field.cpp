// SPDX-License-Identifier: MIT
#include "bound_field.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ctf {

std::vector<BoundField*> FieldSearch::find(const FieldReference& reference,
                                           std::span<BoundField* const> around,
                                           std::span<BoundField* const, scope_count> roots,
                                           Scope scope)
{
    if (reference.origin) {
        BoundField* const root = roots[static_cast<std::size_t>(*reference.origin)];
        return root == nullptr ? std::vector<BoundField*>{} : from(*root, reference);
    }
    std::size_t levels_up = reference.levels_up;
    for (std::size_t at = around.size(); at-- > 0;) {
        if (!std::holds_alternative<StructureClass>(around[at]->draft->shape.kind)) {
            continue;
        }
        if (levels_up > 0) {
            --levels_up;
            continue;
        }
        auto found = from(*around[at], reference);
        if (!found.empty() || !reference.goes_outward) {
            return found;
        }
    }
    // CTF 1.8.3, section 7.3.2: the dynamic scopes around this one.
    for (std::size_t at = static_cast<std::size_t>(scope); reference.goes_outward && at-- > 0;) {
        auto found =
            roots[at] == nullptr ? std::vector<BoundField*>{} : from(*roots[at], reference);
        if (!found.empty()) {
            return found;
        }
    }
    return {};
}

std::vector<BoundField*> FieldSearch::from(BoundField& start, const FieldReference& reference)
{
    std::vector<BoundField*> found;
    if (!collect(start, reference.path, found)) {
        found.clear();
    }
    return found;
}

bool FieldSearch::collect(BoundField& field, std::span<const std::string> path,
                          std::vector<BoundField*>& found)
{
    const std::size_t steps = 1 + (path.empty() ? 0 : path.front().size() / 16);
    if (m_steps_left < steps) {
        return false;
    }
    m_steps_left -= steps;
    const auto& kind = field.draft->shape.kind;
    if (std::holds_alternative<IntegerClass>(kind) ||
        std::holds_alternative<VariableIntegerClass>(kind)) {
        found.push_back(&field);
        return path.empty();
    }
    if (std::holds_alternative<StructureClass>(kind)) {
        const auto member = path.empty() ? std::nullopt : find_member(*field.draft, path.front());
        return member && *member < field.members.size() &&
               collect(field.members[*member], path.subspan(1), found);
    }
    if (field.members.empty()) {
        return false;
    }
    if (std::holds_alternative<VariantClass>(kind)) {
        return collect_option(field, path, found);
    }
    // Of an array it is the element that the field in question is in.
    const bool has_one = field.is_open || std::holds_alternative<OptionalClass>(kind);
    return has_one && collect(field.members.front(), path, found);
}

bool FieldSearch::collect_option(BoundField& variant, std::span<const std::string> path,
                                 std::vector<BoundField*>& found)
{
    if (m_is_tsdl) {
        const auto option = path.empty() ? std::nullopt : find_member(*variant.draft, path.front());
        return option && *option < variant.members.size() &&
               collect(variant.members[*option], path.subspan(1), found);
    }
    if (variant.is_open) {
        return collect(variant.members.back(), path, found);
    }
    return std::all_of(variant.members.begin(), variant.members.end(),
                       [&](BoundField& option) { return collect(option, path, found); });
}

} // namespace lttng_gpu::trace::ctf
