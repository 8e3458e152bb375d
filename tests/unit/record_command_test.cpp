// SPDX-License-Identifier: MIT
//
// Where the command of `record` begins: after "--", or with the first word that is no option.
#include "cli/options.hpp"

#include <doctest/doctest.h>
#include <sstream>

using namespace lttng_gpu;

namespace {

Expected<std::variant<cli::Options, cli::HelpPrinted>> parse(std::vector<const char*> words)
{
    words.insert(words.begin(), {"lttng-gpu", "record"});
    std::ostringstream help;
    return cli::parse_options(static_cast<int>(words.size()), words.data(), help);
}

record::RecordOptions record_of(const std::vector<const char*>& words)
{
    const auto parsed = parse(words);
    REQUIRE(parsed);
    return std::get<cli::Options>(*parsed).record;
}

} // namespace

TEST_CASE("record_when_there_are_no_dashes_then_the_command_begins_with_the_first_other_word")
{
    const std::vector<std::string> command{"./app", "--fast", "-o", "x"};
    CHECK(record_of({"./app", "--fast", "-o", "x"}).command == command);
    CHECK(record_of({"--", "./app", "--fast", "-o", "x"}).command == command);
    const auto options = record_of({"-o", "trace", "-v", "./app", "--fast", "-o", "x"});
    CHECK(options.command == command);
    CHECK(options.folder == "trace");
    CHECK(options.is_verbose);
    CHECK(record_of({"--buffers", "4M", "--", "--app"}).command ==
          std::vector<std::string>{"--app"});
}

TEST_CASE("record_when_an_option_is_unknown_then_it_is_not_taken_for_the_command")
{
    CHECK_FALSE(parse({"--fast", "./app"}));
    CHECK_FALSE(parse({"word", "--", "./app"}));
    CHECK_FALSE(parse({}));
}
