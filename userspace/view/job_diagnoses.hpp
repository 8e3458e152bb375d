// SPDX-License-Identifier: MIT
//
// Why jobs of the page were late. Diagnoses come from another reading, whose rings have other
// numbers, so jobs are found by names of rings, fences and times. Which jobs: PageSink::told_of().
#pragma once

#include "../correlate/diagnose/diagnosis_writer.hpp"
#include "page_sink.hpp"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>

namespace lttng_gpu::view {

class JobDiagnoses {
public:
    /// After the sink's finish(); `rings` are those of the sink's reading.
    JobDiagnoses(const PageSink& sink, const model::RingTable& rings);

    /// `rings` are those of the diagnosis's reading. Jobs that nobody asked for are ignored.
    void add(const diagnose::Diagnosis& diagnosis, const model::RingTable& rings);
    std::size_t count() const { return m_found.size(); }
    /// For the page's index; diagnoses go into pieces.
    nlohmann::ordered_json write(Blobs& blobs) const;

private:
    using Key =
        std::tuple<std::uint32_t, Known<FenceContext>, Known<FenceSeqno>, Timestamp, std::uint16_t>;

    /// The page's number of a ring of the other reading.
    std::uint32_t ring_number(Known<RingId> ring, const model::RingTable& rings);
    nlohmann::ordered_json part_json(const diagnose::Part& part, const model::RingTable& rings);
    nlohmann::ordered_json parts_json(const std::vector<diagnose::Part>& parts,
                                      const model::RingTable& rings);

    Timestamp m_origin;
    std::map<std::tuple<std::string, std::string, std::string>, std::uint32_t> m_ring_numbers;
    std::unordered_map<std::uint32_t, std::uint32_t> m_known_rings; // of the other reading
    std::map<Key, std::uint64_t> m_wanted;
    std::map<std::uint64_t, std::string> m_found; // JSON, by the page's numbers
};

} // namespace lttng_gpu::view
