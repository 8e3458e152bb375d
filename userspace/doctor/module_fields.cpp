// SPDX-License-Identifier: MIT
//
// See module_fields.hpp.
#include "module_fields.hpp"

#include <dlfcn.h>
#include <libkmod.h>
#include <memory>

namespace lttng_gpu::doctor {
namespace {

/// The functions of libkmod that are needed; never unloaded.
class Kmod {
public:
    static const Kmod& get()
    {
        static const Kmod kmod;
        return kmod;
    }

    decltype(&kmod_new) create = nullptr;
    decltype(&kmod_unref) unref = nullptr;
    decltype(&kmod_module_new_from_path) open_module = nullptr;
    decltype(&kmod_module_unref) unref_module = nullptr;
    decltype(&kmod_module_get_info) get_info = nullptr;
    decltype(&kmod_module_info_get_key) key = nullptr;
    decltype(&kmod_module_info_get_value) value = nullptr;
    decltype(&kmod_module_info_free_list) free_info = nullptr;
    decltype(&kmod_list_next) next = nullptr;

    /// Else no function may be called.
    const std::string& problem() const { return m_problem; }

private:
    Kmod() : m_library{::dlopen("libkmod.so.2", RTLD_NOW | RTLD_LOCAL)}
    {
        if (m_library == nullptr) {
            m_problem = ::dlerror();
            return;
        }
        find(create, "kmod_new");
        find(unref, "kmod_unref");
        find(open_module, "kmod_module_new_from_path");
        find(unref_module, "kmod_module_unref");
        find(get_info, "kmod_module_get_info");
        find(key, "kmod_module_info_get_key");
        find(value, "kmod_module_info_get_value");
        find(free_info, "kmod_module_info_free_list");
        find(next, "kmod_list_next");
    }

    template <typename Function> void find(Function& function, const char* name)
    {
        function = reinterpret_cast<Function>(::dlsym(m_library, name));
        if (function == nullptr) {
            m_problem = std::string{"libkmod.so.2 has no function "} + name;
        }
    }

    void* m_library;
    std::string m_problem;
};

} // namespace

const std::string& module_fields_problem()
{
    return Kmod::get().problem();
}

std::string module_field(const std::filesystem::path& modules_folder,
                         const std::filesystem::path& module, const std::string& field)
{
    const Kmod& kmod = Kmod::get();
    if (!kmod.problem().empty()) {
        return {};
    }
    const char* no_configuration = nullptr;
    const std::unique_ptr<kmod_ctx, decltype(kmod.unref)> context{
        kmod.create(modules_folder.c_str(), &no_configuration), kmod.unref};
    kmod_module* opened = nullptr;
    if (!context || kmod.open_module(context.get(), module.c_str(), &opened) < 0) {
        return {};
    }
    const std::unique_ptr<kmod_module, decltype(kmod.unref_module)> owner{opened,
                                                                          kmod.unref_module};
    kmod_list* fields = nullptr;
    if (kmod.get_info(opened, &fields) < 0) {
        return {};
    }
    std::string value;
    for (kmod_list* item = fields; item != nullptr; item = kmod.next(fields, item)) {
        if (kmod.key(item) == field) {
            value = kmod.value(item);
        }
    }
    kmod.free_info(fields);
    return value;
}

} // namespace lttng_gpu::doctor
