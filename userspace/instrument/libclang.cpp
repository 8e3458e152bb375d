// SPDX-License-Identifier: MIT
//
// See libclang.hpp.
#include "libclang.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

namespace lttng_gpu::instrument {

Libclang libclang;

namespace {

namespace fs = std::filesystem;

/// Folders in `folder` whose names begin so, the one with the highest number first.
std::vector<fs::path> numbered(const fs::path& folder, const std::string& beginning)
{
    std::vector<fs::path> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, error}) {
        if (entry.path().filename().string().rfind(beginning, 0) == 0) {
            found.push_back(entry.path());
        }
    }
    const auto number = [&](const fs::path& path) {
        return std::atoi(path.filename().string().c_str() + beginning.size());
    };
    std::sort(found.begin(), found.end(), [&](const fs::path& one, const fs::path& other) {
        return number(one) > number(other);
    });
    return found;
}

/// Empty: that version has none.
std::string includes_of(const fs::path& llvm)
{
    for (const fs::path& version : numbered(llvm / "lib/clang", "")) {
        std::error_code error;
        if (fs::exists(version / "include/opencl-c-base.h", error)) {
            return version / "include";
        }
    }
    return {};
}

bool load(const fs::path& llvm)
{
    for (const fs::path& file : numbered(llvm / "lib", "libclang")) {
        const std::string name = file.filename();
        if (name.rfind("libclang-cpp", 0) == 0 || name.find(".so") == std::string::npos) {
            continue;
        }
        void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        bool is_whole = library != nullptr;
#define LTTNG_GPU_LIBCLANG_FIND(function)                                                          \
    libclang.function = reinterpret_cast<decltype(libclang.function)>(                             \
        library != nullptr ? dlsym(library, "clang_" #function) : nullptr);                        \
    is_whole &= libclang.function != nullptr;
        LTTNG_GPU_LIBCLANG_FUNCTIONS(LTTNG_GPU_LIBCLANG_FIND)
#undef LTTNG_GPU_LIBCLANG_FIND
        if (is_whole) {
            return true;
        }
    }
    return false;
}

} // namespace

bool load_libclang(std::string& includes)
{
    std::vector<fs::path> versions = numbered("/usr/lib", "llvm-");
    if (const char* chosen = std::getenv("LTTNG_GPU_LLVM")) {
        versions = {chosen};
    }
    for (const fs::path& llvm : versions) {
        includes = includes_of(llvm);
        if (!includes.empty() && load(llvm)) {
            return true;
        }
    }
    return false;
}

} // namespace lttng_gpu::instrument
