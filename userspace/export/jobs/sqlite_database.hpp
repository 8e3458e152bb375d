// SPDX-License-Identifier: MIT
//
// What of SQLite the export needs: a new database, statements, values. The first error is kept;
// after it nothing more is done, so that callers need not check each row.
#pragma once

#include "../../correlate/base/known.hpp"

#include <cstdint>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lttng_gpu::exporting {

class SqliteDatabase {
public:
    /// The file exists and is empty.
    explicit SqliteDatabase(const std::string& path);
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;
    ~SqliteDatabase();

    void execute(const std::string& statements);
    void close();
    bool has_failed() const { return m_failure.has_value(); }
    const std::optional<std::string>& failure() const { return m_failure; }

private:
    friend class SqliteInsert;

    void check(int result)
    {
        if (result != SQLITE_OK && result != SQLITE_DONE && !m_failure) [[unlikely]] {
            note_failure();
        }
    }
    void note_failure();

    sqlite3* m_handle = nullptr;
    std::optional<std::string> m_failure;
};

/// One prepared statement, run with other values again and again. Goes before its database.
class SqliteInsert {
public:
    SqliteInsert(SqliteDatabase& database, const std::string& statement);
    SqliteInsert(const SqliteInsert&) = delete;
    SqliteInsert& operator=(const SqliteInsert&) = delete;
    ~SqliteInsert();

    /// A value for each question mark. Texts must live until this returns.
    template <typename... Values> void run(const Values&... values)
    {
        if (m_statement == nullptr || m_database.has_failed()) {
            return;
        }
        int place = 0;
        (bind(++place, values), ...);
        sqlite3_step(m_statement);
        m_database.check(sqlite3_reset(m_statement)); // gives the error of the step
    }

private:
    /// What is bound to a place stays there from one run to the next, and much is the same again.
    struct Bound {
        enum class Kind : std::uint8_t { Other, Null, Number, Text };
        Kind kind = Kind::Null;
        std::int64_t number = 0; // of a text, its length
        const char* text = nullptr;

        friend bool operator==(const Bound&, const Bound&) = default;
    };
    /// True when it must be bound.
    bool changes(int place, const Bound& value)
    {
        Bound& before = m_bound[static_cast<std::size_t>(place)];
        if (before == value) {
            return false;
        }
        before = value;
        return true;
    }

    void bind_null(int place)
    {
        if (changes(place, {})) {
            sqlite3_bind_null(m_statement, place);
        }
    }
    void bind(int place, std::string_view text)
    {
        if (text.empty()) {
            bind_null(place);
            return;
        }
        const auto size = static_cast<int>(text.size());
        if (changes(place, {Bound::Kind::Text, size, text.data()})) {
            sqlite3_bind_text(m_statement, place, text.data(), size, SQLITE_STATIC);
        }
    }
    void bind(int place, std::int64_t number)
    {
        if (changes(place, {Bound::Kind::Number, number, nullptr})) {
            sqlite3_bind_int64(m_statement, place, number);
        }
    }
    /// SQLite's integers are signed: a larger one is kept as text, where no digit is lost.
    void bind(int place, std::uint64_t number)
    {
        if (number > INT64_MAX) [[unlikely]] {
            const std::string digits = std::to_string(number);
            m_bound[static_cast<std::size_t>(place)] = {Bound::Kind::Other, 0, nullptr};
            sqlite3_bind_text(m_statement, place, digits.data(), static_cast<int>(digits.size()),
                              SQLITE_TRANSIENT);
            return;
        }
        bind(place, static_cast<std::int64_t>(number));
    }
    void bind(int place, bool is_true) { bind(place, std::int64_t{is_true}); }
    template <typename Number> void bind(int place, const Known<Number>& number)
    {
        if (number) {
            bind(place, number->value());
        } else {
            bind_null(place);
        }
    }
    template <typename Number> void bind(int place, const std::optional<Number>& number)
    {
        if (number) {
            bind(place, *number);
        } else {
            bind_null(place);
        }
    }

    SqliteDatabase& m_database;
    sqlite3_stmt* m_statement = nullptr;
    std::vector<Bound> m_bound; // by place, from 1
};

} // namespace lttng_gpu::exporting
