// SPDX-License-Identifier: MIT
//
// The room that a recording has on its file system. LTTng writes the metadata, without which no
// event can be read, only when a recording stops, and its consumer daemon gives up every stream
// that it cannot write (lttng_consumer_thread_data_poll() in consumer.cpp of lttng-tools 2.13.9).
// So a recording must stop while there is still room, and some room is kept back for its end.
#pragma once

#include "../correlate/base/expected.hpp"
#include "descriptor.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>

namespace lttng_gpu::record {

class DiskSpace {
public:
    /// Knows nothing, and never stops a recording.
    DiskSpace() = default;
    /// `unwritten`: what may have to be written at the end, in bytes. Twice that is kept back,
    /// where the file system supports that. `packet`: the largest, in bytes. An error says how much
    /// is missing, and what can be done.
    static Expected<DiskSpace> reserve(const std::filesystem::path& folder, std::uint64_t unwritten,
                                       std::uint64_t packet);

    /// Why the recording must stop now; empty: it need not.
    std::string find_shortage();
    /// At the end of a recording: why LTTng may not have written all; empty: it had room. To be
    /// asked before what is kept back is released, and again when the sessions have stopped.
    std::string find_shortage_at_end();
    /// How long that can be left alone: the less is free, the shorter.
    std::chrono::milliseconds time_to_next() const;
    /// Makes room for what LTTng writes when a session stops.
    void release_for_stop() { m_for_stop = {}; }
    /// Makes room for what LTTng does not write, see shared_buffers.hpp: streams that LTTng still
    /// writes may have taken the other.
    void release_for_rest() { m_for_rest = {}; }

private:
    std::string find_quota(Descriptor& kept) const;

    std::filesystem::path m_folder; // empty: nothing is known
    std::uint64_t m_unwritten = 0;
    // A quota does not show in what a file system says of itself. It shows when this cannot be had.
    // It is more than a packet: where LTTng 2.16 has no room for a whole one, it leaves no part of
    // it, and the room stays free.
    std::uint64_t m_probe = 0;
    std::uint64_t m_least = 0; // free bytes
    std::uint64_t m_free = 0;  // when last looked at
    // Files without names: their room is free when nobody has them open.
    Descriptor m_for_stop;
    Descriptor m_for_rest;
};

/// For the message of what could not be written there; empty: there is room for small things.
std::string shortage_of(const std::filesystem::path& folder);

/// "1.4 MiB"
std::string size_text(std::uint64_t bytes);

} // namespace lttng_gpu::record
