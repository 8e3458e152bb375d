// SPDX-License-Identifier: MIT
//
// See live_page.hpp.
#include "live_page.hpp"

#include <fmt/format.h>

namespace lttng_gpu::view {

void LivePage::publish(std::string index, std::shared_ptr<const Blobs> blobs)
{
    const std::lock_guard lock{m_mutex};
    m_index = std::move(index);
    ++m_version;
    if (m_blobs != blobs) {
        m_blobs = std::move(blobs);
        ++m_reading;
    }
}

void LivePage::set_progress(std::optional<double> ratio)
{
    const std::lock_guard lock{m_mutex};
    m_ratio = ratio;
}

std::string LivePage::index() const
{
    const std::lock_guard lock{m_mutex};
    return m_index;
}

std::optional<std::string> LivePage::piece(std::uint32_t number) const
{
    std::shared_ptr<const Blobs> blobs;
    {
        const std::lock_guard lock{m_mutex};
        blobs = m_blobs;
    }
    return blobs ? blobs->find(number) : std::nullopt;
}

std::string LivePage::state() const
{
    const std::lock_guard lock{m_mutex};
    return fmt::format(R"({{"version":{},"reading":{},"ratio":{}}})", m_version, m_reading,
                       m_ratio ? fmt::format("{:.4f}", *m_ratio) : "null");
}

} // namespace lttng_gpu::view
