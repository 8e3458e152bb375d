// SPDX-License-Identifier: MIT
//
// See page_request.hpp.
#include "page_request.hpp"

#include <charconv>
#include <string>

namespace lttng_gpu::view {
namespace {

/// Takes as long for each wrong text.
bool is_same(std::string_view given, std::string_view secret)
{
    unsigned difference = given.size() == secret.size() ? 0 : 1;
    for (std::size_t place = 0; place < secret.size(); ++place) {
        const char other = place < given.size() ? given[place] : '\0';
        difference |= static_cast<unsigned char>(other) ^ static_cast<unsigned char>(secret[place]);
    }
    return difference == 0;
}

} // namespace

Asked understand(const Request& request, std::string_view secret, unsigned short port)
{
    const std::string number = ":" + std::to_string(port);
    if (request.host != "127.0.0.1" + number && request.host != "localhost" + number) {
        return Refusal::Forbidden;
    }
    if (request.method != "GET" && request.method != "HEAD") {
        return Refusal::BadMethod;
    }
    std::string_view path = request.path;
    const std::size_t length = secret.size() + 2; // "/SECRET/"
    if (path.size() < length || path.front() != '/' || path[length - 1] != '/' ||
        !is_same(path.substr(1, secret.size()), secret)) {
        return Refusal::NotFound;
    }
    path.remove_prefix(length);
    if (path.empty()) {
        return PageItself{};
    }
    if (path == "index") {
        return IndexOfData{};
    }
    if (path == "state") {
        return StateOfReading{};
    }
    constexpr std::string_view pieces = "piece/";
    Piece piece;
    if (!path.starts_with(pieces)) {
        return Refusal::NotFound;
    }
    path.remove_prefix(pieces.size());
    const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), piece.number);
    if (error != std::errc{} || end != path.data() + path.size()) {
        return Refusal::NotFound;
    }
    return piece;
}

} // namespace lttng_gpu::view
