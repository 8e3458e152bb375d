// SPDX-License-Identifier: MIT
//
// See structure_decoder.hpp.
#include "structure_decoder.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr unsigned byte_bits = 8;

template <typename Number> Number load(const std::uint8_t* bytes)
{
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

/// 8, 16, 32 or 64 bits that begin at a byte.
std::uint64_t load_whole(const std::uint8_t* bytes, unsigned bits, ByteOrder byte_order)
{
    const bool is_swapped =
        (byte_order == ByteOrder::Big) != (std::endian::native == std::endian::big);
    switch (bits) {
    case 8:
        return *bytes;
    case 16: {
        const auto value = load<std::uint16_t>(bytes);
        return is_swapped ? __builtin_bswap16(value) : value;
    }
    case 32: {
        const auto value = load<std::uint32_t>(bytes);
        return is_swapped ? __builtin_bswap32(value) : value;
    }
    default: {
        const auto value = load<std::uint64_t>(bytes);
        return is_swapped ? __builtin_bswap64(value) : value;
    }
    }
}

std::int64_t extend_sign(std::uint64_t value, unsigned bits)
{
    const unsigned shift = 64 - bits;
    return static_cast<std::int64_t>(value << shift) >> shift;
}

FieldValue number_value(std::uint64_t number, const Step& step)
{
    const auto kind = step.is_signed ? FieldValue::Kind::Signed : FieldValue::Kind::Unsigned;
    return FieldValue::of_bits(number, FieldValue::tag_of(kind, step.side));
}

FieldValue integer_value(std::uint64_t bits_read, const Step& step)
{
    return number_value(
        step.is_signed ? static_cast<std::uint64_t>(extend_sign(bits_read, step.bits)) : bits_read,
        step);
}

FieldValue real_value(std::uint64_t bits_read, unsigned bits)
{
    if (bits == 32) {
        return FieldValue{
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits_read)))};
    }
    return FieldValue{std::bit_cast<double>(bits_read)};
}

FieldValue text_value(const std::uint8_t* bytes, std::size_t length)
{
    return FieldValue{std::string_view{reinterpret_cast<const char*>(bytes), length}};
}

/// Up to the first zero, at most `length` bytes.
FieldValue text_until_zero(const std::uint8_t* bytes, std::size_t length)
{
    return text_value(bytes, strnlen(reinterpret_cast<const char*>(bytes), length));
}

bool align(Cursor& cursor, std::uint64_t alignment)
{
    cursor.position = (cursor.position + alignment - 1) & ~(alignment - 1);
    return cursor.position <= cursor.end;
}

bool is_inside(const ValueRange& range, std::uint64_t value, bool is_signed)
{
    if (is_signed) {
        return static_cast<std::int64_t>(range.lower) <= static_cast<std::int64_t>(value) &&
               static_cast<std::int64_t>(value) <= static_cast<std::int64_t>(range.upper);
    }
    return range.lower <= value && value <= range.upper;
}

} // namespace

std::string_view fault_text(DecodeFault fault)
{
    switch (fault) {
    case DecodeFault::None:
        return "nothing is wrong";
    case DecodeFault::BeyondContent:
        return "a field ends beyond the packet's content";
    case DecodeFault::TextWithoutEnd:
        return "a text does not end inside the packet's content";
    case DecodeFault::NoSuchOption:
        return "the tag of a variant selects none of its options";
    case DecodeFault::NumberTooLong:
        return "a variable-length integer has more than 64 bits";
    case DecodeFault::UnknownEvent:
        return "an event class that the metadata does not describe";
    case DecodeFault::TimeOutsidePacket:
        return "an event later than the end of its packet";
    case DecodeFault::TimeGoesBack:
        return "an event earlier than the one before it";
    }
    return "unknown fault";
}

std::uint64_t read_bits(const std::uint8_t* base, std::uint64_t position, unsigned bits,
                        ByteOrder byte_order)
{
    std::uint64_t value = 0;
    for (unsigned taken = 0; taken < bits;) {
        const std::uint64_t at = position + taken;
        const auto inside = static_cast<unsigned>(at % byte_bits);
        const unsigned count = std::min(byte_bits - inside, bits - taken);
        const unsigned byte = base[at / byte_bits];
        const unsigned mask = (1U << count) - 1;
        if (byte_order == ByteOrder::Little) { // bit 0 of the number is the lowest of the byte
            value |= std::uint64_t{(byte >> inside) & mask} << taken;
        } else { // the number begins with the highest bit of the byte
            value = value << count | ((byte >> (byte_bits - inside - count)) & mask);
        }
        taken += count;
    }
    return value;
}

