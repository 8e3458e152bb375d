// SPDX-License-Identifier: MIT
//
// Jobs as Perfetto's track events. Numbers of fields are those of protos/perfetto/trace in
// Perfetto's sources; tests/export/timeline.proto has those that are used. Packets need not be in
// order of time: who reads them sorts them.
#include "perfetto_sched.hpp"
#include "timeline_writer.hpp"

#include "../../correlate/report/job_words.hpp"
#include "proto_bytes.hpp"

#include <algorithm>

namespace lttng_gpu::exporting {
namespace {

namespace trace {
constexpr unsigned packet = 1;
}
namespace packet {
constexpr unsigned timestamp = 8, sequence = 10, track_event = 11, interned = 12, flags = 13,
                   descriptor = 60;
constexpr unsigned cleared = 1, needs_state = 2; // values of flags
} // namespace packet
namespace track {
constexpr unsigned uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8;
}
namespace process {
constexpr unsigned pid = 1, name = 6;
}
namespace thread {
constexpr unsigned pid = 1, tid = 2, name = 5;
}
namespace event {
constexpr unsigned category = 3, annotation = 4, type = 9, name = 10, track = 11, own_name = 23,
                   count = 30, flow = 47, last_flow = 48;
constexpr unsigned begin = 1, end = 2, instant = 3, counter = 4; // values of type
} // namespace event
namespace interned {
constexpr unsigned category = 1, name = 2, annotation_name = 3, number = 1, text = 2;
}
namespace annotation {
constexpr unsigned name = 1, number = 3, signed_number = 4, text = 6, own_name = 10;
}

/// Numbers of the names of annotations.
enum class Detail : unsigned { Job = 1, Context, Seqno, Tid, Status, BeginBasis, EndBasis };
constexpr std::array<std::string_view, 7> detail_names{"job",    "context",     "seqno",    "tid",
                                                       "status", "begin_basis", "end_basis"};

constexpr std::uint64_t our_sequence = 1;
constexpr std::size_t most_packet = 1024; // without texts
constexpr std::size_t most_text = 4096;

class PerfettoWriter final : public TimelineWriter {
public:
    using TimelineWriter::TimelineWriter;

    Expected<void> begin() override;
    model::ThreadObserver* thread_observer() override { return &m_sched; }

private:
    void define_group(TrackNumber number, TrackNumber parent, std::string_view name) override
    {
        define_track(number, parent, name);
    }
    void define_track(TrackNumber number, TrackNumber parent, std::string_view name) override
    {
        describe(number, parent, [&](ProtoBytes& bytes) { bytes.text(track::name, cut(name)); });
    }
    void define_counter(TrackNumber number, TrackNumber parent, std::string_view name) override
    {
        describe(number, parent, [&](ProtoBytes& bytes) {
            bytes.text(track::name, cut(name));
            bytes.message(track::counter, [] {});
        });
    }
    void define_process(TrackNumber number, Pid pid, std::string_view name) override
    {
        describe(number, 0, [&](ProtoBytes& bytes) {
            bytes.message(track::process, [&] {
                bytes.number(process::pid, static_cast<std::uint64_t>(pid.value()));
                bytes.text(process::name, cut(name));
            });
        });
    }
    void define_thread(TrackNumber number, TrackNumber of, Pid pid, Tid tid,
                       std::string_view name) override
    {
        describe(number, of, [&](ProtoBytes& bytes) {
            bytes.message(track::thread, [&] {
                bytes.number(thread::pid, static_cast<std::uint64_t>(pid.value()));
                bytes.number(thread::tid, static_cast<std::uint64_t>(tid.value()));
                bytes.text(thread::name, cut(name));
            });
        });
    }

    void write_slice(const Mark& mark, KnownTime end) override
    {
        write_mark(mark, event::begin);
        if (end) {
            write_event(*end, event::end, mark.track, [](ProtoBytes&) {});
        }
    }
    void write_instant(const Mark& mark) override { write_mark(mark, event::instant); }
    void write_count(TrackNumber number, Timestamp time, std::int64_t value) override
    {
        write_event(time, event::counter, number, [value](ProtoBytes& bytes) {
            bytes.number(event::count, static_cast<std::uint64_t>(value));
        });
    }
    void write_end(const run::Outcome&) override {}

    /// Not within a character: what is left must be UTF-8.
    static std::string_view cut(std::string_view text)
    {
        std::size_t length = std::min(text.size(), most_text);
        while (length > 0 && length < text.size() && (text[length] & 0xC0) == 0x80) {
            --length;
        }
        return text.substr(0, length);
    }

    template <typename Write> void write_packet(Write write)
    {
        ProtoBytes bytes{output().reserve(most_packet + most_text)};
        bytes.message(trace::packet, [&] {
            bytes.number(packet::sequence, our_sequence);
            write(bytes);
        });
        output().commit(bytes.end());
    }
    template <typename Write> void describe(TrackNumber number, TrackNumber parent, Write write)
    {
        write_packet([&](ProtoBytes& bytes) {
            bytes.message(packet::descriptor, [&] {
                bytes.number(track::uuid, number);
                if (parent != 0) {
                    bytes.number(track::parent, parent);
                }
                write(bytes);
            });
        });
    }
    template <typename Write>
    void write_event(Timestamp time, unsigned type, TrackNumber number, Write write)
    {
        write_packet([&](ProtoBytes& bytes) {
            bytes.number(packet::flags, packet::needs_state);
            bytes.number(packet::timestamp, static_cast<std::uint64_t>(time.value()));
            bytes.message(packet::track_event, [&] {
                bytes.number(event::type, type);
                bytes.number(event::track, number);
                write(bytes);
            });
        });
    }
    void write_mark(const Mark& mark, unsigned type);
    static void write_details(ProtoBytes& bytes, const Mark& mark);
    static void write_frame(ProtoBytes& bytes, const Mark& mark);
    /// The number of a name, which is told when it is used first.
    std::uint64_t number_of(StringId name)
    {
        const std::uint64_t number = name.value() + std::uint64_t{1};
        if (number >= m_told_names.size() || !m_told_names[number]) [[unlikely]] {
            tell(name, number);
        }
        return number;
    }
    void tell(StringId name, std::uint64_t number);

