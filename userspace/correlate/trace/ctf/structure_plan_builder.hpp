// SPDX-License-Identifier: MIT
//
// Makes the plan of a structure from its field class and from what is wanted of it.
#pragma once

#include "structure_plan.hpp"

#include <functional>
#include <string_view>

namespace lttng_gpu::trace::ctf {

/// What is done with a leaf: where its value goes; asked for each member of a
/// structure by name on the top level (`name`), and with an empty name below.
struct LeafUse {
    Target target = Target::None;
    std::uint32_t index = 0;
    std::uint32_t enumeration = 0; // of an integer, see FieldValue
};

/// Decides about the top-level members of one of the structures.
using LeafChooser = std::function<LeafUse(std::string_view name, const FieldClass& type)>;

/// Builds a plan of one structure after the other.
class StructurePlanBuilder {
public:
    /// With roles, fields that have one are read as it says: EventClassId and
    /// Timestamp to their targets, others to the slot with the role's number.
    explicit StructurePlanBuilder(bool with_roles = false) : m_with_roles{with_roles} {}

    /// A structure follows; null is none. With `is_all`, every leaf is appended.
    void add_scope(const FieldClass* scope, const LeafChooser& choose, bool is_all);
    StructurePlan finish();

private:
    void add(const FieldClass& type, LeafUse use, bool is_all);
    void add_kind(const IntegerClass& kind, LeafUse use, bool is_all);
    void add_kind(const VariableIntegerClass& kind, LeafUse use, bool is_all);
    void add_kind(const RealClass& kind, LeafUse use, bool is_all);
    void add_kind(const StringClass& kind, LeafUse use, bool is_all);
    void add_kind(const StructureClass& kind, LeafUse use, bool is_all);
    void add_kind(const ArrayClass& kind, LeafUse use, bool is_all);
    void add_kind(const SequenceClass& kind, LeafUse use, bool is_all);
    void add_kind(const StaticTextClass& kind, LeafUse use, bool is_all);
    void add_kind(const DynamicTextClass& kind, LeafUse use, bool is_all);
    void add_kind(const StaticBlobClass& kind, LeafUse use, bool is_all);
    void add_kind(const DynamicBlobClass& kind, LeafUse use, bool is_all);
    void add_kind(const VariantClass& kind, LeafUse use, bool is_all);
    void add_kind(const OptionalClass& kind, LeafUse use, bool is_all);

    void align(std::uint32_t alignment);
    /// Makes room for bits in the run; gives their offset in it.
    std::uint64_t place(std::uint64_t bits, std::uint32_t alignment);
    void close_run();
    void add_text_array(std::uint64_t bytes, std::uint32_t alignment, LeafUse use, bool is_all);
    void add_kept_bytes(Register bytes, std::uint32_t unit_bytes, LeafUse use, bool is_all,
                        bool is_text);
    Block make_block(const std::function<void()>& fill);
    void add_option(Choice& choice, const std::vector<ValueRange>& ranges, const FieldClass& type,
                    bool is_all);
    void push_choice(Choice choice);
    void push(const Step& step) { m_steps.push_back(step); }
    void keep(Step step, std::optional<Register> reg);
    bool is_wanted(LeafUse use, bool is_all) const { return is_all || use.target != Target::None; }
    static void use_leaf(Step& step, LeafUse use, bool is_all);
    void append_none(LeafUse use, bool is_all);
    bool must_be_read(const FieldClass& type) const;
    LeafUse role_use(Role role, LeafUse use) const;
    bool add_uuid(std::uint64_t bytes, Role role);

    StructurePlan m_plan;
    std::vector<Step> m_steps;        // of the block under construction
    std::optional<std::size_t> m_run; // index of its step
    bool m_with_roles;
    std::uint64_t m_run_bits = 0;
    std::uint32_t m_run_alignment = 1;
};

} // namespace lttng_gpu::trace::ctf
