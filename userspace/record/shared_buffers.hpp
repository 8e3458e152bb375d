// SPDX-License-Identifier: MIT
//
// Where LTTng keeps the buffers of user space while record runs: in files (`lttng create
// --shm-path`), so that what a program wrote can be read although nobody reads its buffers any
// more.
//
// A program that is killed while it writes an event leaves a sub-buffer in which room is taken and
// never given back. LTTng 2.13.9 does not read that sub-buffer, nor any later one of that CPU,
// and `lttng stop` or `lttng destroy` waits for it without end. From the files record reads what
// comes before the unfinished event, and all later sub-buffers. `lttng-crash`, which does the same,
// believes whatever a program wrote to its buffer; root must not run that.
#pragma once

#include "../correlate/base/expected.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lttng_gpu::record {

/// A folder in memory, for this user alone: LTTng's daemons make all buffers as the user of the
/// session (open_ust_stream_fd() in ust-consumer.c of lttng-tools 2.13.9), and programs get them as
/// descriptors. It must be removed when the session is destroyed, before
/// anything else is asked of the session daemon: after the destruction it waits until the folder is
/// gone (wait_on_path() in cmd.c of lttng-tools 2.13.9), which a stuck buffer prevents.
class SharedBuffers {
public:
    /// Makes it. `session`: its name begins so. Empty path: it cannot be made, and LTTng keeps its
    /// buffers where it always does.
    static SharedBuffers make(const std::string& session);
    /// What a killed recording left of that session. Empty path: nothing.
    static SharedBuffers left_by(const std::string& session);

    SharedBuffers() = default;
    SharedBuffers(const SharedBuffers&) = delete;
    SharedBuffers& operator=(const SharedBuffers&) = delete;
    SharedBuffers(SharedBuffers&& other) noexcept : m_path{std::move(other.m_path)}
    {
        other.m_path.clear();
    }
    SharedBuffers& operator=(SharedBuffers&& other) noexcept
    {
        std::swap(m_path, other.m_path);
        return *this;
    }
    ~SharedBuffers();

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// What LTTng has not read from the buffers, as a CTF trace in a folder that is removed with this.
class UnreadEvents {
public:
    static Expected<UnreadEvents> extract(const SharedBuffers& buffers);

    UnreadEvents(const UnreadEvents&) = delete;
    UnreadEvents& operator=(const UnreadEvents&) = delete;
    UnreadEvents(UnreadEvents&& other) noexcept
        : m_folder{std::move(other.m_folder)}, m_bytes{other.m_bytes}, m_damaged{other.m_damaged}
    {
        other.m_folder.clear();
    }
    ~UnreadEvents();

    std::uint64_t bytes() const { return m_bytes; }
    /// Buffers of which not all could be read: they are not as LTTng makes them.
    std::uint64_t damaged() const { return m_damaged; }
    /// Appends the packets to the streams that they continue. LTTng must not write to them any
    /// more. The streams' index files, which do not name these packets, are removed: readers need
    /// none. The metadata is replaced: LTTng writes its own when a session stops, which it could
    /// not when a daemon died.
    Expected<void> append_to(const std::filesystem::path& trace) const;
    /// Replaces metadata of the trace that is shorter than what the session daemon has: when all
    /// programs were killed soon after their start, LTTng 2.13.9 may write only its beginning.
    Expected<void> complete_metadata_of(const std::filesystem::path& trace) const;

private:
    explicit UnreadEvents(std::filesystem::path folder) : m_folder{std::move(folder)} {}
    Expected<void> extract_buffer(const std::filesystem::path& from,
                                  const std::filesystem::path& to);
    Expected<void> add_each(const std::filesystem::path& trace,
                            Expected<void> (*add)(const std::filesystem::path& from,
                                                  const std::filesystem::path& to)) const;

    std::filesystem::path m_folder;
    std::uint64_t m_bytes = 0; // of streams
    std::uint64_t m_damaged = 0;
};

} // namespace lttng_gpu::record
