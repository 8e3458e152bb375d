// SPDX-License-Identifier: MIT
//
// The fields that are bound so far, as a tree beside the schema's: what lengths,
// tags and selectors are looked up in. Only what is decoded before the field in
// question is in it, so that nothing found can lie behind it.
#pragma once

#include "field_draft.hpp"

#include <span>

namespace lttng_gpu::trace::ctf {

struct BoundField {
    const FieldDraft* draft = nullptr;
    FieldClass* type = nullptr; // owned by the schema
    /// As many of the draft's members as are bound; reserved for all, addresses stay.
    std::vector<BoundField> members;
    bool is_open = true; // the field in question is inside
};

/// Finds the integers that a reference means: more than one when the way leads
/// through a variant, of whose options one is there at a time.
class FieldSearch {
public:
    explicit FieldSearch(bool is_tsdl) : m_is_tsdl(is_tsdl) {}

    /// `around`: the open fields around the one that asks, outermost first.
    /// `roots`: what is bound of each scope, null where there is none.
    std::vector<BoundField*> find(const FieldReference& reference,
                                  std::span<BoundField* const> around,
                                  std::span<BoundField* const, scope_count> roots, Scope scope);

private:
    std::vector<BoundField*> from(BoundField& start, const FieldReference& reference);
    bool collect(BoundField& field, std::span<const std::string> path,
                 std::vector<BoundField*>& found);
    bool collect_option(BoundField& variant, std::span<const std::string> path,
                        std::vector<BoundField*>& found);

    bool m_is_tsdl;
    // Every option of every variant on the way, for every reference: bounded in all.
    std::size_t m_steps_left = 16U << 20U;
};

} // namespace lttng_gpu::trace::ctf
