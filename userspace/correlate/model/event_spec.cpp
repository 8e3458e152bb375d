// SPDX-License-Identifier: MIT
//
// What the trace systems share, see event_spec.hpp.
#include "event_spec.hpp"

#include <charconv>

namespace lttng_gpu::model {

void NameText::write(std::uint64_t number)
{
    x_digits[0] = '0';
    x_digits[1] = 'x';
    const auto end =
        std::to_chars(x_digits.data() + 2, x_digits.data() + x_digits.size(), number, 16).ptr;
    x_text = {x_digits.data(), static_cast<std::size_t>(end - x_digits.data())};
}

void NormaliserState::tell_name_of_job(JobIndex job, RingId ring)
{
    if (job == no_job || !jobs.at(job).job.ring) {
        return;
    }
    const RingId other = *jobs.at(job).job.ring;
    tell_name(ring, rings.text(rings.at(other).name), NameTeller::Neighbour);
    tell_name(other, rings.text(rings.at(ring).name), NameTeller::Neighbour);
}

ThreadNote* NormaliserState::note_of(const trace::RawEvent& event)
{
    const auto tid = threads.tid_of(event);
    return tid ? &notes.of({event.trace, *tid}) : nullptr;
}

ThreadNote* NormaliserState::find_note(const trace::RawEvent& event)
{
    const auto tid = threads.tid_of(event);
    return tid ? notes.find({event.trace, *tid}) : nullptr;
}

VirtioFence* NormaliserState::find_virtio_fence(const trace::RawEvent& event)
{
    if (ThreadNote* note = note_of(event)) {
        return &note->virtio;
    }
    constexpr std::size_t most_cpus = 8192;
    if (event.cpu.value() >= most_cpus) {
        return nullptr;
    }
    std::vector<VirtioFence>& cpus = virtio_of_cpu[event.trace];
    if (event.cpu.value() >= cpus.size()) {
        cpus.resize(event.cpu.value() + 1ULL);
    }
    return &cpus[event.cpu.value()];
}

} // namespace lttng_gpu::model
