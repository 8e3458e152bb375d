// SPDX-License-Identifier: MIT
//
// Owning references to babeltrace2 objects. This is the only file that names
// the library's put_ref functions; everywhere else a plain pointer is borrowed
// and a Bt2Ref owns.
#pragma once

#include <babeltrace2/babeltrace.h>
#include <utility>

namespace lttng_gpu::trace {

template <typename Object, void (*put_ref)(const Object*)> class Bt2Ref {
public:
    Bt2Ref() = default;
    explicit Bt2Ref(const Object* owned) : x_object{owned} {}
    Bt2Ref(const Bt2Ref&) = delete;
    Bt2Ref(Bt2Ref&& other) noexcept : x_object{std::exchange(other.x_object, nullptr)} {}
    ~Bt2Ref() { reset(); }

    Bt2Ref& operator=(Bt2Ref other) noexcept
    {
        std::swap(x_object, other.x_object);
        return *this;
    }

    const Object* get() const { return x_object; }
    /// The caller owns it now.
    const Object* release() { return std::exchange(x_object, nullptr); }
    explicit operator bool() const { return x_object != nullptr; }

    void reset()
    {
        if (x_object != nullptr) {
            put_ref(std::exchange(x_object, nullptr));
        }
    }

private:
    const Object* x_object = nullptr;
};

using Bt2PluginRef = Bt2Ref<bt_plugin, bt_plugin_put_ref>;
using Bt2MessageRef = Bt2Ref<bt_message, bt_message_put_ref>;
using Bt2TraceClassRef = Bt2Ref<bt_trace_class, bt_trace_class_put_ref>;
using Bt2ValueRef = Bt2Ref<bt_value, bt_value_put_ref>;
using Bt2GraphRef = Bt2Ref<bt_graph, bt_graph_put_ref>;

} // namespace lttng_gpu::trace
