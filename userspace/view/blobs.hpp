// SPDX-License-Identifier: MIT
//
// The pieces of a page's data. The page asks for them by their numbers: from its own text, where
// they are deflated, or from the server of this machine, which gives them as they are, because
// deflating takes longer than sending. The server asks while more are added.
#pragma once

#include "packed.hpp"

#include <deque>
#include <mutex>
#include <optional>

namespace lttng_gpu::view {

class Blobs {
public:
    enum class Form : std::uint8_t { Deflated, Plain };

    /// Numbers begin at `first`.
    explicit Blobs(Form form = Form::Deflated, std::uint32_t first = 0)
        : m_form{form}, m_first{first}
    {
    }

    std::uint32_t add(std::string_view bytes)
    {
        std::string piece = m_form == Form::Deflated ? deflated(bytes) : std::string{bytes};
        const std::lock_guard lock{m_mutex};
        m_all.push_back(std::move(piece));
        return m_first + static_cast<std::uint32_t>(m_all.size() - 1);
    }
    /// Nobody asks for it any more; others keep their numbers.
    void forget(std::uint32_t number)
    {
        const std::lock_guard lock{m_mutex};
        std::string{}.swap(m_all.at(number - m_first));
    }
    /// A copy; nothing if it is not there.
    std::optional<std::string> find(std::uint32_t number) const
    {
        const std::lock_guard lock{m_mutex};
        if (number < m_first || number - m_first >= m_all.size()) {
            return {};
        }
        const std::string& piece = m_all[number - m_first];
        return piece.empty() ? std::nullopt : std::optional{piece};
    }
    /// Only when no more are added. What was forgotten is empty.
    const std::deque<std::string>& all() const { return m_all; }
    std::uint32_t end() const
    {
        const std::lock_guard lock{m_mutex};
        return m_first + static_cast<std::uint32_t>(m_all.size());
    }
    Form form() const { return m_form; }

private:
    Form m_form;
    std::uint32_t m_first;
    mutable std::mutex m_mutex;
    std::deque<std::string> m_all;
};

} // namespace lttng_gpu::view
