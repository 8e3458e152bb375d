// SPDX-License-Identifier: MIT
//
// What is known about the application's objects, by their handles. Cut into parts with a lock each,
// so that threads rarely meet. Memory is kept for the next entry and never given back: at most what
// the application once needed.
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "lock.hpp"

namespace lttng_gpu {

template <class Value> class HandleTable {
public:
    /// Runs `function(value)` on the handle's value while it is locked, and says whether there is
    /// one. The function must not call anything that could come back here.
    template <class Function> bool with(const void* handle, Function&& function)
    {
        Part& part = part_of(handle);
        Guard guard(part.lock);
        Node* node = find(part, handle);
        if (!node)
            return false;
        function(node->value);
        return true;
    }

    /// A handle that is used again gets the new value. False without memory: nothing is kept.
    bool set(const void* handle, const Value& value)
    {
        Part& part = part_of(handle);
        Guard guard(part.lock);
        Node* node = find(part, handle);
        if (!node)
            node = add(part, handle);
        if (node)
            node->value = value;
        return node != nullptr;
    }

    /// Removes the handle if `condition(value)` holds.
    template <class Condition> void remove_if(const void* handle, Condition&& condition)
    {
        Part& part = part_of(handle);
        Guard guard(part.lock);
        if (!part.buckets)
            return;
        for (Node** link = &bucket(part, handle); *link; link = &(*link)->next) {
            Node* node = *link;
            if (node->handle != handle)
                continue;
            if (condition(node->value)) {
                *link = node->next;
                node->next = part.free;
                part.free = node;
                --part.count;
            }
            return;
        }
    }

    void remove(const void* handle)
    {
        remove_if(handle, [](Value&) { return true; });
    }

    /// Runs `function(handle, value)` on every entry while it is locked; it must not come back
    /// here.
    template <class Function> void for_each(Function&& function)
    {
        for (Part& part : m_parts) {
            Guard guard(part.lock);
            for (uint32_t i = 0; i < part.size; ++i) {
                for (Node* node = part.buckets[i]; node; node = node->next)
                    function(node->handle, node->value);
            }
        }
    }

    /// No handle means anything any more.
    void clear()
    {
        for (Part& part : m_parts) {
            Guard guard(part.lock);
            for (uint32_t i = 0; i < part.size; ++i) {
                while (Node* node = part.buckets[i]) {
                    part.buckets[i] = node->next;
                    node->next = part.free;
                    part.free = node;
                }
            }
            part.count = 0;
        }
    }

    /// Around fork(): the child gets no part that another thread was changing.
    void lock_all()
    {
        for (Part& part : m_parts)
            part.lock.lock();
    }
    void unlock_all()
    {
        for (Part& part : m_parts)
            part.lock.unlock();
    }

private:
    struct Node {
        Node* next;
        const void* handle;
        Value value;
    };
    struct alignas(64) Part {
        SpinLock lock;
        Node** buckets = nullptr;
        Node* free = nullptr;
        uint32_t size = 0; ///< a power of 2
        uint32_t count = 0;
    };
    static constexpr unsigned parts_bits = 5;
    static constexpr unsigned nodes_at_once = 32;

    static uint64_t hash(const void* handle)
    {
        return reinterpret_cast<uintptr_t>(handle) * 0x9E3779B97F4A7C15;
    }
    Part& part_of(const void* handle) { return m_parts[hash(handle) >> (64 - parts_bits)]; }
    static Node*& bucket(Part& part, const void* handle)
    {
        return part.buckets[(hash(handle) >> 24) & (part.size - 1)];
    }

    static Node* find(Part& part, const void* handle)
    {
        if (!part.buckets)
            return nullptr;
        Node* node = bucket(part, handle);
        while (node && node->handle != handle)
            node = node->next;
        return node;
    }

    static Node* add(Part& part, const void* handle)
    {
        if (part.count >= part.size && !grow(part) && !part.size)
            return nullptr;
        Node* node = part.free;
        if (!node && !(node = allocate(part)))
            return nullptr;
        part.free = node->next;
        node->handle = handle;
        Node*& first = bucket(part, handle);
        node->next = first;
        first = node;
        ++part.count;
        return node;
    }

    static Node* allocate(Part& part)
    {
        Node* nodes = static_cast<Node*>(calloc(nodes_at_once, sizeof(Node)));
        for (unsigned i = 0; nodes && i < nodes_at_once; ++i) {
            nodes[i].next = part.free;
            part.free = &nodes[i];
        }
        return part.free;
    }

    static bool grow(Part& part)
    {
        Part larger;
        larger.size = part.size ? 2 * part.size : 16;
        larger.buckets = static_cast<Node**>(calloc(larger.size, sizeof(Node*)));
        if (!larger.buckets)
            return false;
        for (uint32_t i = 0; i < part.size; ++i) {
            for (Node* node = part.buckets[i]; node;) {
                Node* next = node->next;
                Node*& first = bucket(larger, node->handle);
                node->next = first;
                first = node;
                node = next;
            }
        }
        free(part.buckets);
        part.buckets = larger.buckets;
        part.size = larger.size;
        return true;
    }

    Part m_parts[1 << parts_bits];
};

} // namespace lttng_gpu
