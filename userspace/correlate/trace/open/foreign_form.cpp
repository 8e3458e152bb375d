// SPDX-License-Identifier: MIT
//
// See foreign_form.hpp.
#include "foreign_form.hpp"

#include <algorithm>
#include <array>

namespace lttng_gpu::trace {
namespace {

struct Form {
    std::string_view begin;
    std::string_view text;
};

constexpr auto forms = std::to_array<Form>({
    {"PERFILE2", "a file of perf record; print it with perf script -F comm,pid,tid,cpu,time,event,"
                 "trace"},
    {"\x1f\x8b", "packed by gzip; unpack it with gunzip"},
    {"\xfd"
     "7zXZ",
     "packed by xz; unpack it with unxz"},
    {"\x28\xb5\x2f\xfd", "packed by zstd; unpack it with unzstd"},
    {"BZh", "packed by bzip2; unpack it with bunzip2"},
    {"PK\x03\x04", "a zip archive; unpack it with unzip"},
    {"\xff\xfe", "text in UTF-16; make UTF-8 of it with iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", "text in UTF-16; make UTF-8 of it with iconv -f UTF-16 -t UTF-8"},
});

} // namespace

std::string_view foreign_form(std::string_view head)
{
    const auto* const form = std::ranges::find_if(
        forms, [&](const Form& known) { return head.starts_with(known.begin); });
    if (form != forms.end()) {
        return form->text;
    }
    // atrace -z: a zlib stream behind its first lines
    constexpr std::string_view atrace = "TRACE:\n\x78";
    const std::size_t packed = head.find(atrace);
    if (packed != std::string_view::npos && packed < 64) {
        return "packed by atrace -z; record without -z, or with systrace";
    }
    return {};
}

} // namespace lttng_gpu::trace
