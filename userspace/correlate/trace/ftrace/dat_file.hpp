// SPDX-License-Identifier: MIT
//
// What a trace.dat file says before its events: versions 6 and 7 of trace-cmd's format
// (Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and .v7.5.txt in trace-cmd). Both come
// out in one form. Unknown options and sections are passed over, as the format demands.
#pragma once

#include "dat_bytes.hpp"
#include "event_format.hpp"
#include "unpack.hpp"

#include <functional>
#include <unordered_map>

namespace lttng_gpu::trace::ftrace {

/// One CPU's part of the file: pages of the kernel's ring buffer.
struct DatCpu {
    std::uint32_t cpu = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0; // in the file
    bool is_cut = false;    // the file ends before
};

/// The kernel's own buffer, or an instance that was recorded as well.
struct DatBuffer {
    std::string name; // empty: the kernel's own
    std::string clock;
    std::uint32_t page_size = 0;
    Packing packing = Packing::None;
    std::vector<DatCpu> cpus;
};

/// How the ticks of the TSC become nanoseconds: ticks * mult >> shift.
struct TickScale {
    std::uint32_t mult = 0;
    std::uint32_t shift = 0;
};

struct DatFile {
    unsigned version = 0;
    bool is_big_endian = false;
    std::uint32_t long_size = 8;
    std::uint32_t page_size = 0;
    std::vector<RecordField> page_header;
    std::vector<DatBuffer> buffers;
    std::unordered_map<std::int64_t, std::string> comms;     // by thread
    std::unordered_map<std::int64_t, std::int64_t> pids;     // processes, by thread
    std::unordered_map<std::uint64_t, std::string> printk;   // texts, by their address
    std::unordered_map<std::uint32_t, std::uint64_t> losses; // events, by CPU with statistics
    std::int64_t time_offset = 0;
    std::optional<TickScale> ticks;
};

/// Told of each event's format while the file is read.
using OnFormat = std::function<void(std::string_view format)>;

Expected<DatFile> read_dat_file(const File& file, const OnFormat& on_format);

} // namespace lttng_gpu::trace::ftrace
