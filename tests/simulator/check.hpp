// SPDX-License-Identifier: MIT
//
// Compares what the correlator made of a stream with the truth. Each complaint
// has a kind (what rule was broken) and, where there is one, the true job.
#pragma once

#include "jobs/job.hpp"
#include "rings/ring_table.hpp"
#include "truth.hpp"

#include "base/anomaly.hpp"

namespace lttng_gpu::simulator {

struct Complaint {
    std::string kind;
    std::uint32_t job = nobody;
    std::string words;
};

struct Shown {
    std::vector<model::Job> rows;
    std::vector<model::Dependency> dependencies;
    std::vector<model::Wait> waits;
    const model::RingTable& rings;
    const AnomalyCounters& anomalies;
};

struct Tally {
    std::uint64_t jobs = 0;
    std::uint64_t events = 0;
    std::uint64_t rows = 0;
    std::uint64_t times = 0;    // shown and right
    std::uint64_t starts = 0;   // among them
    std::uint64_t withheld = 0; // starts that the stream determines, not shown near a loss
    std::uint64_t submissions_withheld = 0; // of jobs that came off the hardware near a loss
    std::uint64_t complaints = 0;
};

class Check {
public:
    Check(const World& world, const Scenario& scenario, const Truth& truth, const Stream& kept,
          const Shown& shown)
        : m_world{world}, m_scenario{scenario}, m_truth{truth}, m_kept{kept}, m_shown{shown}
    {
    }

    std::vector<Complaint> run(Tally& tally);

private:
    struct Matched {
        const model::Job* row;
        std::uint32_t job;
        std::uint8_t interval;
    };

    void match();
    std::uint32_t find_job(const model::Job& row) const;
    std::uint32_t best_of(const model::Job& row, const std::vector<std::uint32_t>& jobs) const;
    int likeness(const model::Job& row, std::uint32_t job) const;
    std::uint8_t interval_of(const model::Job& row, std::uint32_t job) const;

    void check_times(const Matched& matched);
    void check_queued(const Matched& matched);
    void check_completed(const Matched& matched);
    void check_start(const Matched& matched);
    bool is_start_determined(const Matched& matched) const;
    std::vector<Time> possible_ends(std::uint32_t job, std::uint8_t interval) const;
    void check_ending(const Matched& matched);
    void check_ring(const Matched& matched);
    void check_number(const Matched& matched);
    void check_actor(const Matched& matched);
    void check_presence();
    void check_order();
    void check_account();
    void check_dependencies();
    void check_waits();

    void complain(const char* kind, std::uint32_t job, std::string words);
    bool is_exact() const { return m_scenario.distortion.skew == 0; }
    bool is_fifo(std::uint32_t ring) const;
    bool has_loose_identity() const;

    const World& m_world;
    const Scenario& m_scenario;
    const Truth& m_truth;
    const Stream& m_kept;
    const Shown& m_shown;
    std::vector<Matched> m_matched;
    std::vector<std::vector<std::size_t>> m_rows_of; // per job, places in m_matched
    std::vector<Complaint> m_complaints;
    Tally m_tally;
};

/// A job and its events, as one reads them.
std::string describe(const World& world, const Stream& stream, std::uint32_t job);
std::string describe(const model::Job& row, const model::RingTable& rings);

} // namespace lttng_gpu::simulator
