// SPDX-License-Identifier: MIT
//
// See text_source.hpp.
#include "text_source.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t window_size = 512;
constexpr std::size_t lines_at_once = 4096;

} // namespace

TextSource::TextSource(File file, const std::vector<WantedEvent>& wanted)
    : x_lines{std::move(file)}, x_plans{wanted}, x_window{window_size}
{
}

std::optional<double> TextSource::progress() const
{
    const std::uint64_t size = x_lines.file().size();
    if (size == 0) {
        return {};
    }
    return std::min(1.0, static_cast<double>(x_lines.bytes_read()) / static_cast<double>(size));
}

Expected<bool> TextSource::read_some(EventConsumer& consumer)
{
    if (x_is_finished) {
        return false;
    }
    for (std::size_t count = 0; count < lines_at_once; ++count) {
        const auto line = x_lines.next();
        if (!line) {
            return Failure{line.error()};
        }
        if (!*line) {
            return finish(consumer);
        }
        x_is_cut = !(*line)->is_whole;
        if (x_is_cut) {
            ++x_totals.lines_unread;
        } else {
            take((*line)->text, consumer);
        }
    }
    return true;
}

void TextSource::take(std::string_view text, EventConsumer& consumer)
{
    const TextLine line = parse_line(text);
    switch (line.kind) {
    case LineKind::Event:
        take_event(line, consumer);
        break;
    case LineKind::Note:
        x_coverage.expect(line.cpus);
        break;
    case LineKind::Entries:
        x_coverage.expect(line.cpus);
        x_is_overwritten = x_is_overwritten || line.is_overwritten;
        x_headers += line.held ? 1 : 0;
        x_entries += line.held.value_or(0);
        break;
    case LineKind::BufferStarted:
    case LineKind::Lost:
        take_lost(line);
        break;
    case LineKind::Unread:
        ++x_totals.lines_unread;
        break;
    }
}

void TextSource::take_lost(const TextLine& line)
{
    x_buffers.resize(std::max<std::size_t>(x_buffers.size(), line.cpu + 1U));
    Buffer& buffer = x_buffers[line.cpu];
    if (line.kind == LineKind::BufferStarted) {
        buffer.is_late = true;
        return;
    }
    const std::optional<std::uint64_t> before = buffer.has_lost ? buffer.lost : 0;
    buffer.lost = line.lost && before ? std::optional{*line.lost + *before} : std::nullopt;
    buffer.has_lost = true;
}

void TextSource::take_event(const TextLine& line, EventConsumer& consumer)
{
    ++x_totals.events;
    if (!line.time) {
        ++x_totals.events_without_clock;
        return;
    }
    const Timestamp time{*line.time};
    x_buffers.resize(std::max<std::size_t>(x_buffers.size(), line.cpu + 1U));
    if (!x_totals.first) {
        x_totals.first = time;
    }
    Buffer& buffer = x_buffers[line.cpu];
    if (!buffer.has_begun || buffer.has_lost) {
        add_losses(buffer, Cpu{line.cpu}, time, consumer);
    }
    buffer.last = std::max(buffer.last, time);
    x_coverage.note(line.cpu, time);
    x_totals.last = std::max(x_totals.last.value_or(time), time);
    if (TextPlan* plan = x_plans.find(line.event)) {
        add_event(*plan, line, time, consumer);
    }
}

/// Gaps end with the first event after them.
void TextSource::add_losses(Buffer& buffer, Cpu cpu, Timestamp time, EventConsumer& consumer)
{
    const Timestamp first = *x_totals.first;
    const bool begins_late = !buffer.has_begun && (x_is_overwritten || buffer.is_late);
    if (begins_late && time > first) {
        add_loss({first, time, {}, cpu, LossUnit::LateBegin, {}}, consumer);
    }
    if (buffer.has_lost) {
        const Timestamp begin = buffer.has_begun ? buffer.last : first;
        add_loss({std::min(begin, time), time, {}, cpu, LossUnit::Events, buffer.lost}, consumer);
    }
    buffer.has_lost = false;
    if (!buffer.has_begun) {
        buffer.last = time;
    }
    buffer.has_begun = true;
}

/// Null, and counted, when the item comes too late.
HeldItem* TextSource::find_place(Timestamp time, EventConsumer& consumer)
{
    if (x_window.is_full()) {
        x_window.hand_out(consumer);
    }
    return x_window.is_in_time(time) ? &x_window.add(time) : nullptr;
}

/// A gap that begins in what was handed out already comes as late as it ends.
void TextSource::add_loss(const Loss& loss, EventConsumer& consumer)
{
    HeldItem* item = find_place(loss.end, consumer);
    if (item == nullptr) {
        consumer.on_loss(loss);
        return;
    }
    item->is_loss = true;
    item->loss = loss;
}

void TextSource::add_event(TextPlan& plan, const TextLine& line, Timestamp time,
                           EventConsumer& consumer)
{
    HeldItem* item = find_place(time, consumer);
    if (item == nullptr) {
        ++x_totals.events_out_of_order;
        return;
    }
    item->is_loss = false;
    item->text.assign(line.comm).append(line.event).append(line.text);
    const std::string_view kept = item->text;
    const std::string_view name = kept.substr(line.comm.size(), line.event.size());
    item->fields.resize(plan.field_count());
    plan.read(name, kept.substr(line.comm.size() + name.size()), item->fields);
    const FieldValue comm =
        line.comm.empty() ? FieldValue{} : FieldValue{kept.substr(0, line.comm.size())};
    item->event = {time,          {},           Cpu{line.cpu},
                   plan.wanted(), item->fields, {line.pid, line.tid, comm, {}, {}, {}}};
    // Times may still turn out to have begun earlier while nothing was handed out.
    x_totals.first = std::min(*x_totals.first, time);
}

/// A line of a reader may be missing where somebody chose lines, but no CPU's buffer was
/// overwritten.
std::vector<CpuCoverage> TextSource::coverage() const
{
    std::vector<CpuCoverage> cpus = x_coverage.cpus();
    for (CpuCoverage& cpu : cpus) {
        cpu.is_whole = has_whole_buffers();
    }
    return cpus;
}

Expected<bool> TextSource::finish(EventConsumer& consumer)
{
    for (std::size_t cpu = 0; cpu < x_buffers.size(); ++cpu) {
        if (x_buffers[cpu].has_lost && x_totals.last) {
            add_losses(x_buffers[cpu], Cpu{static_cast<std::uint32_t>(cpu)}, *x_totals.last,
                       consumer);
        }
    }
    while (!x_window.is_empty()) {
        x_window.hand_out(consumer);
    }
    x_is_finished = true;
    if (x_is_cut) {
        return Failure{{ErrorKind::DamagedTrace,
                        x_lines.file().path().string() + ": the last line is cut off"}};
    }
    return false;
}

} // namespace lttng_gpu::trace::ftrace
