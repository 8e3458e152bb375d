// SPDX-License-Identifier: MIT
//
// Field classes as the metadata declares them, before they are put into a
// place: a type alias is one draft that many structures share. Both metadata
// readers make drafts; field_binder.hpp makes the field classes of the schema
// from them, one for each place where a draft is used.
#pragma once

#include "../../../base/expected.hpp"
#include "schema.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::trace::ctf {

/// Fields inside fields; CTF sets no limit, ours keeps recursion harmless.
inline constexpr std::uint32_t field_depth_limit = 64;
inline constexpr std::uint64_t alignment_limit = 1U << 20U; // bits

/// The outermost structures, in the order in which they are decoded.
enum class Scope : std::uint8_t {
    PacketHeader,
    PacketContext,
    EventHeader,
    CommonContext,
    SpecificContext,
    Payload,
};
inline constexpr std::size_t scope_count = 6;

/// Where the length, the tag or the selector of a field is found.
struct FieldReference {
    std::optional<Scope> origin; // none: from the structure around the field
    std::size_t levels_up = 0;   // CTF 2: so many structures further out
    std::vector<std::string> path;
    /// CTF 1.8: tried in each structure and scope around the field, from the inside.
    bool goes_outward = false;
    std::string place; // in the metadata, for messages
};

struct FieldDraft;
using FieldDraftPtr = std::shared_ptr<const FieldDraft>;

struct DraftMember {
    std::string name; // as written
    FieldDraftPtr type;
    std::vector<ValueRange> ranges; // CTF 2: of a variant's option
};

struct FieldDraft {
    FieldClass shape; // without what is inside, and without registers
    /// Members of a structure, options of a variant, or the one element or content.
    std::vector<DraftMember> members;
    std::shared_ptr<const FieldReference> reference;
    std::shared_ptr<const Labels> labels; // of an enumeration
    std::vector<Role> roles;              // CTF 2
    std::optional<std::size_t> clock;     // CTF 1.8: `map`, an index into the schema's clocks

    // Set by sealed().
    std::vector<std::uint32_t> by_name; // named members in order of name
    /// Field classes that a use makes, with all inside (saturating); long names and
    /// ranges count too, as they are copied as well.
    std::size_t cost = 1;
    std::uint32_t depth = 1;
};

/// Makes the draft shareable. Two members of one name and too deep nesting are errors,
/// without the place, which the caller knows.
Expected<FieldDraftPtr> sealed(FieldDraft draft);

/// Index of a named member.
std::optional<std::size_t> find_member(const FieldDraft& draft, std::string_view name);

} // namespace lttng_gpu::trace::ctf
