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
    if (const auto found = x_ids.find(text); found != x_ids.end()) {
        return found->second;
    }
    const StringId id{static_cast<std::uint32_t>(x_texts.size())};
    x_texts.push_back(printable_text(text));
    x_ids.emplace(x_texts.back() == text ? x_texts.back() : x_unprintable.emplace_back(text), id);
    return id;
}

std::string_view StringPool::at(StringId id) const
{
    return x_texts.at(id.value());
}

} // namespace lttng_gpu
