// SPDX-License-Identifier: MIT
//
// See html_page.hpp. Data is base64, which no HTML can end or change.
#include "html_page.hpp"

#include "page_bundle.hpp"

#include <algorithm>

namespace lttng_gpu::view {
namespace {

/// Lines of the bundle's HTML, each alone once.
constexpr std::string_view first_mark = "<!--data of the first picture-->";
constexpr std::string_view rest_mark = "<!--the other data-->";

std::string element(const std::string& id, std::string_view bytes)
{
    return "<script type=\"text/plain\" id=\"" + id + "\">" + base64(bytes) + "</script>\n";
}

} // namespace

std::optional<Error> why_no_page()
{
    if (!page_bundle().empty()) {
        return {};
    }
    return Error{ErrorKind::BadArguments,
                 "this lttng-gpu was built without the page, because npm could not get what it is "
                 "made of: install nodejs and npm, and build again"};
}

void write_page(const PageData& data, const Blobs& blobs, report::Output& output)
{
    const std::string_view bundle = page_bundle();
    const std::size_t first = bundle.find(first_mark);
    const std::size_t rest = bundle.find(rest_mark);
    const auto write_piece = [&](std::uint32_t piece) {
        output.write(element("b" + std::to_string(piece), blobs.all()[piece]));
    };
    output.write(bundle.substr(0, first));
    output.write(element("index", data.index));
    std::ranges::for_each(data.first, write_piece);
    output.write(bundle.substr(first, rest - first));
    std::vector<bool> is_written(blobs.all().size());
    for (const std::uint32_t piece : data.first) {
        is_written[piece] = true;
    }
    for (std::uint32_t piece = 0; piece < is_written.size(); ++piece) {
        if (!is_written[piece] && !blobs.all()[piece].empty()) {
            write_piece(piece);
        }
    }
    output.write(bundle.substr(rest));
}

std::string page_of_server()
{
    return std::string{page_bundle()};
}

} // namespace lttng_gpu::view
