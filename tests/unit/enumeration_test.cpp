// SPDX-License-Identifier: MIT
//
// Names of the values of enumerations, from the metadata to the consumer.
#include "ctf_writer.hpp"
#include "trace/open/open_traces.hpp"

#include <doctest/doctest.h>
#include <filesystem>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using namespace lttng_gpu::trace;

namespace {

FieldValue value_of(std::uint64_t number, std::uint32_t enumeration)
{
    return FieldValue{number}.of_enumeration(enumeration);
}

/// The first field of each event, in order.
struct Labels {
    std::vector<std::string> labels;
    std::vector<std::int64_t> numbers;
};

struct LabelReader final : EventConsumer {
    explicit LabelReader(const EnumerationTable& table) : enumerations{table} {}
    void on_event(const RawEvent& event) override
    {
        read.labels.emplace_back(enumerations.label_of(event.fields[0]));
        read.numbers.push_back(event.fields[0].as_signed().value_or(-99));
    }
    void on_loss(const Loss&) override {}

    const EnumerationTable& enumerations;
    Labels read;
};

Labels read_labels(const std::filesystem::path& directory, Reader kind, const WantedEvent& wanted,
                   EnumerationTable& enumerations)
{
    ReadOptions options;
    options.reader = kind;
    options.enumerations = &enumerations;
    const auto source = open_traces({directory}, {wanted}, options);
    REQUIRE(source);
    LabelReader reader{enumerations};
    while ((*source)->read_some(reader).value_or(false)) {
    }
    return reader.read;
}

} // namespace

TEST_CASE("enumeration_when_added_twice_then_has_one_number")
{
    EnumerationTable table;
    const Enumeration states{false, {{0, 0, "off"}, {1, 1, "on"}}};
    const Enumeration others{false, {{0, 0, "no"}, {1, 1, "yes"}}};
    const std::uint32_t first = table.add(states);
    CHECK(first != 0);
    CHECK(table.add(others) != first);
    CHECK(table.add(states) == first);
    CHECK(table.label_of(value_of(1, first)) == "on");
    CHECK(table.label_of(value_of(2, first)).empty());
    CHECK(table.label_of(FieldValue{std::uint64_t{1}}).empty()); // just a number
    CHECK(table.label_of(value_of(1, 77)).empty());
    CHECK(table.label_of(FieldValue{std::string_view{"on"}}.of_enumeration(first)).empty());
}

TEST_CASE("enumeration_when_it_has_ranges_then_both_ends_are_inside")
{
    EnumerationTable table;
    const auto bits = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
    const std::uint32_t number =
        table.add({true, {{bits(-5), bits(-1), "low"}, {bits(0), bits(9), "high"}}});
    CHECK(table.label_of(value_of(bits(-6), number)).empty());
    CHECK(table.label_of(value_of(bits(-5), number)) == "low");
    CHECK(table.label_of(value_of(bits(-1), number)) == "low");
    CHECK(table.label_of(value_of(9, number)) == "high");
    CHECK(table.label_of(value_of(10, number)).empty());
}

TEST_CASE("value_when_of_an_enumeration_then_is_the_same_number")
{
    const FieldValue value = FieldValue{std::int64_t{-3}}.of_enumeration(5);
    CHECK(value.as_signed() == -3);
    CHECK(value.kind() == FieldValue::Kind::Signed);
    CHECK(value.enumeration() == 5);
    CHECK(FieldValue{std::string_view{"abc"}}.enumeration() == 0);
}

/// Events with and without a sequence before the field are decoded in different ways.
TEST_CASE("labels_when_read_from_ctf_1_8_then_are_the_same_with_both_readers")
{
    const TemporaryDirectory directory;
    {
        CtfWriter writer{directory.path() / "trace", 1};
        const auto state = [](std::uint64_t value) {
            return CtfField{"state", CtfEnumerator{value, "off = 0, on = 1 ... 3"}};
        };
        writer.add(0, {1'000, "plain", {state(0)}});
        writer.add(0, {2'000, "plain", {state(3)}});
        writer.add(0, {3'000, "plain", {state(4)}});
        writer.add(0, {4'000, "listed", {{"list", std::vector<std::uint64_t>{7}}, state(2)}});
    }
    for (const Reader reader : {Reader::Automatic, Reader::Babeltrace2}) {
        EnumerationTable table;
        const Labels plain =
            read_labels(directory.path() / "trace", reader, {"plain", {"state"}}, table);
        CHECK(plain.labels == std::vector<std::string>{"off", "on", ""});
        CHECK(plain.numbers == std::vector<std::int64_t>{0, 3, 4});
        const Labels listed =
            read_labels(directory.path() / "trace", reader, {"listed", {"state"}}, table);
        CHECK(listed.labels == std::vector<std::string>{"on"});
    }
}

/// Traces recorded by LTTng-UST (tests/readers/traces/origin.md).
TEST_CASE("labels_when_recorded_by_lttng_then_are_the_same_in_ctf_1_8_and_ctf_2")
{
    // Of -128, -100, -1, 0, 1, 5, 8, 50 and 127.
    const std::vector<std::string> narrow{
        "lowest", "below", "below", "zero", "next", "", "", "above", "two words \"quoted\""};
    for (const char* name : {"ust-every-field", "ctf2-ust-every-field"}) {
        const auto directory = std::filesystem::path{"tests/readers/traces"} / name / "trace";
        EnumerationTable table;
        Labels read =
            read_labels(directory, Reader::Automatic, {"shapes:enumerations", {"narrow"}}, table);
        REQUIRE(read.labels.size() >= narrow.size());
        read.labels.resize(narrow.size());
        CHECK(read.labels == narrow);
    }
}
