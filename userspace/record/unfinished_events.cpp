// SPDX-License-Identifier: MIT
//
// See unfinished_events.hpp.
#include "unfinished_events.hpp"

#include "ring_buffer.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

bool is_gone(const std::error_code& error)
{
    return error == std::errc::no_such_file_or_directory;
}

/// In the buffers of this folder and below. A folder or a file that vanishes meanwhile was of a
/// program that has ended, and LTTng had read it.
void find_below(const fs::path& folder, UnfinishedEvents& events)
{
    std::error_code error;
    for (fs::directory_iterator entry{folder, error}, end; !error && entry != end;
         entry.increment(error)) {
        std::error_code unknown;
        const auto type = entry->symlink_status(unknown).type();
        if (type == fs::file_type::directory) {
            find_below(entry->path(), events);
        } else if (type == fs::file_type::regular) {
            const auto buffer = RingBuffer::open_at(entry->path(), events.is_known);
            if (buffer && !buffer->find(entry->path(), events)) {
                events.is_known = false;
            }
        } else if (type == fs::file_type::none) {
            events.is_known = events.is_known && is_gone(unknown);
        }
    }
    events.is_known = events.is_known && (!error || is_gone(error));
}

} // namespace

UnfinishedEvents find_unfinished_events(const fs::path& buffers)
{
    UnfinishedEvents events;
    find_below(buffers, events); // without that folder nobody has written
    std::ranges::sort(events.found, {}, [](const UnfinishedEvent& event) {
        return std::pair{event.buffer, event.begin};
    });
    return events;
}

} // namespace lttng_gpu::record
