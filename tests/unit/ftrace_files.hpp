// SPDX-License-Identifier: MIT
//
// For the tests of the ftrace readers: a file that is removed again, everything that a
// reader hands out of it, and values as short texts.
#pragma once

#include "read_all.hpp"
#include "trace/open/open_ftrace.hpp"

#include <fstream>
#include <unistd.h>

namespace lttng_gpu::test {

class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view content)
        : m_path{std::filesystem::temp_directory_path() /
                 ("lttng-gpu-test-" + std::to_string(::getpid()))}
    {
        std::ofstream{m_path, std::ios::binary} << content;
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { std::filesystem::remove(m_path); }

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

struct ReadFile {
    Collector collector;
    trace::SourceTotals totals;
    std::optional<Error> error;

    std::vector<trace::Loss> losses() const
    {
        std::vector<trace::Loss> found;
        for (const Collector::Item& item : collector.items) {
            if (const auto* loss = std::get_if<trace::Loss>(&item)) {
                found.push_back(*loss);
            }
        }
        return found;
    }
    std::vector<trace::RawEvent> events() const
    {
        std::vector<trace::RawEvent> found;
        for (const Collector::Item& item : collector.items) {
            if (const auto* event = std::get_if<Collector::Event>(&item)) {
                found.push_back(event->raw);
            }
        }
        return found;
    }
};

inline std::unique_ptr<ReadFile> read_file(const std::filesystem::path& path,
                                           std::vector<trace::WantedEvent> wanted)
{
    auto read = std::make_unique<ReadFile>();
    auto source = trace::open_ftrace(path, std::move(wanted), {});
    if (!source) {
        read->error = source.error();
        return read;
    }
    read->error = read_all(**source, read->collector);
    read->totals = (*source)->totals();
    return read;
}

inline std::unique_ptr<ReadFile> read_ftrace(std::string_view content,
                                             std::vector<trace::WantedEvent> wanted)
{
    const TemporaryFile file{content};
    return read_file(file.path(), std::move(wanted));
}

inline std::string to_text(const trace::FieldValue& value)
{
    switch (value.kind()) {
    case trace::FieldValue::Kind::None:
    case trace::FieldValue::Kind::Numbers: // no ftrace file gives them
        return "-";
    case trace::FieldValue::Kind::Unsigned:
        return std::to_string(*value.as_unsigned());
    case trace::FieldValue::Kind::Signed:
        return std::to_string(*value.as_signed());
    case trace::FieldValue::Kind::Real:
        return std::to_string(*value.as_real());
    case trace::FieldValue::Kind::Text:
        return "'" + std::string{value.as_text()} + "'";
    }
    return "?";
}

inline std::string to_text(std::span<const trace::FieldValue> values)
{
    std::string text;
    for (const trace::FieldValue& value : values) {
        text += (text.empty() ? "" : " ") + to_text(value);
    }
    return text;
}

/// `time cpu tid pid comm: fields`
inline std::string to_text(const trace::RawEvent& event)
{
    return std::to_string(event.time.value()) + ' ' + std::to_string(event.cpu.value()) + ' ' +
           to_text(event.context.tid) + ' ' + to_text(event.context.pid) + ' ' +
           to_text(event.context.procname) + ": " + to_text(event.fields);
}

} // namespace lttng_gpu::test
