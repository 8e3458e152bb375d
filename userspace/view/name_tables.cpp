// SPDX-License-Identifier: MIT
//
// See name_tables.hpp.
#include "name_tables.hpp"

#include <algorithm>
#include <numeric>

namespace lttng_gpu::view {

std::uint32_t NameTables::actor(const model::Actor& actor)
{
    const ActorKey key{actor.origin, actor.pid, actor.tid, actor.comm};
    if (m_last_actor != UINT32_MAX && key == m_last_key) {
        return m_last_actor;
    }
    const auto [place, is_new] =
        m_actor_numbers.try_emplace(key, static_cast<std::uint32_t>(m_actors.size()));
    if (is_new) {
        const auto [process, is_new_process] = m_process_numbers.try_emplace(
            model::ProcessIdentity{actor}, static_cast<std::uint32_t>(m_processes.size()));
        if (is_new_process) {
            m_processes.push_back({actor.pid, model::thread_without_pid(actor), actor.comm});
        } else if (actor.pid && actor.tid && actor.pid->value() == actor.tid->value()) {
            m_processes[process->second].comm = actor.comm;
        }
        m_actors.push_back({process->second, actor.tid, actor.comm});
    }
    m_last_key = key;
    m_last_actor = place->second;
    return place->second;
}

std::uint32_t NameTables::context(Known<FenceContext> context)
{
    if (!context) {
        return 0;
    }
    const auto [place, is_new] = m_context_numbers.try_emplace(
        context->value(), static_cast<std::uint32_t>(m_contexts.size()));
    if (is_new) {
        m_contexts.push_back(context->value());
    }
    return place->second;
}

std::uint32_t NameTables::text(StringId text)
{
    if (text == StringId{}) {
        return 0;
    }
    const auto [place, is_new] =
        m_text_numbers.try_emplace(text, static_cast<std::uint32_t>(m_texts.size()));
    if (is_new) {
        m_texts.push_back(text);
    }
    return place->second;
}

std::vector<std::uint8_t> NameTables::classes(std::size_t count) const
{
    std::vector<std::uint32_t> order(m_processes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [this](std::uint32_t left, std::uint32_t right) {
        return m_processes[left].jobs > m_processes[right].jobs;
    });
    std::vector<std::uint8_t> result(m_processes.size());
    std::map<std::pair<Pid, StringId>, std::uint8_t> known;
    std::size_t next = 0;
    for (const std::uint32_t number : order) {
        const ProcessEntry& process = m_processes[number];
        const auto of_its_own = static_cast<std::uint8_t>(std::min(next, count - 1));
        result[number] = of_its_own;
        if (process.pid && process.comm != StringId{}) {
            result[number] =
                known.try_emplace({*process.pid, process.comm}, of_its_own).first->second;
        }
        next += result[number] == of_its_own ? 1 : 0;
    }
    return result;
}

} // namespace lttng_gpu::view
