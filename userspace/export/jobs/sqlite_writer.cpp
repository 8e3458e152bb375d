// SPDX-License-Identifier: MIT
//
// Jobs as a SQLite database: one transaction, prepared statements, no indices. Texts that
// many jobs share (rings, threads, calls) are rows of their own, and written at the end, when the
// names of rings are settled. Frames are few, and have all their texts themselves.
#include "job_writer.hpp"

#include "../../correlate/report/frame_row.hpp"
#include "../../correlate/report/job_words.hpp"
#include "actor_numbers.hpp"
#include "sqlite_database.hpp"
#include "sqlite_schema.hpp"

#ifndef LTTNG_GPU_VERSION
#define LTTNG_GPU_VERSION "unknown"
#endif

namespace lttng_gpu::exporting {
namespace {

std::optional<std::int64_t> number_of(const Known<RingId>& ring)
{
    return ring ? std::optional{std::int64_t{ring->value()} + 1} : std::nullopt;
}

/// With the columns of `lttng-gpu frames`.
std::string frames_table()
{
    std::string table = "CREATE TABLE frames (id INTEGER PRIMARY KEY";
    for (const report::ColumnFacts& column : report::frame_column_facts) {
        table += std::string{", "} + column.name;
        table += column.type == report::ValueType::Text ? " TEXT" : " INTEGER";
    }
    return table + ");";
}

std::string frames_insert()
{
    std::string insert = "INSERT INTO frames VALUES (NULL";
    for (std::size_t place = 0; place < report::frame_column_facts.size(); ++place) {
        insert += ",?";
    }
    return insert + ")";
}

std::string_view basis_of(const diagnose::Part& part)
{
    const bool is_unknown =
        part.reason == diagnose::Reason::Unknown || part.reason == diagnose::Reason::Unexplained;
    return is_unknown ? "unknown" : part.is_inferred ? "inferred" : "observed";
}

class SqliteWriter final : public JobWriter {
public:
    explicit SqliteWriter(const WriterContext& context)
        : m_context{context}, m_database{context.output.path()}, m_prepared{prepare()}
    {
    }

    void on_job(const model::Job& job) override
    {
        m_jobs.run(number_of(job.ring), thread_of(job.actor), job.fence.context, job.fence.seqno,
                   job.queued, job.runnable, job.submitted, job.started, job.completed,
                   job.observed, report::basis_text(job.started_basis),
                   report::basis_text(job.completed_basis), report::status_text(job),
                   report::fault_text(job.fault), call_of(job.api_call), std::int64_t{job.interval},
                   job.clock_error, report::call_basis_text(job.api_call_basis),
                   static_cast<std::int64_t>(job.api_calls), call_of(job.debug_group));
    }
    void on_call(const model::ApiCall& call) override
    {
        m_calls.run(thread_of(call.actor), call_of(call.call), call.begin.value(),
                    call.end.value());
    }
    void on_dependency(const model::Dependency& waiting) override
    {
        m_dependencies.run(number_of(waiting.ring), thread_of(waiting.actor), waiting.job.context,
                           waiting.job.seqno, number_of(waiting.producer_ring),
                           waiting.producer_ring ? std::optional{thread_of(waiting.producer)}
                                                 : std::nullopt,
                           waiting.waits_for.context, waiting.waits_for.seqno,
                           waiting.since.value(), waiting.until, waiting.is_blocking);
    }
    void on_wait(const model::Wait& wait) override
    {
        m_waits.run(thread_of(wait.actor), number_of(wait.ring), wait.fence.context,
                    wait.fence.seqno, wait.begin.value(), wait.end.value(), wait.signaled);
    }
    void on_unseen(const model::UnseenJobs& jobs) override
    {
        m_unseen.run(number_of(jobs.ring), jobs.count, jobs.begin.value(), jobs.end.value());
    }
    void on_frame(const model::Frame& frame) override
    {
        const report::FrameRow row{frame, m_context.rings};
        std::apply([&](const auto&... column) { m_frames.run(column.value(row)...); },
                   report::frame_columns);
    }

    void on_counter(std::size_t number, const model::Counters::Name& name, Timestamp time,
                    std::int64_t value) override
    {
        if (number >= m_told_counters.size()) {
            m_told_counters.resize(number + 1);
        }
        if (!m_told_counters[number]) {
            m_told_counters[number] = true;
            const StringPool& texts = m_context.strings;
            m_counters.run(std::uint64_t{number + 1}, texts.at(name.device), texts.at(name.name),
                           texts.at(name.unit), name.is_sampled);
        }
        m_counter_values.run(std::uint64_t{number + 1}, time.value(), value);
    }
    void on_reason(const ReasonRow& row) override;

    bool has_failed() const override { return m_database.has_failed(); }
    Expected<void> begin() override { return result(); }
    Expected<void> finish(const run::Outcome& outcome) override;

private:
    struct Prepared {};

    /// Statements need the tables, and members are made in their order.
    Prepared prepare()
    {
        m_database.execute("BEGIN");
        m_database.execute(sqlite_tables);
        m_database.execute(frames_table());
        return {};
    }
    std::uint64_t thread_of(const model::Actor& actor) { return m_threads.thread_of(actor); }
    std::optional<std::int64_t> call_of(StringId name)
    {
        if (name == StringId{}) {
            return {};
        }
        if (name.value() >= m_has_call.size()) {
            m_has_call.resize(name.value() + 1);
        }
        m_has_call[name.value()] = true;
        return name.value();
    }
    void write_names();
    void write_accounting(const run::Outcome& outcome);
    /// The failure goes to the file, whose finish() tells it.
    Expected<void> result()
    {
        if (m_database.failure()) {
            m_context.output.fail(*m_database.failure());
        }
        return {};
    }

