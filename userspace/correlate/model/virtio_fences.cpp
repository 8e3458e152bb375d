// SPDX-License-Identifier: MIT
//
// See virtio_fences.hpp.
#include "virtio_fences.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// A submission that failed after init never emits. Its note must not hold
/// back the output for ever; a submit call does not take this long.
constexpr Duration longest_submission{1'000'000'000};

constexpr bool is_same_low_half(std::uint64_t first, std::uint64_t second)
{
    return static_cast<std::uint32_t>(first) == static_cast<std::uint32_t>(second);
}

} // namespace

void VirtioFences::on_init(Place place, Timestamp time, FenceContext context)
{
    if (place.is_thread) {
        x_fences[place] = {time, context, {}};
    }
}

void VirtioFences::on_emit(Place place, FenceContext context, FenceSeqno seqno)
{
    Fence& fence = x_fences[place];
    if (fence.seqno || fence.context != context) {
        fence = {{}, context, {}};
    }
    fence.seqno = seqno;
}

std::optional<VirtioFences::Fence> VirtioFences::take(Place place, std::uint64_t fence_id)
{
    const auto found = x_fences.find(place);
    // upstream's dma_fence events carry the low half of the seqno only
    if (found == x_fences.end() || !found->second.seqno ||
        !is_same_low_half(found->second.seqno->value(), fence_id)) {
        return {};
    }
    const Fence fence = found->second;
    x_fences.erase(found);
    return fence;
}

std::optional<Timestamp> VirtioFences::earliest_begun(Timestamp now)
{
    std::optional<Timestamp> earliest;
    for (auto& [place, fence] : x_fences) {
        if (fence.begun && now - *fence.begun > longest_submission) {
            fence.begun.reset();
        }
        if (fence.begun) {
            earliest = std::min(earliest.value_or(*fence.begun), *fence.begun);
        }
    }
    return earliest;
}

} // namespace lttng_gpu::model
