// SPDX-License-Identifier: MIT
//
// See machines.hpp.
#include "machines.hpp"

#include <algorithm>
#include <array>

namespace lttng_gpu::model {
namespace {

/// What machines are called that nobody named.
constexpr std::array<std::string_view, 3> no_names{"", "(none)", "localhost"};

} // namespace

std::size_t Machines::number_of(const std::string& text)
{
    const auto found = std::ranges::find(m_texts, text);
    const auto place = static_cast<std::size_t>(found - m_texts.begin());
    if (found == m_texts.end()) {
        m_texts.push_back(text);
    }
    return place + 1;
}

void Machines::set(TraceId trace, const trace::MachineName& name)
{
    Machine& machine = m_machines[trace];
    if (!name.boot_id.empty()) {
        machine.boot = number_of(name.boot_id);
    }
    if (std::ranges::find(no_names, name.host) == no_names.end()) {
        machine.host = number_of(name.host);
    }
    if (machine.boot != 0 || machine.host != 0) {
        m_named.push_back(machine);
    }
}

SameMachine Machines::compare(const Machine& left, const Machine& right)
{
    const bool has_boots = left.boot != 0 && right.boot != 0;
    const bool has_hosts = left.host != 0 && right.host != 0;
    if (!has_boots && !has_hosts) {
        return SameMachine::Unknown;
    }
    const bool is_same = has_boots ? left.boot == right.boot : left.host == right.host;
    return is_same ? SameMachine::Yes : SameMachine::No;
}

SameMachine Machines::compare(TraceId left, TraceId right)
{
    if (left == right) {
        return SameMachine::Yes;
    }
    const SameMachine known = compare(m_machines[left], m_machines[right]);
    if (known != SameMachine::Unknown) {
        return known;
    }
    const bool is_one = std::ranges::all_of(m_named, [&](const Machine& machine) {
        return compare(machine, m_named.front()) == SameMachine::Yes;
    });
    return is_one ? SameMachine::Yes : SameMachine::Unknown;
}

} // namespace lttng_gpu::model