DecodeFault StructureDecoder::run(const StructurePlan& plan, Cursor& cursor, ValueArena& values,
                                  std::size_t first_slot)
{
    m_values = &values;
    m_first_slot = first_slot;
    return run_block(plan, plan.main, cursor);
}

DecodeFault StructureDecoder::run_block(const StructurePlan& plan, Block block, Cursor& cursor)
{
    const Step* step = plan.steps.data() + block.first;
    const Step* const end = step + block.count;
    while (step != end) {
        if (step->op != Op::Run) {
            if (const DecodeFault fault = run_step(plan, *step, cursor);
                fault != DecodeFault::None) {
                return fault;
            }
            ++step;
            continue;
        }
        if (!align(cursor, std::uint64_t{1} << step->bits) ||
            step->argument > cursor.end - cursor.position) {
            return DecodeFault::BeyondContent;
        }
        if (const DecodeFault fault = run_reads(step + 1, step->index, cursor);
            fault != DecodeFault::None) {
            return fault;
        }
        cursor.position += step->argument;
        step += 1 + step->index;
    }
    return DecodeFault::None;
}

DecodeFault StructureDecoder::run_reads(const Step* reads, std::uint32_t count,
                                        const Cursor& cursor)
{
    for (const Step* read = reads; read != reads + count; ++read) {
        const std::uint64_t at = cursor.position + read->argument;
        const std::uint8_t* bytes = cursor.base + at / byte_bits;
        switch (read->op) {
        case Op::ReadByteAligned:
            put(*read, integer_value(load_whole(bytes, read->bits, read->byte_order), *read));
            break;
        case Op::ReadBits:
            put(*read,
                integer_value(read_bits(cursor.base, at, read->bits, read->byte_order), *read));
            break;
        case Op::ReadReal:
            put(*read,
                real_value(read_bits(cursor.base, at, read->bits, read->byte_order), read->bits));
            break;
        case Op::ReadText:
            put(*read, read->bits == 0 ? text_value(bytes, read->side)
                                       : text_until_zero(bytes, read->side));
            break;
        default:
            put(*read, FieldValue{});
            break;
        }
    }
    return DecodeFault::None;
}

DecodeFault StructureDecoder::run_step(const StructurePlan& plan, const Step& step, Cursor& cursor)
{
    switch (step.op) {
    case Op::String:
        return string(step, cursor);
    case Op::KeptText:
        return kept_text(step, cursor);
    case Op::VariableInteger:
        return variable_integer(step, cursor);
    case Op::KeptNumbers:
        return kept_numbers(step, plan.kept_counts[step.side], cursor);
    case Op::Skip:
        return skip(plan.kept_counts[step.side], cursor);
    case Op::Repeat:
        return repeat(plan, plan.repeated[step.side], step.argument, cursor);
    case Op::RepeatKept: {
        const KeptCount& kept = plan.kept_counts[step.side];
        return align(cursor, kept.alignment)
                   ? repeat(plan, kept.block, m_registers[kept.count], cursor)
                   : DecodeFault::BeyondContent;
    }
    case Op::Choose:
        return choose(plan, plan.choices[step.side], cursor);
    default:
        return DecodeFault::None;
    }
}

DecodeFault StructureDecoder::string(const Step& step, Cursor& cursor)
{
    if (!align(cursor, byte_bits)) {
        return DecodeFault::BeyondContent;
    }
    const std::uint8_t* begin = cursor.base + cursor.position / byte_bits;
    const std::size_t left = (cursor.end - cursor.position) / byte_bits;
    const std::size_t unit = step.bits / byte_bits;
    if (unit == 1) {
        const auto* zero = static_cast<const std::uint8_t*>(std::memchr(begin, 0, left));
        if (zero == nullptr) {
            return DecodeFault::TextWithoutEnd;
        }
        const auto length = static_cast<std::size_t>(zero - begin);
        put(step, text_value(begin, length));
        cursor.position += (length + 1) * byte_bits;
        return DecodeFault::None;
    }
    for (std::size_t at = 0; at + unit <= left; at += unit) {
        if (std::all_of(begin + at, begin + at + unit,
                        [](std::uint8_t byte) { return byte == 0; })) {
            put(step, FieldValue{});
            cursor.position += (at + unit) * byte_bits;
            return DecodeFault::None;
        }
    }
    return DecodeFault::TextWithoutEnd;
}

