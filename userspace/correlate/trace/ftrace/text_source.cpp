// SPDX-License-Identifier: MIT
//
// See text_source.hpp.
#include "text_source.hpp"

#include "text_runs.hpp"

#include <algorithm>
#include <functional>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t lines_at_once = 4096;

} // namespace

Expected<std::unique_ptr<EventSource>> TextSource::open(File file,
                                                        const std::vector<WantedEvent>& wanted)
{
    auto shared = std::make_shared<File>(std::move(file));
    const auto found = find_runs(shared);
    if (!found) {
        return Failure{found.error()};
    }
    std::vector<Run> runs;
    for (const FilePart& part : found->parts) {
        runs.push_back({LineReader{shared, part}, found->decoder, {}, {}});
    }
    return std::unique_ptr<EventSource>{new TextSource{std::move(shared), std::move(runs), wanted}};
}

TextSource::TextSource(std::shared_ptr<File> file, std::vector<Run> runs,
                       const std::vector<WantedEvent>& wanted)
    : m_file{std::move(file)}, m_runs{std::move(runs)}, m_plans{wanted}, m_window{
                                                                             reorder_window_size}
{
}

std::optional<double> TextSource::progress() const
{
    const std::uint64_t size = m_file->size();
    if (size == 0) {
        return {};
    }
    std::uint64_t read = 0;
    for (const Run& run : m_runs) {
        read += run.lines.bytes_read();
    }
    return std::min(1.0, static_cast<double>(read) / static_cast<double>(size));
}

Expected<bool> TextSource::read_some(EventConsumer& consumer)
{
    if (m_is_finished) {
        return false;
    }
    if (const auto begun = m_is_begun ? Expected<bool>{true} : begin(); !begun) {
        return begun;
    }
    for (std::size_t count = 0; count < lines_at_once; ++count) {
        const auto is_read = m_runs.size() == 1 ? read_line(consumer) : read_earliest(consumer);
        if (!is_read) {
            return is_read;
        }
        if (!*is_read) {
            return finish(consumer);
        }
    }
    return true;
}

/// False at the end.
Expected<bool> TextSource::read_line(EventConsumer& consumer)
{
    Run& run = m_runs.front();
    const auto line = run.lines.next();
    if (!line) {
        return Failure{line.error()};
    }
    if (*line && find_event(run, **line)) {
        take_event(run.next, consumer);
    }
    return line->has_value();
}

/// The next event of every run.
Expected<bool> TextSource::begin()
{
    m_is_begun = true;
    for (std::size_t run = 0; m_runs.size() > 1 && run < m_runs.size(); ++run) {
        const auto has_event = advance(m_runs[run]);
        if (!has_event) {
            return has_event;
        }
        if (*has_event) {
            m_heap.push(Timestamp{*m_runs[run].next.time}, run);
        }
    }
    return true;
}

/// Reads up to the run's next event with a time. False at its end.
Expected<bool> TextSource::advance(Run& run)
{
    for (;;) {
        const auto line = run.lines.next();
        if (!line) {
            return Failure{line.error()};
        }
        if (!*line) {
            return false;
        }
        if (!find_event(run, **line)) {
            continue;
        }
        if (run.next.time) {
            return true;
        }
        count_untimed();
    }
}

/// Of all runs the earliest event. False at the end of all.
Expected<bool> TextSource::read_earliest(EventConsumer& consumer)
{
    if (m_heap.is_empty()) {
        return false;
    }
    const auto [time, index] = m_heap.pop();
    Run& run = m_runs[index];
    if (is_repeated(index, time)) {
        ++m_totals.events_out_of_order;
    } else {
        take_event(run.next, consumer);
    }
    const auto has_event = advance(run);
    if (has_event && *has_event) {
        m_heap.push(Timestamp{*run.next.time}, index);
    }
    return has_event ? Expected<bool>{true} : has_event;
}

/// Whether another run has the same line: one capture is in the text twice.
bool TextSource::is_repeated(std::size_t run, Timestamp time)
{
    if (m_time != time) {
        m_time = time;
        m_same_time.clear();
    }
    const std::size_t hash = std::hash<std::string_view>{}(m_runs[run].text);
    const bool is_there = std::ranges::any_of(
        m_same_time, [&](const auto& line) { return line.first == hash && line.second != run; });
    if (!is_there) {
        m_same_time.emplace_back(hash, run);
    }
    return is_there;
}

/// Takes a line that is no event, too. True: `next` is one.
bool TextSource::find_event(Run& run, const Line& line)
{
    m_is_cut = m_is_cut || line.end == LineEnd::File;
    run.text = run.decoder.decode(line.text);
    if (line.end != LineEnd::Feed || run.text.find('\0') != std::string_view::npos) {
        m_totals.lines_unread += run.decoder.is_around() ? 0 : 1;
        return false;
    }
    run.next = parse_line(run.text);
    switch (run.next.kind) {
    case LineKind::Event:
        return is_event(run.next);
    case LineKind::Note:
        m_coverage.expect(run.next.cpus);
        break;
    case LineKind::Entries:
        m_coverage.expect(run.next.cpus);
        m_is_overwritten = m_is_overwritten || run.next.is_overwritten;
        m_headers += run.next.held ? 1 : 0;
        m_entries += run.next.held.value_or(0);
        break;
    case LineKind::BufferStarted:
    case LineKind::Lost:
        take_lost(run.next);
        break;
    case LineKind::Unread:
        m_totals.lines_unread += run.decoder.is_around() ? 0 : 1;
        break;
    }
    return false;
}

