// SPDX-License-Identifier: MIT
//
// See live_page.hpp.
#include "live_page.hpp"

#include <fmt/format.h>

namespace lttng_gpu::view {

void LivePage::publish(std::string index, std::shared_ptr<const Blobs> blobs)
{
    const std::lock_guard lock{x_mutex};
    x_index = std::move(index);
    ++x_version;
    if (x_blobs != blobs) {
        x_blobs = std::move(blobs);
        ++x_reading;
    }
}

void LivePage::set_progress(std::optional<double> ratio)
{
    const std::lock_guard lock{x_mutex};
    x_ratio = ratio;
}

std::string LivePage::index() const
{
    const std::lock_guard lock{x_mutex};
    return x_index;
}

std::optional<std::string> LivePage::piece(std::uint32_t number) const
{
    std::shared_ptr<const Blobs> blobs;
    {
        const std::lock_guard lock{x_mutex};
        blobs = x_blobs;
    }
    return blobs ? blobs->find(number) : std::nullopt;
}

std::string LivePage::state() const
{
    const std::lock_guard lock{x_mutex};
    return fmt::format(R"({{"version":{},"reading":{},"ratio":{}}})", x_version, x_reading,
                       x_ratio ? fmt::format("{:.4f}", *x_ratio) : "null");
}

} // namespace lttng_gpu::view