DecodeFault StructureDecoder::kept_text(const Step& step, Cursor& cursor)
{
    const std::uint64_t length = m_registers[step.side];
    if (!align(cursor, byte_bits) || length > (cursor.end - cursor.position) / byte_bits) {
        return DecodeFault::BeyondContent;
    }
    const std::uint8_t* bytes = cursor.base + cursor.position / byte_bits;
    put(step, step.bits == 0 ? FieldValue{} : text_until_zero(bytes, length));
    cursor.position += length * byte_bits;
    return DecodeFault::None;
}

/// LEB128: seven bits a byte, lowest first; the top bit says that more follow.
DecodeFault StructureDecoder::variable_integer(const Step& step, Cursor& cursor)
{
    if (!align(cursor, byte_bits)) {
        return DecodeFault::BeyondContent;
    }
    constexpr unsigned group = 7;
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (bool has_more = true; has_more; shift += group) {
        if (cursor.end - cursor.position < byte_bits) {
            return DecodeFault::BeyondContent;
        }
        if (shift > 63) {
            return DecodeFault::NumberTooLong;
        }
        const std::uint8_t byte = cursor.base[cursor.position / byte_bits];
        value |= std::uint64_t{byte & 0x7fU} << shift;
        has_more = (byte & 0x80U) != 0;
        cursor.position += byte_bits;
    }
    if (step.is_signed && shift < 64) {
        value = static_cast<std::uint64_t>(extend_sign(value, shift));
    }
    if (step.argument > 0) {
        m_registers[step.argument - 1] = value;
    }
    put(step, number_value(value, step));
    return DecodeFault::None;
}

/// Only the beginning of more than 2^32 - 1, which no packet holds.
DecodeFault StructureDecoder::kept_numbers(const Step& step, const KeptCount& kept, Cursor& cursor)
{
    if (!align(cursor, kept.alignment)) {
        return DecodeFault::BeyondContent;
    }
    const std::uint8_t* const bytes = cursor.base + cursor.position / byte_bits;
    if (const DecodeFault fault = skip(kept, cursor); fault != DecodeFault::None) {
        return fault;
    }
    put(step, FieldValue{NumberList{bytes, static_cast<std::uint32_t>(m_registers[kept.count])}});
    return DecodeFault::None;
}

DecodeFault StructureDecoder::skip(const KeptCount& kept, Cursor& cursor) const
{
    if (!align(cursor, kept.alignment)) {
        return DecodeFault::BeyondContent;
    }
    const std::uint64_t count = m_registers[kept.count];
    if (count == 0 || kept.size == 0) {
        return DecodeFault::None;
    }
    const std::uint64_t left = cursor.end - cursor.position;
    if (kept.size > left || count - 1 > (left - kept.size) / kept.stride) {
        return DecodeFault::BeyondContent;
    }
    cursor.position += (count - 1) * kept.stride + kept.size;
    return DecodeFault::None;
}

DecodeFault StructureDecoder::repeat(const StructurePlan& plan, Block block, std::uint64_t count,
                                     Cursor& cursor)
{
    for (std::uint64_t done = 0; done < count; ++done) {
        const std::uint64_t before = cursor.position;
        if (const DecodeFault fault = run_block(plan, block, cursor); fault != DecodeFault::None) {
            return fault;
        }
        if (cursor.position == before) {
            return DecodeFault::None; // empty elements: all the others are, too
        }
    }
    return DecodeFault::None;
}

DecodeFault StructureDecoder::choose(const StructurePlan& plan, const Choice& choice,
                                     Cursor& cursor)
{
    const std::uint64_t value = m_registers[choice.selector];
    for (const auto& [range, block] : choice.options) {
        if (is_inside(range, value, choice.is_signed)) {
            return run_block(plan, block, cursor);
        }
    }
    return choice.is_optional ? DecodeFault::None : DecodeFault::NoSuchOption;
}

void StructureDecoder::put(const Step& step, FieldValue value)
{
    if (step.is_appended) {
        *m_values->reserve(1) = value;
        m_values->take(1);
    }
    switch (step.target) {
    case Target::Slot:
        *m_values->at(m_first_slot + step.index) = value;
        break;
    case Target::Kept:
        m_registers[step.index] = value.as_unsigned().value_or(0);
        break;
    case Target::EventId:
        event_id = value.as_unsigned().value_or(0);
        break;
    case Target::Timestamp:
        clock.advance(value.as_unsigned().value_or(0), step.bits == 0 ? 64 : step.bits);
        break;
    case Target::None:
        break;
    }
}

} // namespace lttng_gpu::trace::ctf
