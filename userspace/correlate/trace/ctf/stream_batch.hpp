// SPDX-License-Identifier: MIT
//
// Some thousand decoded items of one stream, in order of time: the unit in which
// decoding runs ahead of merging. Texts point into the mapped file.
#pragma once

#include "record_form.hpp"
#include "structure_decoder.hpp"
#include "trace_plan.hpp"

namespace lttng_gpu::trace::ctf {

struct Record {
    std::int64_t time = 0;           // ns
    const EventPlan* plan = nullptr; // null: a loss
    union {
        /// Where a simple body begins: it is read when the event is handed out, straight
        /// into the cache of who takes it. body_margin bytes of content lie behind it at least.
        const std::uint8_t* body = nullptr;
        struct {
            std::uint32_t first;    // value, or index of the loss
            std::uint32_t appended; // values after the slots of the plan
        } values;
    };
    std::uint32_t cpu = 0;
    RecordForm form; // says whether `body` counts or `values`
};

/// A vector whose elements need no construction when it is used again.
class RecordList {
public:
    /// So many records behind the last one exist, but mean nothing: who looks ahead in the
    /// list need not ask where it ends.
    static constexpr std::size_t spare = 8;

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const Record& operator[](std::size_t index) const { return m_records[index]; }
    const Record* data() const { return m_records.data(); }
    Record* data() { return m_records.data(); }
    Record& back() { return m_records[m_size - 1]; }
    Record& add()
    {
        if (m_size + spare >= m_records.size()) {
            grow();
        }
        return m_records[m_size++];
    }
    void clear() { m_size = 0; }

    /// Room for `count` more behind the last one; they count when they are taken.
    Record* reserve(std::size_t count)
    {
        if (m_size + count + spare > m_records.size()) {
            m_records.resize(m_size + count + spare);
        }
        return m_records.data() + m_size;
    }
    void take(std::size_t count) { m_size += count; }

private:
    void grow() { m_records.resize(2 * (m_records.size() + spare)); }

    std::vector<Record> m_records;
    std::size_t m_size = 0;
};

struct Batch {
    RecordList records;
    ValueArena values;
    std::vector<Loss> losses;
    std::uint64_t events = 0; // read, wanted or not
    std::uint64_t events_without_clock = 0;
    std::uint64_t bytes = 0;                // of the file that were read for it
    std::optional<std::int64_t> first_time; // of any event
    std::optional<std::int64_t> last_time;
    std::optional<Error> fault; // the first one; reading went on behind it
    bool is_last = false;

    void clear();
};

} // namespace lttng_gpu::trace::ctf
