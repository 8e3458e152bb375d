// SPDX-License-Identifier: MIT
//
// See sqlite_database.hpp.
#include "sqlite_database.hpp"

namespace lttng_gpu::exporting {

SqliteDatabase::SqliteDatabase(const std::string& path)
{
    // Counting all that it allocates takes a lock each time; only before the first database is it
    // set.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    check(sqlite3_open_v2(path.c_str(), &m_handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                          nullptr));
    // Nobody else has the file, and after a failure it is removed: nothing is ever rolled back.
    execute("PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384;");
}

SqliteDatabase::~SqliteDatabase()
{
    sqlite3_close(m_handle);
}

void SqliteDatabase::execute(const std::string& statements)
{
    if (!m_failure) {
        check(sqlite3_exec(m_handle, statements.c_str(), nullptr, nullptr, nullptr));
    }
}

void SqliteDatabase::close()
{
    if (!m_failure) {
        check(sqlite3_close(m_handle));
        m_handle = m_failure ? m_handle : nullptr;
    }
}

void SqliteDatabase::note_failure()
{
    m_failure = m_handle != nullptr ? sqlite3_errmsg(m_handle) : "out of memory";
}

SqliteInsert::SqliteInsert(SqliteDatabase& database, const std::string& statement)
    : m_database{database}
{
    if (!database.has_failed()) {
        database.check(sqlite3_prepare_v3(database.m_handle, statement.c_str(), -1,
                                          SQLITE_PREPARE_PERSISTENT, &m_statement, nullptr));
    }
    m_bound.resize(static_cast<std::size_t>(sqlite3_bind_parameter_count(m_statement)) + 1);
}

SqliteInsert::~SqliteInsert()
{
    sqlite3_finalize(m_statement);
}

} // namespace lttng_gpu::exporting
