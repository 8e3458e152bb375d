// SPDX-License-Identifier: MIT
//
// The decoded records of a device trace, launch by launch: for who wants each of them, and not
// their sums (collector.hpp).
#pragma once

#include "../trace/event_source.hpp"
#include "unpack.hpp"

#include <unordered_map>
#include <vector>

namespace lttng_gpu::device {

/// The bytes of the field `words` of a `records` event, of which `count` are used.
std::span<const std::uint8_t> bytes_of(const trace::NumberList& words, std::uint64_t count,
                                       std::vector<std::uint8_t>& room);

class LaunchConsumer : public RecordConsumer {
public:
    /// Whose records come next.
    virtual void on_launch(std::uint64_t launch) = 0;
    /// No more come.
    virtual void on_launch_end(std::uint64_t launch) = 0;
};

class RecordReader final : public trace::EventConsumer {
public:
    explicit RecordReader(LaunchConsumer& consumer) : m_consumer{consumer} {}

    static std::vector<trace::WantedEvent> wanted();

    void on_event(const trace::RawEvent& event) override;
    void on_loss(const trace::Loss&) override {}

private:
    LaunchConsumer& m_consumer;
    std::unordered_map<std::uint64_t, bool> m_has_times; // of launches under way
    std::vector<std::uint8_t> m_bytes;
};

} // namespace lttng_gpu::device
