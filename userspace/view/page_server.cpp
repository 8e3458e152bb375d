// SPDX-License-Identifier: MIT
//
// See page_server.hpp. HTTP is libmicrohttpd's, with limits of its memory and connections.
#include "page_server.hpp"

#include "html_page.hpp"
#include "page_request.hpp"

#ifdef LTTNG_GPU_HTTP
#include "http_library.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/random.h>
#include <unistd.h>
#endif

namespace lttng_gpu::view {

#ifndef LTTNG_GPU_HTTP

std::optional<Error> why_no_server()
{
    return Error{ErrorKind::BadArguments,
                 "this lttng-gpu was built without the server, because libmicrohttpd was not "
                 "there; `report --html FILE` writes the same page to a file"};
}

Expected<std::unique_ptr<PageServer>> PageServer::start(const LivePage&, unsigned short)
{
    return Failure{*why_no_server()};
}

#else

namespace {

using Daemon = std::unique_ptr<MHD_Daemon, decltype(&MHD_stop_daemon)>;

class Server final : public PageServer {
public:
    Server(const HttpLibrary& library, const LivePage& live, std::string text)
        : http{library}, data{live}, page{page_of_server()}, secret{std::move(text)}
    {
    }

    std::string address() const override
    {
        return fmt::format("http://127.0.0.1:{}/{}/", port, secret);
    }

    HttpLibrary http;
    const LivePage& data;
    std::string page;
    std::string secret;
    unsigned short port = 0;
    Daemon daemon{nullptr, nullptr}; // goes first: it uses the others
};

MHD_Result answer(const HttpLibrary& http, MHD_Connection* connection, unsigned status,
                  std::string_view body, const char* type)
{
    MHD_Response* const response = http.create_response_from_buffer(
        body.size(), const_cast<char*>(body.data()), MHD_RESPMEM_MUST_COPY);
    if (response == nullptr) {
        return MHD_NO;
    }
    http.add_response_header(response, "Content-Type", type);
    http.add_response_header(response, "Cache-Control", "no-store");
    http.add_response_header(response, "Referrer-Policy", "no-referrer");
    http.add_response_header(response, "X-Content-Type-Options", "nosniff");
    http.add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    const MHD_Result result = http.queue_response(connection, status, response);
    http.destroy_response(response);
    return result;
}

MHD_Result answer_data(const HttpLibrary& http, MHD_Connection* connection, std::string_view data)
{
    return answer(http, connection, MHD_HTTP_OK, data, "application/octet-stream");
}

MHD_Result on_request(void* argument, MHD_Connection* connection, const char* path,
                      const char* method, const char*, const char*, std::size_t*, void**)
{
    const Server& server = *static_cast<const Server*>(argument);
    const HttpLibrary& http = server.http;
    const char* const host = http.lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const Asked asked =
        understand({method, path, host != nullptr ? host : ""}, server.secret, server.port);
    if (std::holds_alternative<PageItself>(asked)) {
        return answer(http, connection, MHD_HTTP_OK, server.page, "text/html; charset=utf-8");
    }
    if (std::holds_alternative<IndexOfData>(asked)) {
        return answer_data(http, connection, server.data.index());
    }
    if (std::holds_alternative<StateOfReading>(asked)) {
        return answer_data(http, connection, server.data.state());
    }
    if (const auto* number = std::get_if<Piece>(&asked)) {
        const auto piece = server.data.piece(number->number);
        return piece
                   ? answer_data(http, connection, *piece)
                   : answer(http, connection, MHD_HTTP_NOT_FOUND, "no such piece\n", "text/plain");
    }
    return answer(http, connection, static_cast<unsigned>(std::get<Refusal>(asked)),
                  "the address is not complete\n", "text/plain");
}

Expected<std::string> make_secret()
{
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        return Failure{{ErrorKind::Output, "no random numbers for the page's secret"}};
    }
    std::string text;
    for (const unsigned char byte : bytes) {
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

/// Signals that end the program are for others: the server's thread inherits the mask.
Daemon start_daemon(Server& server, unsigned short port)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    constexpr unsigned most_connections = 32;
    constexpr unsigned seconds = 60;
    constexpr std::size_t memory = 32U << 10U;
    Daemon daemon{server.http.start_daemon(
                      MHD_USE_INTERNAL_POLLING_THREAD, port, nullptr, nullptr, &on_request, &server,
                      MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, most_connections,
                      MHD_OPTION_CONNECTION_TIMEOUT, seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                      memory, MHD_OPTION_END),
                  server.http.stop_daemon};
    if (daemon) {
        const MHD_DaemonInfo* const info =
            server.http.get_daemon_info(daemon.get(), MHD_DAEMON_INFO_BIND_PORT);
        server.port = info != nullptr ? info->port : port;
    }
    return daemon;
}

} // namespace

std::optional<Error> why_no_server()
{
    const auto http = HttpLibrary::load();
    return http ? std::nullopt : std::optional{http.error()};
}

Expected<std::unique_ptr<PageServer>> PageServer::start(const LivePage& page, unsigned short port)
{
    auto secret = make_secret();
    if (!secret) {
        return Failure{secret.error()};
    }
    const auto http = HttpLibrary::load();
    if (!http) {
        return Failure{http.error()};
    }
    auto server = std::make_unique<Server>(*http, page, std::move(*secret));
    server->daemon = start_daemon(*server, port);
    if (!server->daemon) {
        return Failure{{ErrorKind::Output, fmt::format("cannot serve on 127.0.0.1:{}: {}", port,
                                                       std::strerror(errno))}};
    }
    return server;
}

#endif

} // namespace lttng_gpu::view