    WriterContext m_context;
    SqliteDatabase m_database;
    Prepared m_prepared;
    SqliteInsert m_jobs{m_database,
                        "INSERT INTO jobs VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
    SqliteInsert m_calls{m_database, "INSERT INTO api_calls VALUES (NULL,?,?,?,?)"};
    SqliteInsert m_waits{m_database, "INSERT INTO waits VALUES (NULL,?,?,?,?,?,?,?)"};
    SqliteInsert m_dependencies{m_database,
                                "INSERT INTO dependencies VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?)"};
    SqliteInsert m_frames{m_database, frames_insert()};
    SqliteInsert m_reasons{
        m_database, "INSERT INTO reasons VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};
    SqliteInsert m_counters{m_database, "INSERT INTO counters VALUES (?,?,?,?,?)"};
    SqliteInsert m_counter_values{m_database, "INSERT INTO counter_values VALUES (NULL,?,?,?)"};
    SqliteInsert m_unseen{m_database, "INSERT INTO unseen_jobs VALUES (NULL,?,?,?,?)"};
    ActorNumbers m_threads;
    std::vector<bool> m_has_call;      // by the number of the text
    std::vector<bool> m_told_counters; // by their numbers
};

void SqliteWriter::on_reason(const ReasonRow& row)
{
    const diagnose::Part& part = row.part;
    const bool has_culprit = part.jobs > 0;
    const bool has_thread = has_culprit && (part.actor.pid || part.actor.tid);
    const model::FenceId fence = has_culprit ? part.fence : model::FenceId{};
    m_reasons.run(row.job, row.parent, std::uint64_t{row.level}, part.is_before, !part.is_outside,
                  diagnose::text_of(part.reason).name, diagnose::text_of(part.gap), basis_of(part),
                  row.begin, row.end, row.time, std::uint64_t{part.jobs}, row.culprit,
                  has_culprit ? number_of(part.ring) : std::nullopt,
                  has_thread ? std::optional{thread_of(part.actor)} : std::nullopt, fence.context,
                  fence.seqno, part.thread, part.by, part.by_name.view());
}

void SqliteWriter::write_names()
{
    const model::RingTable& rings = m_context.rings;
    SqliteInsert ring_row{m_database, "INSERT INTO rings VALUES (?,?,?,?,?,?)"};
    std::int64_t number = 0;
    for (const model::Ring& ring : rings.all()) {
        ring_row.run(++number, rings.text(ring.device), rings.text(ring.shown),
                     rings.text(ring.driver), ring.is_fifo, ring.fifo_violations);
    }
    const StringPool& texts = m_context.strings;
    SqliteInsert process_row{m_database, "INSERT INTO processes VALUES (NULL,?,?)"};
    for (const ActorNumbers::Process& process : m_threads.processes()) {
        process_row.run(process.pid, texts.at(process.comm));
    }
    SqliteInsert thread_row{m_database, "INSERT INTO threads VALUES (NULL,?,?,?)"};
    for (const ActorNumbers::Thread& thread : m_threads.threads()) {
        thread_row.run(std::uint64_t{thread.process}, thread.tid, texts.at(thread.comm));
    }
    SqliteInsert call_row{m_database, "INSERT INTO call_names VALUES (?,?)"};
    for (std::uint32_t text = 0; text < m_has_call.size(); ++text) {
        if (m_has_call[text]) {
            call_row.run(std::int64_t{text}, texts.at(StringId{text}));
        }
    }
}

void SqliteWriter::write_accounting(const run::Outcome& outcome)
{
    const report::TraceAccount& account = outcome.account;
    SqliteInsert row{m_database, "INSERT INTO accounting VALUES (?,?,?)"};
    row.run(std::string_view{"events_read"}, account.events_read,
            std::string_view{"events that were read"});
    row.run(std::string_view{"events_lost"}, account.events_lost,
            std::string_view{"events that the tracer dropped"});
    row.run(std::string_view{"packets_lost"}, account.packets_lost,
            std::string_view{"packets that the tracer dropped"});
    row.run(std::string_view{"losses_of_unknown_size"}, account.losses_of_unknown_size,
            std::string_view{"gaps of which nobody knows how much was in them"});
    for (std::size_t index = 0; index < anomaly_count; ++index) {
        const auto count = account.anomalies.at(static_cast<Anomaly>(index));
        if (count > 0) {
            row.run(anomaly_texts[index].name, count, anomaly_texts[index].meaning);
        }
    }
    SqliteInsert meta{m_database, "INSERT INTO meta VALUES (?,?)"};
    meta.run(std::string_view{"schema"}, std::string_view{"lttng-gpu/sqlite/1"});
    meta.run(std::string_view{"version"}, std::string_view{LTTNG_GPU_VERSION});
    meta.run(std::string_view{"first_event_ns"}, KnownTime{outcome.first});
    meta.run(std::string_view{"last_event_ns"}, KnownTime{outcome.last});
    meta.run(std::string_view{"has_reasons"}, m_context.has_reasons);
    meta.run(std::string_view{"is_damaged"}, outcome.stopped.has_value());
}

Expected<void> SqliteWriter::finish(const run::Outcome& outcome)
{
    write_names();
    write_accounting(outcome);
    m_database.execute(sqlite_views);
    m_database.execute("COMMIT");
    return result();
}

} // namespace

std::unique_ptr<JobWriter> make_sqlite_writer(const WriterContext& context)
{
    return std::make_unique<SqliteWriter>(context);
}

} // namespace lttng_gpu::exporting
