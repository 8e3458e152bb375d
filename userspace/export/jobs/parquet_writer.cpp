// SPDX-License-Identifier: MIT
//
// Jobs as a Parquet file: one row per job with the columns of `jobs --format json`. Rows gather in
// columns until they are a row group; libparquet encodes and writes it. A build without libparquet
// says so instead.
#include "job_writer.hpp"

#ifdef LTTNG_GPU_PARQUET
#include "../../correlate/report/job_columns.hpp"
#include "../../correlate/report/text_format.hpp"

#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/status.h>
#include <nlohmann/json.hpp>
#include <parquet/api/writer.h>
#include <unordered_map>
#endif

namespace lttng_gpu::exporting {

#ifndef LTTNG_GPU_PARQUET

std::optional<Error> why_no_parquet()
{
    return Error{ErrorKind::BadArguments,
                 "this lttng-gpu was built without Parquet, because libparquet (Debian sid: "
                 "libparquet-dev) was not there; `export --to sqlite` has the same jobs"};
}

std::unique_ptr<JobWriter> make_parquet_writer(const WriterContext&)
{
    return nullptr;
}

#else

namespace {

using parquet::Repetition;
using report::ValueType;

constexpr std::size_t rows_in_group = 1U << 16U;

/// Where libparquet writes.
class Sink final : public arrow::io::OutputStream {
public:
    explicit Sink(OutputFile& output) : m_output{output} {}

    arrow::Status Write(const void* data, std::int64_t size) override
    {
        m_output.write({static_cast<const char*>(data), static_cast<std::size_t>(size)});
        m_written += size;
        return arrow::Status::OK();
    }
    arrow::Result<std::int64_t> Tell() const override { return m_written; }
    arrow::Status Close() override
    {
        m_is_closed = true;
        return arrow::Status::OK();
    }
    bool closed() const override { return m_is_closed; }

private:
    OutputFile& m_output;
    std::int64_t m_written = 0;
    bool m_is_closed = false;
};

/// The values of one column that are not empty, and which rows have one.
template <ValueType type> struct Cells {
    static constexpr bool is_text = type == ValueType::Text;
    using Value = std::conditional_t<is_text, parquet::ByteArray, std::int64_t>;
    using Writer = std::conditional_t<is_text, parquet::ByteArrayWriter, parquet::Int64Writer>;

    std::vector<Value> values;
    std::vector<std::int16_t> is_there; // by row: 1, or 0

    void clear()
    {
        values.clear();
        is_there.clear();
    }
    void write(parquet::ColumnWriter& column, bool can_be_empty) const
    {
        static_cast<Writer&>(column).WriteBatch(static_cast<std::int64_t>(is_there.size()),
                                                can_be_empty ? is_there.data() : nullptr, nullptr,
                                                values.data());
    }
};

template <std::size_t... place>
auto cells_of(std::index_sequence<place...>)
    -> std::tuple<Cells<report::job_column_facts[place].type>...>;
using Row = decltype(cells_of(std::make_index_sequence<report::job_column_facts.size()>{}));

std::shared_ptr<parquet::schema::GroupNode> make_schema()
{
    parquet::schema::NodeVector columns;
    for (const report::ColumnFacts& column : report::job_column_facts) {
        const auto repetition = column.can_be_empty() ? Repetition::OPTIONAL : Repetition::REQUIRED;
        if (column.type == ValueType::Text) {
            columns.push_back(parquet::schema::PrimitiveNode::Make(column.name, repetition,
                                                                   parquet::LogicalType::String(),
                                                                   parquet::Type::BYTE_ARRAY));
            continue;
        }
        columns.push_back(parquet::schema::PrimitiveNode::Make(
            column.name, repetition,
            parquet::LogicalType::Int(64, column.type == ValueType::Signed), parquet::Type::INT64));
    }
    return std::static_pointer_cast<parquet::schema::GroupNode>(
        parquet::schema::GroupNode::Make("jobs", Repetition::REQUIRED, columns));
}

/// Numbers grow from row to row, so their differences are stored; texts are few and repeat.
std::shared_ptr<parquet::WriterProperties> make_properties()
{
    parquet::WriterProperties::Builder builder;
    builder.created_by("lttng-gpu " LTTNG_GPU_VERSION);
    for (const report::ColumnFacts& column : report::job_column_facts) {
        if (column.type == ValueType::Text) {
            builder.compression(column.name, parquet::Compression::SNAPPY);
        } else {
            builder.disable_dictionary(column.name);
            builder.encoding(column.name, parquet::Encoding::DELTA_BINARY_PACKED);
        }
    }
    return builder.build();
}

class ParquetWriter final : public JobWriter {
public:
    explicit ParquetWriter(const WriterContext& context)
        : m_context{context}, m_names{context.rings}, m_sink{std::make_shared<Sink>(context.output)}
    {
    }

