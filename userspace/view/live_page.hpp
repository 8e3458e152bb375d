// SPDX-License-Identifier: MIT
//
// The page that a server gives, while it is still being made: one thread publishes, that of the
// server asks.
#pragma once

#include "blobs.hpp"

#include <memory>

namespace lttng_gpu::view {

class LivePage {
public:
    /// An index takes the place of the one before. Other `blobs` than before are another reading:
    /// numbers of jobs, rings and pieces begin anew.
    void publish(std::string index, std::shared_ptr<const Blobs> blobs);
    /// Of what is being read, from 0 to 1.
    void set_progress(std::optional<double> ratio);

    std::string index() const;
    std::optional<std::string> piece(std::uint32_t number) const;
    /// JSON: how far the reading is, and whether there is another index than the one the page has.
    std::string state() const;

private:
    mutable std::mutex m_mutex;
    std::string m_index;
    std::shared_ptr<const Blobs> m_blobs;
    std::uint64_t m_version = 0;
    std::uint64_t m_reading = 0;
    std::optional<double> m_ratio;
};

} // namespace lttng_gpu::view
