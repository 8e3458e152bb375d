// SPDX-License-Identifier: MIT
//
// The machine as its files tell it (/proc, /sys, /lib/modules, ...), below a
// root that a test may put elsewhere. Only reads; what is absent or may not be
// read is an empty answer.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::doctor {

/// Module names are written with underscores, as /proc/modules has them.
struct ModuleFile {
    std::filesystem::path path;
    std::set<std::string> needs; // modules that it depends on
};

class Machine {
public:
    explicit Machine(std::filesystem::path root);

    std::filesystem::path at(std::string_view path) const; // of an absolute path on the machine
    bool exists(std::string_view path) const;
    /// Without white space at the end.
    std::optional<std::string> read(std::string_view path) const;
    std::vector<std::string> list(std::string_view folder) const; // sorted names

    const std::string& release() const { return m_release; } // of the running kernel
    std::string modules_folder() const { return "/lib/modules/" + m_release; }
    /// Whether the release is at least major.minor.
    bool is_linux(int major, int minor) const;
    /// Value of a CONFIG_ option; "n" when the configuration is known and lacks it.
    std::optional<std::string> config(const std::string& option) const;

    const std::map<std::string, ModuleFile>& installed_modules() const { return m_installed; }
    bool is_installed(const std::string& module) const { return m_installed.count(module) != 0; }
    bool is_built_in(const std::string& module) const { return m_built_in.count(module) != 0; }
    bool is_loaded(const std::string& module) const { return m_loaded.count(module) != 0; }
    /// A field that modinfo shows, like "version"; of modules that are installed.
    std::string module_info(const std::string& module, const std::string& field) const;

    /// Of the kernel image's BTF, as btf-layout writes it into the probes; empty: it has none.
    std::string kernel_types_hash() const;

    /// Tracepoints of a loaded module (or "vmlinux"), from its BTF.
    std::vector<std::string> tracepoints(const std::string& module) const;
    /// Version of an installed Debian package.
    std::optional<std::string> package_version(const std::string& package) const;
    /// Whether apt's lists have a package; empty: there are none that can be read.
    std::optional<bool> is_listed(const std::string& package) const;

private:
    void read_modules();

    std::filesystem::path m_root;
    std::string m_release;
    std::map<std::string, std::string> m_config;
    std::map<std::string, ModuleFile> m_installed;
    std::set<std::string> m_built_in;
    std::set<std::string> m_loaded;
};

} // namespace lttng_gpu::doctor
