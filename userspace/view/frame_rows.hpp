// SPDX-License-Identifier: MIT
//
// The frames of surfaces for the page, in pieces in order of their ends, with all that a row of
// `frames` has and the numbers of the jobs that were made for them.
#pragma once

#include "../correlate/calls/frame.hpp"
#include "job_chunks.hpp"
#include "name_tables.hpp"
#include "relations.hpp"

#include <map>

namespace lttng_gpu::view {

class FrameRows {
public:
    struct Surface {
        std::uint32_t process = 0;
        StringId api;
        std::uint64_t handle = 0;
        std::uint64_t frames = 0;
    };

    explicit FrameRows(NameTables& names) : m_names{names} {}

    void add(const model::Frame& frame);
    /// Where there are no jobs that give the page its origin.
    KnownTime first() const { return m_first; }
    bool is_empty() const { return m_all.empty(); }
    void finish(Blobs& blobs, Timestamp origin, const Relations& jobs);
    // after finish()
    const std::vector<Surface>& surfaces() const { return m_surfaces; }
    const std::vector<RelationChunk>& chunks() const { return m_chunks; }
    std::uint64_t left_out() const { return m_left_out; }

private:
    static constexpr std::size_t most = 1'000'000;

    struct Row {
        model::Frame frame;
        std::uint32_t actor = 0;
        std::uint32_t surface = 0;
        std::uint32_t function = 0;
    };

    NameTables& m_names;
    std::vector<Row> m_all;
    KnownTime m_first;
    std::vector<Surface> m_surfaces;
    std::map<std::tuple<std::uint32_t, StringId, std::uint64_t>, std::uint32_t> m_surface_numbers;
    std::vector<RelationChunk> m_chunks;
    std::uint64_t m_left_out = 0;
};

} // namespace lttng_gpu::view
