// SPDX-License-Identifier: MIT
//
// How to walk over one structure of a CTF packet: a flat list of steps, worked
// out once from its field class. Neighbours of fixed size are one run with one
// bounds check; in it only what somebody asked for is read, the rest is skipped
// by size. Whatever has a size that the packet decides (texts, sequences,
// variants) is a step of its own.
#pragma once

#include "metadata/schema.hpp"

#include <utility>
#include <vector>

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

/// A stretch of StructurePlan::steps.
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

struct StructurePlan {
    std::vector<Step> steps;
    Block main;
    std::vector<Block> repeated;
    std::vector<KeptCount> kept_counts;
    std::vector<Choice> choices;
};

/// Whether the plan needs a register that it does not fill itself.
bool needs_outer_registers(const StructurePlan& plan);

} // namespace lttng_gpu::trace::ctf