    Expected<void> begin() override
    {
        guarded([this] {
            m_file = parquet::ParquetFileWriter::Open(m_sink, make_schema(), make_properties());
        });
        return {};
    }
    void on_job(const model::Job& job) override
    {
        const report::JobRow row{job, m_names};
        report::for_each_place<report::job_column_facts.size()>([&](auto place) {
            append(std::get<place>(m_rows), std::get<place>(report::job_columns).value(row));
        });
        if (++m_row_count == rows_in_group) {
            write_group();
        }
    }
    void on_call(const model::ApiCall&) override {}
    Expected<void> finish(const run::Outcome&) override
    {
        write_group();
        guarded([this] { m_file->Close(); });
        return {}; // what could not be written, the file's finish() tells
    }
    const model::RingNames* shown_names() const override { return &m_names; }
    bool has_failed() const override { return m_context.output.has_failed(); }

private:
    template <ValueType type, typename Value> void append(Cells<type>& cells, const Value& value)
    {
        const bool is_there = !report::is_empty(value);
        cells.is_there.push_back(is_there);
        if (!is_there) {
            return;
        }
        if constexpr (type == ValueType::Text) {
            cells.values.emplace_back(lasting(value));
        } else {
            cells.values.push_back(static_cast<std::int64_t>(report::plain_value(value)));
        }
    }
    /// All texts of rows stay where they are as long as the trace is read. Parquet's are UTF-8.
    std::string_view lasting(std::string_view text)
    {
        if (report::is_plain_json(text)) {
            return text;
        }
        std::string& kept = m_kept[std::string{text}];
        if (kept.empty()) {
            std::string json;
            report::append_json_text(json, text);
            kept = nlohmann::json::parse(json).get<std::string>();
        }
        return kept;
    }
    void write_group()
    {
        if (m_row_count == 0) {
            return;
        }
        guarded([this] {
            parquet::RowGroupWriter& group = *m_file->AppendRowGroup();
            report::for_each_place<report::job_column_facts.size()>([&](auto place) {
                auto& cells = std::get<place>(m_rows);
                cells.write(*group.NextColumn(), report::job_column_facts[place].can_be_empty());
                cells.clear();
            });
            group.Close();
        });
        m_row_count = 0;
        m_kept.clear();
    }
    /// libparquet throws. After a failure nothing more is written.
    template <typename Act> void guarded(Act act)
    {
        if (has_failed()) {
            return;
        }
        try {
            act();
        } catch (const std::exception& problem) {
            m_context.output.fail(problem.what());
        }
    }

    WriterContext m_context;
    model::RingNames m_names;
    std::shared_ptr<Sink> m_sink;
    std::unique_ptr<parquet::ParquetFileWriter> m_file;
    Row m_rows;
    std::size_t m_row_count = 0;
    std::unordered_map<std::string, std::string> m_kept; // of this group
};

} // namespace

std::optional<Error> why_no_parquet()
{
    return {};
}

std::unique_ptr<JobWriter> make_parquet_writer(const WriterContext& context)
{
    return std::make_unique<ParquetWriter>(context);
}

#endif

} // namespace lttng_gpu::exporting
