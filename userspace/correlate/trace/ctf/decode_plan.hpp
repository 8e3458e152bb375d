// SPDX-License-Identifier: MIT
//
// How to walk over one structure of a CTF packet: a flat list of steps, worked
// out once from its field class. Neighbours of fixed size are one run with one
// bounds check; in it only what somebody asked for is read, the rest is skipped
// by size. Whatever has a size that the packet decides (texts, sequences,
// variants) is a step of its own.
#pragma once

#include "schema.hpp"

#include <functional>
#include <string_view>

namespace lttng_gpu::trace::ctf {

enum class Op : std::uint8_t {
    Run, // align to 2^bits, check that `argument` bits are left, do `index` reads, advance
    ReadByteAligned, // 8, 16, 32 or 64 bits, at `argument` bits from the beginning of the run
    ReadBits,        // any bits, anywhere
    ReadReal,        // 32 or 64 bits
    ReadText,        // `side` bytes, shown up to the first zero; all of them if `bits` is 0
    ReadNone,        // a leaf that has no value that could be shown
    String,          // aligned to a byte; up to and with a zero code unit of `bits` bits
    KeptText,        // as many bytes as a register says
    VariableInteger, // LEB128
    KeptNumbers,     // as many 64-bit little-endian integers as a register says
    Skip,            // as many elements of fixed size as a register says
    Repeat,          // a block, `argument` times
    RepeatKept,      // a block, as many times as a register says
    Choose,          // the block of the option whose ranges hold a register
};

enum class Target : std::uint8_t {
    None,
    Slot, // a field that was asked for by name
    Kept, // in a register, needed further on in the packet
    EventId,
    Timestamp, // advances the clock
};

struct Step {
    Op op = Op::Run;
    std::uint8_t bits = 0;
    ByteOrder byte_order = ByteOrder::Little;
    bool is_signed = false;
    Target target = Target::None;
    bool is_appended = false;   // to the leaf values, after the slots
    std::uint32_t index = 0;    // of the slot or register; of Run: how many reads follow
    std::uint32_t side = 0;     // index into one of the side tables; of ReadText: bytes;
                                // of integers: the enumeration
    std::uint64_t argument = 0; // see Op
};

/// A stretch of DecodePlan::steps.
struct Block {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

struct KeptCount {
    Register count = 0;
    std::uint32_t alignment = 1; // of the whole, in bits
    std::uint64_t size = 0;      // of Skip: bits of an element
    std::uint64_t stride = 0;    // of Skip: bits from one element to the next
    Block block;                 // of RepeatKept
};

struct Choice {
    Register selector = 0;
    bool is_signed = false;
    bool is_optional = false; // nothing to do, and no fault, when no option fits
    std::vector<std::pair<ValueRange, Block>> options;
};

struct DecodePlan {
    std::vector<Step> steps;
    Block main;
    std::vector<Block> repeated;
    std::vector<KeptCount> kept_counts;
    std::vector<Choice> choices;
};

/// Whether the plan needs a register that it does not fill itself.
bool needs_outer_registers(const DecodePlan& plan);

/// A sequence that is read as a NumberList: of unsigned 64-bit little-endian integers without gaps.
bool is_number_list(const FieldClass& type);

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
class PlanBuilder {
public:
    /// With roles, fields that have one are read as it says: EventClassId and
    /// Timestamp to their targets, others to the slot with the role's number.
    explicit PlanBuilder(bool with_roles = false) : m_with_roles{with_roles} {}

    /// A structure follows; null is none. With `is_all`, every leaf is appended.
    void add_scope(const FieldClass* scope, const LeafChooser& choose, bool is_all);
    DecodePlan finish();

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
    template <typename Fill> Block make_block(Fill fill);
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

    DecodePlan m_plan;
    std::vector<Step> m_steps;        // of the block under construction
    std::optional<std::size_t> m_run; // index of its step
    bool m_with_roles;
    std::uint64_t m_run_bits = 0;
    std::uint32_t m_run_alignment = 1;
};

/// In bits: where a field of this class must begin.
std::uint32_t alignment_of(const FieldClass& type);

} // namespace lttng_gpu::trace::ctf
