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
        : x_form{form}, x_first{first}
    {
    }

    std::uint32_t add(std::string_view bytes)
    {
        std::string piece = x_form == Form::Deflated ? deflated(bytes) : std::string{bytes};
        const std::lock_guard lock{x_mutex};
        x_all.push_back(std::move(piece));
        return x_first + static_cast<std::uint32_t>(x_all.size() - 1);
    }
    /// Nobody asks for it any more; others keep their numbers.
    void forget(std::uint32_t number)
    {
        const std::lock_guard lock{x_mutex};
        std::string{}.swap(x_all.at(number - x_first));
    }
    /// A copy; nothing if it is not there.
    std::optional<std::string> find(std::uint32_t number) const
    {
        const std::lock_guard lock{x_mutex};
        if (number < x_first || number - x_first >= x_all.size()) {
            return {};
        }
        const std::string& piece = x_all[number - x_first];
        return piece.empty() ? std::nullopt : std::optional{piece};
    }
    /// Only when no more are added. What was forgotten is empty.
    const std::deque<std::string>& all() const { return x_all; }
    std::uint32_t end() const
    {
        const std::lock_guard lock{x_mutex};
        return x_first + static_cast<std::uint32_t>(x_all.size());
    }
    Form form() const { return x_form; }

private:
    Form x_form;
    std::uint32_t x_first;
    mutable std::mutex x_mutex;
    std::deque<std::string> x_all;
};

} // namespace lttng_gpu::view
