// SPDX-License-Identifier: MIT
//
// Packed records of the device recorder, of any bytes; the first one's lowest bit says whether they
// have times.
#include "device/unpack.hpp"
#include "device/warps.hpp"

#include <cstdlib>

namespace {

using namespace lttng_gpu::device;

class Summed final : public RecordConsumer {
public:
    void on_chunk(const Chunk& chunk) override
    {
        ++chunks;
        m_warps.on_chunk(chunk);
    }
    void on_record(const Chunk& chunk, const Record& record) override
    {
        ++records;
        if (record.location > end_location || record.count == 0) {
            std::abort();
        }
        m_warps.on_record(chunk, record, &m_locations);
    }
    LaunchSum finish()
    {
        LaunchSum launch;
        m_warps.finish(launch);
        return launch;
    }

    std::size_t chunks = 0;
    std::size_t records = 0;

private:
    Warps m_warps;
    std::map<std::uint32_t, LocationSum> m_locations;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) {
        return 0;
    }
    Summed summed;
    unpack({data + 1, size - 1}, (data[0] & 1U) != 0, summed);
    const LaunchSum launch = summed.finish();
    // A path has up to 30 passes with a byte of a lane.
    if (summed.chunks > size || summed.records > size * 64 || launch.end < launch.begin) {
        std::abort();
    }
    return 0;
}
