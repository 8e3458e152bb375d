// SPDX-License-Identifier: MIT
//
// The numbers of the jobs of one scheduler, which counts them one by one when they are armed
// (job_id_count in struct drm_gpu_scheduler; drm_sched_job_init() up to 5.15, drm_sched_job_arm()
// since 5.16, v4.17 to v6.16). Several threads push what they armed in any order, so a number
// that is passed over is missing only when many after it have come. Numbers that go up and down
// by more than that are those of several schedulers, as of two GPUs whose rings have equal names.
#pragma once

#include "../base/time_span.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace lttng_gpu::model {

class RingNumbers {
public:
    struct MissingNumber {
        std::uint64_t id = 0;
        TimeSpan when; // between the events of its neighbours
    };

    /// The numbers are given where jobs are submitted, under a lock: at the end one that was passed
    /// over is missing, however few came after it.
    void set_in_order() { m_is_in_order = true; }
    /// Gives the numbers that are known to be missing now. Queued: by the event of this moment.
    std::vector<MissingNumber> note(std::uint64_t id, Timestamp time, bool is_queued);
    /// It was queued at this time.
    void note_queued(std::uint64_t id, Timestamp time)
    {
        if (!m_has_queued || id < m_queued_id) {
            m_has_queued = true;
            m_queued_id = id;
            m_queued = time;
        }
    }
    /// It was met at this time, but its queue event was not. When an earlier number was queued in
    /// the trace, so was this one. Numbers are given just before, so the next one may have been
    /// queued by another thread at the same time.
    void note_unqueued(std::uint64_t id, Timestamp time)
    {
        constexpr std::size_t most = 4096;
        if (m_has_queued && id > m_queued_id + 1 && m_queued <= time && m_unqueued.size() < most) {
            m_unqueued.push_back({time, time}); // it was queued before; how long, nothing tells
        }
    }
    /// Its end is met, though later numbers were met first: when it was passed over. Not known of
    /// one that is not awaited. It is not missing any more.
    std::optional<TimeSpan> take_awaited(std::uint64_t id);
    const std::vector<TimeSpan>& unqueued() const { return m_unqueued; }
    /// Two open jobs have one number.
    void count_same() { ++m_same; }
    /// Two open jobs with one number may be one whose end was lost before the driver was loaded
    /// again, and a thread may be stopped for long between taking a number and queueing its job
    /// (up to 5.15); but neither happens often.
    bool is_of_several() const
    {
        return m_same >= no_chance || (m_returns >= no_chance && m_returns * patience >= m_noted);
    }
    bool has_any() const { return m_has_any; }
    /// The first and the last that were met, in a count that never went back; each between them
    /// was met or is missing. Before the first of all numbers nothing was.
    std::optional<TimeSpan> continuous() const;
    /// After the last event: those that enough others came after.
    std::vector<MissingNumber> finish();

private:
    static constexpr std::uint64_t no_chance = 3;
    /// So many later ones show that a number will not come any more.
    static constexpr std::uint64_t patience = 64;
    static constexpr std::uint64_t patience_at_end = 8;
    /// Only the end of the trace shows that a greater hole is not the step to another scheduler's
    /// numbers.
    static constexpr std::uint64_t most_at_once = 64;
    /// A greater step is another scheduler, or a reload of the driver.
    static constexpr std::uint64_t most_missing = 1U << 16U;

    struct Awaited {
        MissingNumber number;
        std::uint64_t since = 0; // so many had been noted
        bool is_of_great_hole = false;
    };

    void begin_count(std::uint64_t id, Timestamp time);
    std::vector<MissingNumber> take(std::uint64_t least_later, bool is_finishing);

    bool m_is_in_order = false;
    bool m_has_any = false;
    bool m_has_skipped = false; // other counts began
    std::uint64_t m_first = 0;
    Timestamp m_since; // of the first
    bool m_has_queued = false;
    std::uint64_t m_queued_id = 0; // the least
    Timestamp m_queued;
    std::vector<TimeSpan> m_unqueued;
    std::uint64_t m_same = 0;
    std::uint64_t m_returns = 0; // to numbers long before the latest
    std::uint64_t m_noted = 0;
    std::uint64_t m_latest = 0;
    Timestamp m_time;               // of the latest
    std::vector<Awaited> m_awaited; // in order
};

} // namespace lttng_gpu::model
