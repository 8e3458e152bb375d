// SPDX-License-Identifier: MIT
#include "field_draft.hpp"

#include "shown_name.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace lttng_gpu::trace::ctf {
namespace {

Failure wrong(std::string how)
{
    return Failure{{ErrorKind::UnreadableTrace, std::move(how)}};
}

} // namespace

Expected<FieldDraftPtr> sealed(FieldDraft draft)
{
    const auto name_at = [&](std::uint32_t at) -> const std::string& {
        return draft.members[at].name;
    };
    if (const auto* optional = std::get_if<OptionalClass>(&draft.shape.kind)) {
        draft.cost += optional->ranges.size() / 4;
    }
    for (std::size_t at = 0; at < draft.members.size(); ++at) {
        const DraftMember& member = draft.members[at];
        const std::size_t room = std::numeric_limits<std::size_t>::max() - draft.cost;
        const std::size_t beside = member.name.size() / 64 + member.ranges.size() / 4;
        draft.cost += std::min(room, member.type->cost + std::min(room, beside));
        draft.depth = std::max(draft.depth, member.type->depth + 1);
        if (!member.name.empty()) {
            draft.by_name.push_back(static_cast<std::uint32_t>(at));
        }
    }
    if (draft.depth > field_depth_limit) {
        return wrong(fmt::format("expected no more than {} levels of fields", field_depth_limit));
    }
    std::sort(draft.by_name.begin(), draft.by_name.end(),
              [&](std::uint32_t a, std::uint32_t b) { return name_at(a) < name_at(b); });
    const auto twin = std::adjacent_find(
        draft.by_name.begin(), draft.by_name.end(),
        [&](std::uint32_t a, std::uint32_t b) { return name_at(a) == name_at(b); });
    if (twin != draft.by_name.end()) {
        return wrong(
            fmt::format("expected one field named \"{}\" only", shown_name(name_at(*twin))));
    }
    return std::make_shared<const FieldDraft>(std::move(draft));
}

std::optional<std::size_t> find_member(const FieldDraft& draft, std::string_view name)
{
    const auto found = std::lower_bound(
        draft.by_name.begin(), draft.by_name.end(), name,
        [&](std::uint32_t at, std::string_view wanted) { return draft.members[at].name < wanted; });
    if (found == draft.by_name.end() || draft.members[*found].name != name) {
        return {};
    }
    return *found;
}

} // namespace lttng_gpu::trace::ctf