    std::vector<bool> m_told_names;
    PerfettoSched m_sched{output()};
};

template <typename Value>
void annotate(ProtoBytes& bytes, Detail detail, unsigned field, const Value& value)
{
    bytes.message(event::annotation, [&] {
        bytes.number(annotation::name, static_cast<unsigned>(detail));
        if constexpr (std::is_same_v<Value, std::string_view>) {
            bytes.text(field, value);
        } else {
            bytes.number(field, value);
        }
    });
}

Expected<void> PerfettoWriter::begin()
{
    write_packet([](ProtoBytes& bytes) {
        bytes.number(packet::flags, packet::cleared);
        bytes.message(packet::interned, [&] {
            for (unsigned place = 0; place <= static_cast<unsigned>(Category::Frame); ++place) {
                bytes.message(interned::category, [&] {
                    bytes.number(interned::number, place + 1);
                    bytes.text(interned::text, category_text(static_cast<Category>(place)));
                });
            }
            for (unsigned place = 0; place < detail_names.size(); ++place) {
                bytes.message(interned::annotation_name, [&] {
                    bytes.number(interned::number, place + 1);
                    bytes.text(interned::text, detail_names[place]);
                });
            }
        });
    });
    return {};
}

void PerfettoWriter::tell(StringId name, std::uint64_t number)
{
    m_told_names.resize(std::max<std::size_t>(m_told_names.size(), number + 1));
    m_told_names[number] = true;
    const std::string_view known = text(name);
    write_packet([&](ProtoBytes& bytes) {
        bytes.number(packet::flags, packet::needs_state);
        bytes.message(packet::interned, [&] {
            bytes.message(interned::name, [&] {
                bytes.number(interned::number, number);
                bytes.text(interned::text, known.empty() ? "job" : cut(known));
            });
        });
    });
}

void PerfettoWriter::write_mark(const Mark& mark, unsigned type)
{
    const bool has_own_name = !mark.own_name.empty();
    const std::uint64_t name = has_own_name ? 0 : number_of(mark.name);
    write_event(mark.begin, type, mark.track, [&](ProtoBytes& bytes) {
        bytes.number(event::category, static_cast<unsigned>(mark.category) + 1);
        if (has_own_name) {
            bytes.text(event::own_name, cut(mark.own_name));
        } else {
            bytes.number(event::name, name);
        }
        if (mark.job != nullptr) {
            write_details(bytes, mark);
        } else if (mark.frame != nullptr) {
            write_frame(bytes, mark);
        }
        if (mark.flow != Flow::None) {
            bytes.fixed(mark.flow == Flow::End ? event::last_flow : event::flow, mark.job_number);
        }
    });
}

void PerfettoWriter::write_details(ProtoBytes& bytes, const Mark& mark)
{
    const model::Job& job = *mark.job;
    annotate(bytes, Detail::Job, annotation::number, mark.job_number);
    if (job.fence.context) {
        annotate(bytes, Detail::Context, annotation::number, job.fence.context->value());
    }
    if (job.fence.seqno) {
        annotate(bytes, Detail::Seqno, annotation::number, job.fence.seqno->value());
    }
    if (job.actor.tid) {
        annotate(bytes, Detail::Tid, annotation::signed_number,
                 static_cast<std::uint64_t>(job.actor.tid->value()));
    }
    if (job.ending != model::Ending::Normal || status_of(job) != model::JobStatus::Complete) {
        annotate(bytes, Detail::Status, annotation::text, report::status_text(job));
    }
    if (!mark.begin_basis.empty()) {
        annotate(bytes, Detail::BeginBasis, annotation::text, mark.begin_basis);
    }
    if (!mark.end_basis.empty()) {
        annotate(bytes, Detail::EndBasis, annotation::text, mark.end_basis);
    }
}

/// Frames are few: their details have the names themselves.
void PerfettoWriter::write_frame(ProtoBytes& bytes, const Mark& mark)
{
    visit_details(*mark.frame, [&bytes](std::string_view name, const auto& value) {
        bytes.message(event::annotation, [&] {
            bytes.text(annotation::own_name, name);
            if constexpr (std::is_convertible_v<decltype(value), std::string_view>) {
                bytes.text(annotation::text, value);
            } else {
                bytes.number(annotation::number, value);
            }
        });
    });
    if (!mark.begin_basis.empty()) {
        annotate(bytes, Detail::BeginBasis, annotation::text, mark.begin_basis);
    }
}

} // namespace

std::unique_ptr<JobWriter> make_perfetto_writer(const WriterContext& context)
{
    return std::make_unique<PerfettoWriter>(context);
}

} // namespace lttng_gpu::exporting
