// SPDX-License-Identifier: MIT
//
// The field classes of CTF 2 that are numbers, see ctf2_fields.hpp.
#include "ctf2_fields.hpp"

#include <nlohmann/json.hpp>

namespace lttng_gpu::trace::ctf {

void Ctf2Fields::fill_unsigned(const JsonPlace& place, FieldDraft& draft)
{
    const IntegerClass integer = read_integer(place);
    expect_usual_bit_order(place, integer.byte_order, integer.bits);
    draft.shape.kind = integer;
    read_roles(place, draft);
    read_mappings(place, draft);
}

void Ctf2Fields::fill_signed(const JsonPlace& place, FieldDraft& draft)
{
    IntegerClass integer = read_integer(place);
    expect_usual_bit_order(place, integer.byte_order, integer.bits);
    integer.is_signed = true;
    draft.shape.kind = integer;
    read_mappings(place, draft);
}

void Ctf2Fields::fill_bits(const JsonPlace& place, FieldDraft& draft)
{
    IntegerClass integer = read_integer(place);
    expect_usual_bit_order(place, integer.byte_order, integer.bits);
    integer.kind = IntegerKind::Bits;
    draft.shape.kind = integer;
}

/// True when any bit is set, so the order of the bits does not matter.
void Ctf2Fields::fill_boolean(const JsonPlace& place, FieldDraft& draft)
{
    IntegerClass integer = read_integer(place);
    integer.kind = IntegerKind::Boolean;
    draft.shape.kind = integer;
}

void Ctf2Fields::fill_real(const JsonPlace& place, FieldDraft& draft)
{
    const JsonPlace length = json_member(place, "length");
    const std::uint64_t bits = m_json.count(length);
    if (bits != 16 && bits != 32 && bits != 64 && bits != 128) {
        m_json.fail(length, "16, 32, 64 or 128 bits");
    }
    const JsonPlace alignment = json_member(place, "alignment");
    RealClass real{static_cast<std::uint32_t>(bits), m_json.alignment(alignment),
                   read_byte_order(place)};
    expect_usual_bit_order(place, real.byte_order, bits);
    draft.shape.kind = real;
}

void Ctf2Fields::fill_variable_unsigned(const JsonPlace& place, FieldDraft& draft)
{
    draft.shape.kind = VariableIntegerClass{};
    read_roles(place, draft);
    read_mappings(place, draft);
}

void Ctf2Fields::fill_variable_signed(const JsonPlace& place, FieldDraft& draft)
{
    draft.shape.kind = VariableIntegerClass{.is_signed = true, .keeps = {}, .labels = {}};
    read_mappings(place, draft);
}

IntegerClass Ctf2Fields::read_integer(const JsonPlace& place)
{
    IntegerClass integer;
    const JsonPlace length = json_member(place, "length");
    const std::uint64_t bits = m_json.count(length);
    if (bits == 0 || bits > 64) {
        m_json.fail(length, "1 to 64 bits");
    }
    integer.bits = static_cast<std::uint32_t>(bits);
    const JsonPlace alignment = json_member(place, "alignment");
    integer.alignment = m_json.alignment(alignment);
    integer.byte_order = read_byte_order(place);
    integer.base = read_base(place);
    return integer;
}

/// It changes only how numbers are shown, so one that is not known is the usual one.
std::uint8_t Ctf2Fields::read_base(const JsonPlace& place)
{
    const JsonPlace base = json_member(place, "preferred-display-base");
    for (const auto known : {std::uint8_t{2}, std::uint8_t{8}, std::uint8_t{16}}) {
        if (base.exists() && *base.value == known) {
            return known;
        }
    }
    return 10;
}

ByteOrder Ctf2Fields::read_byte_order(const JsonPlace& place)
{
    const JsonPlace byte_order = json_member(place, "byte-order");
    const std::string name = m_json.text(byte_order);
    if (name != "little-endian" && name != "big-endian") {
        m_json.fail(byte_order, "little-endian or big-endian");
    }
    return name == "big-endian" ? ByteOrder::Big : ByteOrder::Little;
}

/// The order that does not go with the byte order is valid, but no tracer is known to use it.
void Ctf2Fields::expect_usual_bit_order(const JsonPlace& place, ByteOrder byte_order,
                                        std::uint64_t bits)
{
    const JsonPlace bit_order = json_member(place, "bit-order");
    if (!bit_order.exists() || bits == 1) {
        return;
    }
    const std::string usual = byte_order == ByteOrder::Little ? "first-to-last" : "last-to-first";
    if (m_json.text(bit_order) != usual) {
        m_json.fail(bit_order, usual + " with this byte order (no other can be read)");
    }
}

/// Names of values (CTF2-SPEC-2.0, section 5.3.9: "mappings").
void Ctf2Fields::read_mappings(const JsonPlace& place, FieldDraft& draft)
{
    const JsonPlace mappings = json_member(place, "mappings");
    if (!mappings.exists()) {
        return;
    }
    m_json.expect_object(mappings);
    Labels labels;
    for (auto entry = mappings.value->begin(); !m_json.failed() && entry != mappings.value->end();
         ++entry) {
        labels.emplace(entry.key(), m_json.ranges(json_member(mappings, entry.key())));
    }
    draft.labels = std::make_shared<const Labels>(std::move(labels));
}

} // namespace lttng_gpu::trace::ctf
