// SPDX-License-Identifier: MIT
//
// Carries out plans of structures on the bytes of one packet. Nothing outside
// [begin of packet, end of content) is ever touched, whatever the bytes say.
#pragma once

#include "../raw_event.hpp"
#include "structure_plan.hpp"

#include <vector>

namespace lttng_gpu::trace::ctf {

enum class DecodeFault : std::uint8_t {
    None,
    BeyondContent,     // a field does not end inside the packet's content
    TextWithoutEnd,    // no zero before the end of the content
    NoSuchOption,      // a variant's tag selects nothing
    NumberTooLong,     // a variable-length integer of more than 64 bits
    UnknownEvent,      // an event class that the metadata does not know
    TimeOutsidePacket, // an event later than the end that the packet states
    TimeGoesBack,      // an event earlier than the one before it
};

std::string_view fault_text(DecodeFault fault);

/// The bytes under the cursor; positions are bits from the beginning of the packet.
struct Cursor {
    const std::uint8_t* base = nullptr;
    std::uint64_t position = 0;
    std::uint64_t end = 0;
};

/// The clock of a stream in cycles.
struct StreamClock {
    std::uint64_t cycles = 0;

    /// A timestamp tells the low `bits` bits of a clock that never goes back.
    void advance(std::uint64_t value, unsigned bits)
    {
        if (bits >= 64) {
            cycles = value;
            return;
        }
        const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        const std::uint64_t high = cycles & ~mask;
        cycles = (value < (cycles & mask) ? high + mask + 1 : high) | value;
    }
};

/// Grows, never shrinks; what is behind `used` is garbage.
class ValueArena {
public:
    FieldValue* reserve(std::size_t count)
    {
        if (m_used + count > m_values.size()) {
            m_values.resize(2 * m_values.size() + count);
        }
        return m_values.data() + m_used;
    }
    void take(std::size_t count) { m_used += count; }
    std::size_t room() const { return m_values.size() - m_used; }
    std::size_t used() const { return m_used; }
    FieldValue* at(std::size_t index) { return m_values.data() + index; }
    const FieldValue* at(std::size_t index) const { return m_values.data() + index; }
    void clear() { m_used = 0; }

private:
    std::vector<FieldValue> m_values;
    std::size_t m_used = 0;
};

class StructureDecoder {
public:
    explicit StructureDecoder(Register register_count) : m_registers(register_count) {}

    /// Moves the cursor over what the plan describes. Slots are values[first + n].
    DecodeFault run(const StructurePlan& plan, Cursor& cursor, ValueArena& values,
                    std::size_t first_slot);

    StreamClock clock;
    std::uint64_t event_id = 0;

private:
    DecodeFault run_block(const StructurePlan& plan, Block block, Cursor& cursor);
    DecodeFault run_step(const StructurePlan& plan, const Step& step, Cursor& cursor);
    DecodeFault run_reads(const Step* reads, std::uint32_t count, const Cursor& cursor);
    DecodeFault string(const Step& step, Cursor& cursor);
    DecodeFault kept_text(const Step& step, Cursor& cursor);
    DecodeFault variable_integer(const Step& step, Cursor& cursor);
    DecodeFault kept_numbers(const Step& step, const KeptCount& kept, Cursor& cursor);
    DecodeFault skip(const KeptCount& kept, Cursor& cursor) const;
    DecodeFault repeat(const StructurePlan& plan, Block block, std::uint64_t count, Cursor& cursor);
    DecodeFault choose(const StructurePlan& plan, const Choice& choice, Cursor& cursor);
    void put(const Step& step, FieldValue value);

    std::vector<std::uint64_t> m_registers;
    ValueArena* m_values = nullptr;
    std::size_t m_first_slot = 0;
};

/// `bits` bits at `position`; the caller has checked that they are there.
std::uint64_t read_bits(const std::uint8_t* base, std::uint64_t position, unsigned bits,
                        ByteOrder byte_order);

} // namespace lttng_gpu::trace::ctf
