// SPDX-License-Identifier: MIT
//
// See job_chunks.hpp.
#include "job_chunks.hpp"

#include <algorithm>

namespace lttng_gpu::view {
namespace {

enum : std::uint8_t {
    HasQueued = 1,
    HasSubmitted = 2,
    HasStarted = 4,
    HasCompleted = 8,
    HasRunnable = 16,
    HasObserved = 32,
    AliveAtEnd = 64,
    HasSeqno = 128,
};

std::uint8_t flags_of(const model::Job& job)
{
    const auto flag = [](bool is_set, std::uint8_t bit) {
        return static_cast<std::uint8_t>(is_set ? bit : 0U);
    };
    return static_cast<std::uint8_t>(
        flag(job.queued.has_value(), HasQueued) | flag(job.submitted.has_value(), HasSubmitted) |
        flag(job.started.has_value(), HasStarted) | flag(job.completed.has_value(), HasCompleted) |
        flag(job.runnable.has_value(), HasRunnable) | flag(job.observed.has_value(), HasObserved) |
        flag(job.is_alive_at_end, AliveAtEnd) | flag(job.fence.seqno.has_value(), HasSeqno));
}

/// As the words of the rows: complete, incomplete, preempted, lost.
std::uint8_t status_of_row(const model::Job& job)
{
    if (job.ending != model::Ending::Normal) {
        return job.ending == model::Ending::Lost ? 3 : 2;
    }
    return status_of(job) == model::JobStatus::Complete ? 0 : 1;
}

std::uint8_t states_of(const model::Job& job)
{
    return static_cast<std::uint8_t>(static_cast<unsigned>(job.started_basis) |
                                     static_cast<unsigned>(job.completed_basis) << 2U |
                                     static_cast<unsigned>(status_of_row(job)) << 4U |
                                     static_cast<unsigned>(job.fault) << 6U);
}

} // namespace

void JobChunks::begin_chunk(std::int64_t first)
{
    Chunk chunk;
    chunk.number = m_next_number++;
    chunk.first = chunk.last = chunk.end = first;
    m_chunks.push_back(chunk);
    m_previous_first = m_ring_free = 0;
    m_seqnos.clear();
    m_is_open = true;
}

void JobChunks::add_times(const model::Job& job, std::int64_t first)
{
    const auto since = [this](KnownTime time) { return (*time - m_origin).value(); };
    std::int64_t end = first;
    const auto put = [&](Column column, KnownTime time, std::int64_t likely) {
        if (time) {
            m_columns[column].add_signed(since(time) - likely);
            end = std::max(end, since(time));
        }
    };
    m_columns[First].add_signed(first - m_previous_first);
    m_previous_first = first;
    put(Submitted, job.submitted, first);
    const std::int64_t submitted = job.submitted ? since(job.submitted) : first;
    put(Started, job.started, std::max(submitted, m_ring_free));
    put(Completed, job.completed, job.started ? since(job.started) : submitted);
    if (job.completed) {
        m_ring_free = since(job.completed);
    }
    put(Runnable, job.runnable, first);
    put(Observed, job.observed, job.completed ? since(job.completed) : submitted);
    Chunk& chunk = m_chunks.back();
    chunk.first = std::min(chunk.first, first);
    chunk.last = std::max(chunk.last, first);
    chunk.end = job.is_alive_at_end ? INT64_MAX : std::max(chunk.end, end);
}

void JobChunks::add_seqno(const model::Job& job, std::uint32_t context)
{
    if (!job.fence.seqno) {
        return;
    }
    const std::uint64_t seqno = job.fence.seqno->value();
    const auto low = static_cast<std::uint32_t>(seqno);
    std::uint32_t& previous = m_seqnos[context];
    m_columns[SeqnoLow].add_signed(static_cast<std::int32_t>(low - previous));
    m_columns[SeqnoHigh].add(seqno >> 32U);
    previous = low;
}

std::uint64_t JobChunks::add(const model::Job& job, const JobNames& names)
{
    const std::int64_t first = (first_time(job) - m_origin).value();
    if (!m_is_open) {
        begin_chunk(first);
    }
    Chunk& chunk = m_chunks.back();
    const std::uint64_t number = chunk.number * jobs_of_chunk + chunk.jobs++;
    ++m_jobs;
    m_columns[Flags].add_byte(flags_of(job));
    m_columns[States].add_byte(states_of(job));
    add_times(job, first);
    m_columns[ActorOf].add(names.actor);
    m_columns[Context].add(names.context);
    add_seqno(job, names.context);
    m_columns[ApiCall].add(names.api_call);
    m_columns[Interval].add(job.interval);
    m_columns[ClockError].add(
        job.clock_error ? static_cast<std::uint64_t>(job.clock_error->value()) + 1 : 0);
    if (chunk.jobs == jobs_of_chunk) {
        finish();
    }
    return number;
}

void JobChunks::finish()
{
    if (!m_is_open) {
        return;
    }
    Packed whole;
    whole.add(m_chunks.back().jobs);
    for (Packed& column : m_columns) {
        whole.append(column);
        column.clear();
    }
    m_chunks.back().blob = m_blobs.add(whole.bytes());
    m_is_open = false;
}

} // namespace lttng_gpu::view
