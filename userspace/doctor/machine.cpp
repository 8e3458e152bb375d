// SPDX-License-Identifier: MIT
//
// See machine.hpp.
#include "machine.hpp"

#include "module_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace lttng_gpu::doctor {
namespace fs = std::filesystem;
namespace {

/// kernel/drivers/gpu/drm/i915/i915.ko.xz → i915; lttng-probe-gpu.ko → lttng_probe_gpu
std::string module_name(const fs::path& path)
{
    std::string name = path.filename().string();
    name.resize(std::min(name.find(".ko"), name.size()));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::optional<std::string> read_file(const fs::path& path)
{
    std::error_code error;
    std::ifstream stream{path, std::ios::binary};
    if (!stream || fs::is_directory(path, error)) {
        return {};
    }
    return std::string{std::istreambuf_iterator<char>{stream}, {}};
}

/// Calls with each line of a text.
template <typename Action> void for_each_line(const std::string& text, Action&& action)
{
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        action(line);
    }
}

/// Strings of raw BTF: Documentation/bpf/btf.rst, struct btf_header.
std::string_view btf_strings(const std::string& btf)
{
    constexpr std::uint16_t magic = 0xeb9f;
    struct Header {
        std::uint16_t magic;
        std::uint8_t version;
        std::uint8_t flags;
        std::uint32_t header_length;
        std::uint32_t type_offset;
        std::uint32_t type_length;
        std::uint32_t string_offset;
        std::uint32_t string_length;
    } header;
    if (btf.size() < sizeof header) {
        return {};
    }
    std::memcpy(&header, btf.data(), sizeof header);
    const std::uint64_t begin = std::uint64_t{header.header_length} + header.string_offset;
    if (header.magic != magic || begin + header.string_length > btf.size()) {
        return {};
    }
    return std::string_view{btf}.substr(begin, header.string_length);
}

/// modules/base/kernel_types.c: FNV-1a over words of eight bytes, little end first; the last one is
/// filled with zeros.
std::string types_hash(const std::string& bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t begin = 0; begin < bytes.size(); begin += 8) {
        std::uint64_t word = 0;
        for (std::size_t i = 0; i < 8 && begin + i < bytes.size(); ++i) {
            word |= std::uint64_t{static_cast<unsigned char>(bytes[begin + i])} << (8 * i);
        }
        hash = (hash ^ word) * 0x100000001b3;
    }
    return fmt::format("{:016x}", hash);
}

} // namespace

Machine::Machine(fs::path root) : m_root{std::move(root)}
{
    m_release = read("/proc/sys/kernel/osrelease").value_or("");
    if (m_release.empty()) {
        // The files of a machine that is not running.
        const auto releases = list("/lib/modules");
        m_release = releases.empty() ? "unknown" : releases.back();
    }
    for (const std::string& path : {"/boot/config-" + m_release, modules_folder() + "/config",
                                    modules_folder() + "/build/.config"}) {
        if (const auto text = read(path); text && m_config.empty()) {
            for_each_line(*text, [&](const std::string& line) {
                const auto equals = line.find('=');
                if (line.starts_with("CONFIG_") && equals != std::string::npos) {
                    m_config[line.substr(0, equals)] = line.substr(equals + 1);
                }
            });
        }
    }
    read_modules();
}

void Machine::read_modules()
{
    for_each_line(read(modules_folder() + "/modules.dep").value_or(""),
                  [&](const std::string& line) {
                      std::istringstream words{line};
                      std::string path;
                      words >> path;
                      if (path.ends_with(':')) {
                          path.pop_back();
                          ModuleFile& file = m_installed[module_name(path)];
                          file.path = at(modules_folder()) / path;
                          for (std::string needed; words >> needed;) {
                              file.needs.insert(module_name(needed));
                          }
                      }
                  });
    for_each_line(read(modules_folder() + "/modules.builtin").value_or(""),
                  [&](const std::string& line) { m_built_in.insert(module_name(line)); });
    for_each_line(read("/proc/modules").value_or(""), [&](const std::string& line) {
        m_loaded.insert(line.substr(0, line.find(' ')));
    });
}

fs::path Machine::at(std::string_view path) const
{
    return m_root / path.substr(1);
}

bool Machine::exists(std::string_view path) const
{
    std::error_code error;
    return fs::exists(at(path), error);
}

std::optional<std::string> Machine::read(std::string_view path) const
{
    auto text = read_file(at(path));
    if (text) {
        text->erase(text->find_last_not_of(" \t\n") + 1);
    }
    return text;
}

std::vector<std::string> Machine::list(std::string_view folder) const
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator{at(folder), error}) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool Machine::is_linux(int major, int minor) const
{
    std::pair<int, int> version{};
    const char* end = m_release.data() + m_release.size();
    const auto [point, error] = std::from_chars(m_release.data(), end, version.first);
    if (error == std::errc{} && point != end) {
        std::from_chars(point + 1, end, version.second);
    }
    return version >= std::pair{major, minor};
}

std::optional<std::string> Machine::config(const std::string& option) const
{
    if (m_config.empty()) {
        return {};
    }
    const auto found = m_config.find(option);
    return found == m_config.end() ? "n" : found->second;
}

std::string Machine::module_info(const std::string& module, const std::string& field) const
{
    const auto file = m_installed.find(module);
    if (file == m_installed.end()) {
        return {};
    }
    return module_field(at(modules_folder()), file->second.path, field);
}

std::string Machine::kernel_types_hash() const
{
    const auto btf = read_file(at("/sys/kernel/btf/vmlinux"));
    return btf ? types_hash(*btf) : std::string{};
}

std::vector<std::string> Machine::tracepoints(const std::string& module) const
{
    // Each tracepoint has a type of its own, btf_trace_NAME.
    constexpr std::string_view prefix = "btf_trace_";
    const std::string btf = read_file(at("/sys/kernel/btf/" + module)).value_or("");
    std::vector<std::string> names;
    std::string_view strings = btf_strings(btf);
    while (!strings.empty()) {
        const std::string_view string = strings.substr(0, strings.find('\0'));
        if (string.starts_with(prefix)) {
            names.emplace_back(string.substr(prefix.size()));
        }
        strings.remove_prefix(std::min(string.size() + 1, strings.size()));
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<std::string> Machine::package_version(const std::string& package) const
{
    std::optional<std::string> version;
    bool is_here = false;
    bool is_installed = false;
    for_each_line(read("/var/lib/dpkg/status").value_or(""), [&](const std::string& line) {
        if (line.starts_with("Package: ")) {
            is_here = line.substr(9) == package;
        } else if (is_here && line.starts_with("Status: ")) {
            is_installed = line.ends_with(" installed");
        } else if (is_here && line.starts_with("Version: ") && is_installed) {
            version = line.substr(9);
        }
    });
    return version;
}

std::optional<bool> Machine::is_listed(const std::string& package) const
{
    const std::string wanted = "Package: " + package;
    std::optional<bool> is_found;
    for (const std::string& name : list("/var/lib/apt/lists")) {
        if (!name.ends_with("_Packages")) { // others are packed, or of something else
            continue;
        }
        std::ifstream lines{at("/var/lib/apt/lists/" + name)};
        is_found = is_found.value_or(false);
        for (std::string line; std::getline(lines, line);) {
            if (line == wanted) {
                return true;
            }
        }
    }
    return is_found;
}

} // namespace lttng_gpu::doctor
