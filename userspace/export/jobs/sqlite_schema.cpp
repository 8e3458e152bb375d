// SPDX-License-Identifier: MIT
//
// See sqlite_schema.hpp. A job's three intervals are a view, not rows: the times are stored once.
// Columns of fence numbers have no type, because SQLite would round those beyond 2^63.
#include "sqlite_schema.hpp"

namespace lttng_gpu::exporting {

const char* const sqlite_tables = R"(
CREATE TABLE meta (name TEXT PRIMARY KEY, value);
CREATE TABLE rings (id INTEGER PRIMARY KEY, device TEXT, ring TEXT, driver TEXT, promises_order INTEGER,
    fifo_violations INTEGER);
CREATE TABLE processes (id INTEGER PRIMARY KEY, pid INTEGER, comm TEXT);
CREATE TABLE threads (id INTEGER PRIMARY KEY, process_id INTEGER, tid INTEGER, comm TEXT);
CREATE TABLE call_names (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE jobs (id INTEGER PRIMARY KEY, ring_id INTEGER, thread_id INTEGER, context, seqno, queued_ns INTEGER,
    runnable_ns INTEGER, submitted_ns INTEGER, started_ns INTEGER, completed_ns INTEGER, observed_ns INTEGER,
    started_basis TEXT, completed_basis TEXT, status TEXT, fault TEXT, call_name_id INTEGER, interval INTEGER,
    clock_error_ns INTEGER, api_call_basis TEXT, api_calls INTEGER, debug_group_id INTEGER);
CREATE TABLE api_calls (id INTEGER PRIMARY KEY, thread_id INTEGER, call_name_id INTEGER, begin_ns INTEGER, end_ns INTEGER);
CREATE TABLE waits (id INTEGER PRIMARY KEY, thread_id INTEGER, ring_id INTEGER, context, seqno, begin_ns INTEGER,
    end_ns INTEGER, signaled_ns INTEGER);
CREATE TABLE dependencies (id INTEGER PRIMARY KEY, ring_id INTEGER, thread_id INTEGER, context, seqno,
    producer_ring_id INTEGER, producer_thread_id INTEGER, producer_context, producer_seqno, since_ns INTEGER,
    until_ns INTEGER, is_blocking INTEGER);
CREATE TABLE reasons (id INTEGER PRIMARY KEY, job_id INTEGER REFERENCES jobs(id), parent_id INTEGER REFERENCES reasons(id),
    level INTEGER, is_before INTEGER, in_window INTEGER, reason TEXT, gap TEXT, basis TEXT, begin_ns INTEGER, end_ns INTEGER,
    time_ns INTEGER, jobs INTEGER, culprit_job_id INTEGER REFERENCES jobs(id), culprit_ring_id INTEGER,
    culprit_thread_id INTEGER, culprit_context, culprit_seqno, thread INTEGER, by_thread INTEGER, by_name TEXT);
CREATE TABLE counters (id INTEGER PRIMARY KEY, device TEXT, name TEXT, unit TEXT, is_sampled INTEGER);
CREATE TABLE counter_values (id INTEGER PRIMARY KEY, counter_id INTEGER REFERENCES counters(id), at_ns INTEGER, value INTEGER);
CREATE TABLE unseen_jobs (id INTEGER PRIMARY KEY, ring_id INTEGER, count INTEGER, begin_ns INTEGER, end_ns INTEGER);
CREATE TABLE accounting (cause TEXT PRIMARY KEY, count INTEGER, meaning TEXT);
)";

const char* const sqlite_views = R"(
CREATE VIEW job_rows AS SELECT jobs.id, device, ring, driver, context, seqno, pid, tid, threads.comm AS comm, queued_ns,
    submitted_ns, started_ns, started_basis, completed_ns, completed_basis, status, call_names.name AS api_call, runnable_ns,
    observed_ns, interval, fault, clock_error_ns, api_call_basis, api_calls,
    debug_groups.name AS debug_group
    FROM jobs LEFT JOIN rings ON rings.id = ring_id LEFT JOIN threads ON threads.id = thread_id
    LEFT JOIN processes ON processes.id = process_id LEFT JOIN call_names ON call_names.id = call_name_id
    LEFT JOIN call_names AS debug_groups ON debug_groups.id = debug_group_id;
CREATE VIEW intervals AS
    SELECT id AS job_id, ring_id, thread_id, 'host_queue' AS phase, queued_ns AS begin_ns, submitted_ns AS end_ns,
        submitted_ns - queued_ns AS length_ns, 'observed' AS begin_basis,
        CASE WHEN submitted_ns IS NULL THEN 'unknown' ELSE 'observed' END AS end_basis FROM jobs
        WHERE queued_ns IS NOT NULL AND interval = 0
    UNION ALL SELECT id, ring_id, thread_id, 'device_queue', submitted_ns, started_ns, started_ns - submitted_ns, 'observed',
        started_basis FROM jobs WHERE submitted_ns IS NOT NULL
    UNION ALL SELECT id, ring_id, thread_id, 'execution', started_ns, completed_ns, completed_ns - started_ns, started_basis,
        completed_basis FROM jobs WHERE started_ns IS NOT NULL;
CREATE VIEW ring_summary AS SELECT device, ring, driver, count(*) AS jobs,
    sum(status = 'complete') AS complete, avg(submitted_ns - queued_ns) AS host_queue_mean_ns,
    max(submitted_ns - queued_ns) AS host_queue_max_ns, avg(started_ns - submitted_ns) AS device_queue_mean_ns,
    max(started_ns - submitted_ns) AS device_queue_max_ns, avg(completed_ns - started_ns) AS execution_mean_ns,
    max(completed_ns - started_ns) AS execution_max_ns, sum(completed_ns - started_ns) AS execution_sum_ns
    FROM jobs LEFT JOIN rings ON rings.id = ring_id GROUP BY ring_id;
CREATE VIEW process_summary AS SELECT pid, processes.comm AS comm, device, ring, count(*) AS jobs,
    avg(submitted_ns - queued_ns) AS host_queue_mean_ns, avg(started_ns - submitted_ns) AS device_queue_mean_ns,
    sum(completed_ns - started_ns) AS execution_sum_ns
    FROM jobs LEFT JOIN rings ON rings.id = ring_id LEFT JOIN threads ON threads.id = thread_id
    LEFT JOIN processes ON processes.id = process_id GROUP BY process_id, ring_id;
CREATE VIEW latest_jobs AS SELECT *, completed_ns - queued_ns AS latency_ns FROM job_rows
    WHERE completed_ns - queued_ns IS NOT NULL ORDER BY latency_ns DESC;
CREATE VIEW depths AS SELECT ring_id, phase, at_ns,
    sum(step) OVER (PARTITION BY ring_id, phase ORDER BY at_ns, step ROWS UNBOUNDED PRECEDING) AS depth FROM (
    SELECT ring_id, phase, begin_ns AS at_ns, 1 AS step FROM intervals WHERE end_ns > begin_ns
    UNION ALL SELECT ring_id, phase, end_ns, -1 FROM intervals WHERE end_ns > begin_ns);
CREATE VIEW reason_summary AS SELECT reason, gap, count(DISTINCT CASE WHEN NOT is_before THEN job_id END) AS jobs,
    sum(CASE WHEN is_before THEN 0 ELSE time_ns END) AS time_ns, sum(CASE WHEN is_before THEN time_ns ELSE 0 END) AS before_ns
    FROM reasons WHERE level = 0 AND in_window AND job_id NOT IN (SELECT job_id FROM reasons WHERE time_ns IS NULL)
    GROUP BY reason, gap ORDER BY time_ns DESC;
CREATE VIEW missing AS SELECT status, sum(queued_ns IS NULL) AS no_queue, sum(submitted_ns IS NULL) AS no_submit,
    sum(started_ns IS NULL) AS no_start, sum(completed_ns IS NULL) AS no_complete, count(*) AS jobs FROM jobs
    GROUP BY status;
)";

} // namespace lttng_gpu::exporting
