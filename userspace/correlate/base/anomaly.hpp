// SPDX-License-Identifier: MIT
//
// Everything odd that a trace can contain, by name. Nothing is dropped in
// silence: whoever meets an oddity counts it here, and the report prints the
// name, the count and the explanation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lttng_gpu {

enum class Anomaly : std::uint8_t {
    DuplicateQueue,
    DuplicateSubmit,
    DuplicateComplete,
    SubmitOfUnknownJob,
    CompleteOfUnknownJob,
    QueueAfterSubmit,
    StageBeforePrevious,
    RingChanged,
    FencePointerReused,
    CompletionNeverSeen,
    QueueEventMissing,
    SubmitEventMissing,
    CompletionEventMissing,
    JobMissing,
    CpuBeginsLate,
    CpuEndsEarly,
    CpuMissing,
    CpuClocksDiffer,
    ContextOutOfOrder,
    DependencyOfUnknownJob,
    EventWithoutIdentity,
    EventWithoutClock,
    AmbiguousFence,
    FenceWithoutJobEvents,
    SubmissionAbandoned,
    RetiredUnended,
    EndUntold,
    SubmissionInDoubt,
    RowOutOfOrder,
    TooManyOpenJobs,
    WaitUnpaired,
    DependencyDropped,
    RingNameShared,
    RingNamesDiffer,
    ThreadForgotten,
    JobTimedOut,
    JobFailed,
    JobBanned,
    EventOutOfOrder,
    LineUnread,
    CommandUntimed,
    CommandTimesUnavailable,
    CommandTimesDisordered,
    CommandTimesImplausible,
    CommandTimesUnmapped,
    CommandNeverReported,
    CommandForgotten,
    ApiCallAmbiguous,
    ApiCallUntimed,
    ApiCallElsewhere,
    ApiCallMachineUnknown,
    ApiCallNamespaceUnknown,
    ApiCallHelperInDoubt,
    ApiCallHelperUnmatched,
    FrameJobUnplaced,
    FrameForgotten,
    Count,
};

struct AnomalyText {
    std::string_view name;
    std::string_view meaning;
};

inline constexpr auto anomaly_count = static_cast<std::size_t>(Anomaly::Count);

/// By the anomaly's number. In a file of its own, because nearly everything includes this one.
extern const std::array<AnomalyText, anomaly_count> anomaly_texts;

/// Events are missing, and the tracer did not say so.
constexpr bool is_unannounced_loss(Anomaly anomaly)
{
    return Anomaly::QueueEventMissing <= anomaly && anomaly <= Anomaly::CpuMissing;
}

class AnomalyCounters {
public:
    void count(Anomaly anomaly, std::uint64_t times = 1)
    {
        m_counts[static_cast<std::size_t>(anomaly)] += times;
    }

    std::uint64_t unannounced_losses() const
    {
        std::uint64_t sum = 0;
        for (std::size_t index = 0; index < m_counts.size(); ++index) {
            sum += is_unannounced_loss(static_cast<Anomaly>(index)) ? m_counts[index] : 0;
        }
        return sum;
    }

    std::uint64_t at(Anomaly anomaly) const { return m_counts[static_cast<std::size_t>(anomaly)]; }

private:
    std::array<std::uint64_t, anomaly_count> m_counts{};
};

} // namespace lttng_gpu
