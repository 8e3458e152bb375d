// SPDX-License-Identifier: MIT
//
// What the page's server answers, and to whom.
#include "view/page_request.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace lttng_gpu::view;

namespace {

const std::string secret = "0123456789abcdef0123456789abcdef";
constexpr unsigned short port = 4711;

Asked ask(const std::string& path, const std::string& host = "127.0.0.1:4711",
          const std::string& method = "GET")
{
    return understand({method, path, host}, secret, port);
}

bool is_refused(const Asked& asked, Refusal reason)
{
    const auto* const refusal = std::get_if<Refusal>(&asked);
    return refusal != nullptr && *refusal == reason;
}

} // namespace

TEST_CASE("page_request_when_address_is_right_then_answered")
{
    CHECK(std::holds_alternative<PageItself>(ask("/" + secret + "/")));
    CHECK(std::holds_alternative<PageItself>(ask("/" + secret + "/", "localhost:4711")));
    CHECK(std::holds_alternative<IndexOfData>(ask("/" + secret + "/index")));
    CHECK(std::holds_alternative<StateOfReading>(ask("/" + secret + "/state")));
    const Asked piece = ask("/" + secret + "/piece/17");
    REQUIRE(std::holds_alternative<Piece>(piece));
    CHECK(std::get<Piece>(piece).number == 17);
}

TEST_CASE("page_request_when_secret_is_wrong_then_nothing_is_there")
{
    for (const char* const path :
         {"", "/", "//", "/index", "/0123456789abcdef/", "/0123456789abcdef0123456789abcdee/",
          "/0123456789abcdef0123456789abcdef"}) {
        CAPTURE(path);
        CHECK(is_refused(ask(path), Refusal::NotFound));
    }
    CHECK(is_refused(ask("/" + secret + "0/"), Refusal::NotFound));
}

TEST_CASE("page_request_when_piece_is_no_number_then_nothing_is_there")
{
    for (const char* const name : {"piece/", "piece/-1", "piece/1x", "piece/99999999999999999999",
                                   "piece/1/2", "other", "../etc/passwd"}) {
        CAPTURE(name);
        CHECK(is_refused(ask("/" + secret + "/" + name), Refusal::NotFound));
    }
}

TEST_CASE("page_request_when_host_or_method_is_another_then_refused")
{
    for (const char* const host : {"", "example.org", "example.org:4711", "127.0.0.1",
                                   "127.0.0.1:4712", "localhost:47110"}) {
        CAPTURE(host);
        CHECK(is_refused(ask("/" + secret + "/", host), Refusal::Forbidden));
    }
    CHECK(is_refused(ask("/" + secret + "/", "localhost:4711", "POST"), Refusal::BadMethod));
}
