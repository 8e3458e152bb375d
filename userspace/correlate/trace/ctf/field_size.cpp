// SPDX-License-Identifier: MIT
#include "field_size.hpp"

#include "overloaded.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::uint64_t too_large = std::uint64_t{1} << 62U;

std::optional<std::uint64_t> fixed_bits_of_elements(const FieldClass& element, std::uint64_t count)
{
    const auto bits = fixed_bits(element);
    if (!bits) {
        return {};
    }
    if (count == 0) {
        return 0;
    }
    return add_bits(multiply_bits(align_up(*bits, alignment_of(element)), count - 1), *bits);
}

} // namespace

std::uint64_t add_bits(std::uint64_t first, std::uint64_t second)
{
    return std::min(first + std::min(second, too_large), too_large);
}

std::uint64_t multiply_bits(std::uint64_t bits, std::uint64_t count)
{
    std::uint64_t product = 0;
    return __builtin_mul_overflow(bits, count, &product) ? too_large : std::min(product, too_large);
}

std::uint64_t align_up(std::uint64_t bits, std::uint32_t alignment)
{
    return (bits + alignment - 1) & ~(std::uint64_t{alignment} - 1);
}

std::optional<std::uint64_t> fixed_bits(const FieldClass& type)
{
    return std::visit(
        Overloaded{
            [](const IntegerClass& kind) { return std::optional{std::uint64_t{kind.bits}}; },
            [](const RealClass& kind) { return std::optional{std::uint64_t{kind.bits}}; },
            [](const StaticTextClass& kind) { return std::optional{multiply_bits(kind.bytes, 8)}; },
            [](const StaticBlobClass& kind) { return std::optional{multiply_bits(kind.bytes, 8)}; },
            [](const ArrayClass& kind) {
                return fixed_bits_of_elements(*kind.element, kind.length);
            },
            [](const StructureClass& kind) {
                std::optional<std::uint64_t> bits = 0;
                for (const Member& member : kind.members) {
                    const auto more = fixed_bits(*member.type);
                    if (!more) {
                        return std::optional<std::uint64_t>{};
                    }
                    bits = add_bits(align_up(*bits, alignment_of(*member.type)), *more);
                }
                return bits;
            },
            [](const auto&) { return std::optional<std::uint64_t>{}; },
        },
        type.kind);
}

std::uint32_t alignment_of(const FieldClass& type)
{
    static constexpr std::uint32_t byte = 8;
    return std::visit(Overloaded{
                          [](const IntegerClass& kind) { return kind.alignment; },
                          [](const RealClass& kind) { return kind.alignment; },
                          [](const StructureClass& kind) {
                              std::uint32_t alignment = kind.alignment;
                              for (const Member& member : kind.members) {
                                  alignment = std::max(alignment, alignment_of(*member.type));
                              }
                              return alignment;
                          },
                          [](const ArrayClass& kind) {
                              return std::max(kind.alignment, alignment_of(*kind.element));
                          },
                          [](const SequenceClass& kind) {
                              return std::max(kind.alignment, alignment_of(*kind.element));
                          },
                          // The options of a variant align themselves.
                          [](const VariantClass&) { return std::uint32_t{1}; },
                          [](const OptionalClass&) { return std::uint32_t{1}; },
                          [](const auto&) { return byte; },
                      },
                      type.kind);
}

} // namespace lttng_gpu::trace::ctf
