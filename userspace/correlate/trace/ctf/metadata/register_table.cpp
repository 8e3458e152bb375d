// SPDX-License-Identifier: MIT
#include "register_table.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ctf {
namespace {

std::optional<Register>& keeps_of(FieldClass& integer)
{
    auto* const fixed = std::get_if<IntegerClass>(&integer.kind);
    return fixed != nullptr ? fixed->keeps : std::get<VariableIntegerClass>(integer.kind).keeps;
}

} // namespace

void RegisterTable::connect(const std::vector<BoundField*>& kept, Register& use)
{
    use = shared(kept);
    m_places.push_back(&use);
}

Register RegisterTable::shared(const std::vector<BoundField*>& kept)
{
    std::optional<Register> number;
    for (BoundField* field : kept) {
        auto& keeps = keeps_of(*field->type);
        if (keeps) {
            const Register own = canonical(*keeps);
            const Register other = number ? canonical(*number) : own;
            m_joined[std::max(own, other)] = std::min(own, other);
            number = std::min(own, other);
            continue;
        }
        if (!number) {
            number = static_cast<Register>(m_joined.size());
            m_joined.push_back(*number);
        }
        keeps = number;
        m_places.push_back(&*keeps);
    }
    return *number;
}

Register RegisterTable::canonical(Register number)
{
    while (m_joined[number] != number) {
        m_joined[number] = m_joined[m_joined[number]];
        number = m_joined[number];
    }
    return number;
}

Register RegisterTable::number()
{
    Register count = 0;
    std::vector<Register> final_number(m_joined.size());
    for (Register number = 0; number < m_joined.size(); ++number) {
        const Register own = canonical(number);
        final_number[number] = own == number ? count++ : final_number[own];
    }
    for (Register* const place : m_places) {
        *place = final_number[*place];
    }
    return count;
}

} // namespace lttng_gpu::trace::ctf