/// Whether the line is only that, and as the others. In a text whose lines have the CPU one
/// without it is damaged.
bool TextSource::is_event(const TextLine& line)
{
    if (holds_another_line(line.text) || (m_has_cpus && !line.has_cpu)) {
        ++m_totals.lines_unread;
        return false;
    }
    m_has_cpus = m_has_cpus || line.has_cpu;
    m_lacks_cpus = m_lacks_cpus || !line.has_cpu;
    m_has_stamps = m_has_stamps || line.has_stamp;
    return true;
}

/// In a trace with times a line without one is damaged; finish() tells of a trace without any.
void TextSource::count_untimed()
{
    ++m_totals.events;
    ++m_totals.events_without_clock;
}

void TextSource::take_lost(const TextLine& line)
{
    m_buffers.resize(std::max<std::size_t>(m_buffers.size(), line.cpu + 1U));
    Buffer& buffer = m_buffers[line.cpu];
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
    if (!line.time) {
        count_untimed();
        return;
    }
    ++m_totals.events;
    const Timestamp time{*line.time};
    m_buffers.resize(std::max<std::size_t>(m_buffers.size(), line.cpu + 1U));
    if (!m_totals.first) {
        m_totals.first = time;
    }
    Buffer& buffer = m_buffers[line.cpu];
    if (!buffer.has_begun || buffer.has_lost) {
        add_losses(buffer, Cpu{line.cpu}, time, consumer);
    }
    buffer.last = std::max(buffer.last, time);
    m_coverage.note(line.cpu, time);
    m_totals.last = std::max(m_totals.last.value_or(time), time);
    if (TextPlan* plan = m_plans.find(line.event)) {
        add_event(*plan, line, time, consumer);
    }
}

/// Gaps end with the first event after them.
void TextSource::add_losses(Buffer& buffer, Cpu cpu, Timestamp time, EventConsumer& consumer)
{
    const Timestamp first = *m_totals.first;
    const bool begins_late = !buffer.has_begun && (m_is_overwritten || buffer.is_late);
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
    if (m_window.is_full()) {
        m_window.hand_out(consumer);
    }
    return m_window.is_in_time(time) ? &m_window.add(time) : nullptr;
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
        ++m_totals.events_out_of_order;
        return;
    }
    item->is_loss = false;
    item->text.assign(line.comm).append(line.event).append(line.text);
    const std::string_view kept = item->text;
    const std::string_view name = kept.substr(line.comm.size(), line.event.size());
    item->fields.resize(plan.field_count());
    const bool is_understood =
        plan.read(name, kept.substr(line.comm.size() + name.size()), item->fields);
    m_totals.lines_unread += is_understood ? 0 : 1;
    const FieldValue comm =
        line.comm.empty() ? FieldValue{} : FieldValue{kept.substr(0, line.comm.size())};
    item->event = {time,          {},           Cpu{line.cpu},
                   plan.wanted(), item->fields, {line.pid, line.tid, comm, {}, {}, {}}};
    // Times may still turn out to have begun earlier while nothing was handed out.
    m_totals.first = std::min(*m_totals.first, time);
}

/// Of a text without the column nothing is known of the CPUs.
std::vector<CpuCoverage> TextSource::coverage() const
{
    if (m_lacks_cpus) {
        return {};
    }
    std::vector<CpuCoverage> cpus = m_coverage.cpus();
    for (CpuCoverage& cpu : cpus) {
        cpu.is_whole = has_told_losses();
    }
    return cpus;
}

Expected<bool> TextSource::finish(EventConsumer& consumer)
{
    for (std::size_t cpu = 0; cpu < m_buffers.size(); ++cpu) {
        if (m_buffers[cpu].has_lost && m_totals.last) {
            add_losses(m_buffers[cpu], Cpu{static_cast<std::uint32_t>(cpu)}, *m_totals.last,
                       consumer);
        }
    }
    while (!m_window.is_empty()) {
        m_window.hand_out(consumer);
    }
    m_is_finished = true;
    if (!m_totals.first && m_totals.events_without_clock > 0) {
        return Failure{{ErrorKind::DamagedTrace,
                        m_file->path().string() + ": " + std::string{no_times_text(m_has_stamps)}}};
    }
    m_totals.lines_unread += m_totals.events_without_clock;
    if (m_is_cut) {
        return Failure{
            {ErrorKind::DamagedTrace, m_file->path().string() + ": the last line is cut off"}};
    }
    return false;
}

} // namespace lttng_gpu::trace::ftrace
