// SPDX-License-Identifier: MIT
//
// How to read the wanted fields of one event class of a trace.dat file, made once from
// its format.
#pragma once

#include "dat_file.hpp"
#include "event_names.hpp"

#include <deque>
#include <memory>

namespace lttng_gpu::trace::ftrace {

struct DatPlan {
    std::string name;
    std::size_t wanted = 0;
    std::vector<RecordField> fields;      // kind Other for what the record does not have
    std::vector<std::size_t> name_places; // which of them are the event's name
};

/// The plans of a file, by the number in common_type.
class DatPlans {
public:
    explicit DatPlans(const std::vector<WantedEvent>& wanted);

    void add(std::string_view format);
    /// Null when nobody wants it.
    const DatPlan* find(std::uint64_t id) const
    {
        return id < m_by_id.size() ? m_by_id[id].get() : nullptr;
    }

    /// Where each record has the number of its class and its thread; the same in all.
    const RecordField& type_field() const { return m_type; }
    const RecordField& pid_field() const { return m_pid; }

private:
    DatPlan make_plan(const EventFormat& format, std::size_t wanted) const;

    std::vector<WantedEvent> m_wanted;
    ByName<std::size_t> m_names;
    std::vector<std::unique_ptr<DatPlan>> m_by_id;
    RecordField m_type{"common_type", 0, 2, RecordKind::Unsigned};
    RecordField m_pid{"common_pid", 4, 4, RecordKind::Signed};
};

/// Reads fields of a record; the texts that it makes live until `clear`.
class RecordReader {
public:
    explicit RecordReader(const DatFile& dat) : m_dat{dat} {}

    void clear() { m_made_count = 0; }
    /// None when the field does not lie in the record.
    FieldValue read(std::span<const std::byte> record, const RecordField& field);

private:
    FieldValue read_located(std::span<const std::byte> record, const RecordField& field) const;
    FieldValue read_address(std::uint64_t address);

    const DatFile& m_dat;
    std::deque<std::string> m_made; // used again
    std::size_t m_made_count = 0;
};

} // namespace lttng_gpu::trace::ftrace
