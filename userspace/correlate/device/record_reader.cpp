// SPDX-License-Identifier: MIT
//
// See record_reader.hpp.
#include "record_reader.hpp"

#include <algorithm>

namespace lttng_gpu::device {
namespace {

enum Wanted : std::size_t { Launch, Records, End };

} // namespace

std::span<const std::uint8_t> bytes_of(const trace::NumberList& words, std::uint64_t count,
                                       std::vector<std::uint8_t>& room)
{
    room.resize(words.size() * 8);
    for (std::size_t place = 0; place < words.size(); ++place) {
        for (unsigned byte = 0; byte < 8; ++byte) {
            room[place * 8 + byte] = static_cast<std::uint8_t>(words[place] >> (8 * byte));
        }
    }
    return std::span{room}.first(std::min<std::size_t>(count, room.size()));
}

std::vector<trace::WantedEvent> RecordReader::wanted()
{
    const std::string provider = "lttng_gpu_devicetrace:";
    return {{provider + "launch", {"launch", "times"}},
            {provider + "records", {"launch", "bytes", "words"}},
            {provider + "launch_end", {"launch"}}};
}

void RecordReader::on_event(const trace::RawEvent& event)
{
    const std::uint64_t launch = event.fields[0].as_unsigned_or(0);
    if (event.wanted == Launch) {
        m_has_times[launch] = event.fields[1].as_unsigned_or(0) != 0;
        return;
    }
    const auto known = m_has_times.find(launch);
    if (event.wanted == End) {
        if (known != m_has_times.end()) {
            m_has_times.erase(known);
        }
        m_consumer.on_launch_end(launch);
    } else if (known != m_has_times.end()) {
        m_consumer.on_launch(launch);
        unpack(bytes_of(event.fields[2].as_numbers(), event.fields[1].as_unsigned_or(0), m_bytes),
               known->second, m_consumer);
    }
}

} // namespace lttng_gpu::device
