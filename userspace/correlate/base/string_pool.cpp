// SPDX-License-Identifier: MIT
//
// See string_pool.hpp. The map's keys are views of the deques' strings, which
// never move, so a text that is printable as it is gets stored once only.
#include "string_pool.hpp"

#include "printable_text.hpp"

namespace lttng_gpu {

StringPool::StringPool()
{
    intern("");
}

StringId StringPool::intern(std::string_view text)
{
    if (const auto found = m_ids.find(text); found != m_ids.end()) {
        return found->second;
    }
    const StringId id{static_cast<std::uint32_t>(m_texts.size())};
    m_texts.push_back(printable_text(text));
    m_ids.emplace(m_texts.back() == text ? m_texts.back() : m_unprintable.emplace_back(text), id);
    return id;
}

std::string_view StringPool::at(StringId id) const
{
    return m_texts.at(id.value());
}

} // namespace lttng_gpu
