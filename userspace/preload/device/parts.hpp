// SPDX-License-Identifier: MIT
//
// A launch's records as events, in parts that can be read each on its own.
#pragma once

#include <stdlib.h>
#include <time.h>

#include "device.hpp"
#include "pack.hpp"

namespace lttng_gpu::device {

constexpr size_t part_bytes = 3072;
/// The session's buffers are emptied beside this.
constexpr unsigned parts_before_pause = 64;

class Parts {
public:
    explicit Parts(uint64_t launch) : m_launch(launch) {}
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    ~Parts() { free(m_words); }

    void put(Packer& packer, const Piece& piece)
    {
        packer.put(piece);
        if (packer.size() >= part_bytes - most_chunk_bytes)
            write(packer);
    }
    void write(Packer& packer)
    {
        if (!packer.size())
            return;
        const lttng_gpu_devicetrace_records record = {m_launch, m_count, uint32_t(packer.size()),
                                                      uint32_t((packer.size() + 7) / 8), m_words};
        events.records(&record);
        packer.restart();
        const timespec pause = {0, 1'000'000};
        if (++m_count % parts_before_pause == 0)
            nanosleep(&pause, nullptr);
    }
    uint8_t* bytes() { return reinterpret_cast<uint8_t*>(m_words); }
    uint32_t count() const { return m_count; }

private:
    uint64_t m_launch;
    uint32_t m_count = 0;
    uint64_t* const m_words = static_cast<uint64_t*>(calloc(1, part_bytes + most_chunk_bytes));
};

} // namespace lttng_gpu::device
