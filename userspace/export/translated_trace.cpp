// SPDX-License-Identifier: MIT
//
// See translated_trace.hpp.
#include "translated_trace.hpp"

#include "tsdl_printer.hpp"

#include <fstream>

namespace lttng_gpu::exporting {

namespace fs = std::filesystem;

Expected<ScratchDirectory> translate_trace(const fs::path& directory,
                                           const trace::ctf::Schema& schema)
{
    const auto tsdl = print_tsdl(schema);
    if (!tsdl) {
        return Failure{
            {tsdl.error().kind, "cannot read " + directory.string() + ": " + tsdl.error().message}};
    }
    auto scratch = ScratchDirectory::create();
    if (!scratch) {
        return scratch;
    }
    std::error_code error;
    for (fs::directory_iterator entry{directory, error};
         !error && entry != fs::directory_iterator{}; entry.increment(error)) {
        const fs::path name = entry->path().filename();
        if (name != "metadata" && (entry->is_regular_file() || name == "index")) {
            fs::create_symlink(fs::absolute(entry->path()), scratch->path() / name, error);
        }
    }
    std::ofstream metadata{scratch->path() / "metadata", std::ios::binary};
    metadata << *tsdl;
    metadata.close();
    if (error || !metadata) {
        return Failure{{ErrorKind::Output, "cannot write " + scratch->path().string()}};
    }
    return scratch;
}

} // namespace lttng_gpu::exporting
