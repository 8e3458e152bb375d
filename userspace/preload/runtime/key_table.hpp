// SPDX-License-Identifier: MIT
//
// Records by a key that many threads look up at every call and that rarely comes or goes. A look-up
// takes no lock and writes nothing. What it needs grows with the keys that are there at once; a
// table that was outgrown is kept, as somebody may be reading it: together no more than the newest.
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "lock.hpp"

namespace lttng_gpu {

/// Not null: no key is 1.
template <class Value> class KeyTable {
public:
    /// Null: not there. The caller knows that its key is not removed meanwhile.
    Value* find(const void* key) const
    {
        const Slots& slots = *__atomic_load_n(&m_slots, __ATOMIC_ACQUIRE);
        uint32_t place = hash(key);
        for (uint32_t tries = 0; tries <= slots.mask; ++tries, ++place) {
            const Slot& slot = slots.slot[place & slots.mask];
            const void* const found = __atomic_load_n(&slot.key, __ATOMIC_ACQUIRE);
            if (__builtin_expect(found == key, 1))
                return slot.value;
            if (!found)
                break;
        }
        return nullptr;
    }

    /// A key that comes again gets the new value. False without memory.
    bool set(const void* key, Value* value)
    {
        Guard guard(m_lock);
        if (Slot* known = find_slot(key)) {
            __atomic_store_n(&known->value, value, __ATOMIC_RELEASE);
            return true;
        }
        if (!has_room_for(1))
            return false;
        insert(*m_slots, key, value);
        ++m_count;
        return true;
    }

    /// Room for one more, so that a key that is known only later can be set without memory. False:
    /// there is none.
    bool reserve()
    {
        Guard guard(m_lock);
        if (!has_room_for(1))
            return false;
        ++m_reserved;
        return true;
    }
    void set_reserved(const void* key, Value* value)
    {
        Guard guard(m_lock);
        --m_reserved;
        if (Slot* known = find_slot(key)) {
            __atomic_store_n(&known->value, value, __ATOMIC_RELEASE);
            return;
        }
        insert(*m_slots, key, value);
        ++m_count;
    }
    void give_back_reserved()
    {
        Guard guard(m_lock);
        --m_reserved;
    }

    void remove(const void* key)
    {
        Guard guard(m_lock);
        Slot* const slot = find_slot(key);
        if (!slot)
            return;
        __atomic_store_n(&slot->key, removed(), __ATOMIC_RELEASE);
        --m_count;
    }

    /// None of them is removed meanwhile. The function must not come back here.
    template <class Function> void for_each(Function&& function)
    {
        Guard guard(m_lock);
        for_each_locked(function);
    }
    /// For who has the lock.
    template <class Function> void for_each_locked(Function&& function)
    {
        for (uint32_t i = 0; i <= m_slots->mask; ++i) {
            const Slot& slot = m_slots->slot[i];
            if (slot.key && slot.key != removed())
                function(*slot.value);
        }
    }

    /// Around fork(): the child gets no table that another thread was changing.
    void lock() { m_lock.lock(); }
    void unlock() { m_lock.unlock(); }

private:
    struct Slot {
        const void* key;
        Value* value;
    };
    struct Slots {
        uint32_t mask;
        Slots* outgrown;
        Slot* slot;
    };
    static constexpr uint32_t first_size = 32;

    static const void* removed() { return reinterpret_cast<const void*>(uintptr_t(1)); }
    static uint32_t hash(const void* key)
    {
        return uint32_t(reinterpret_cast<uintptr_t>(key) * 0x9E3779B97F4A7C15 >> 32);
    }

    /// The lock is held.
    Slot* find_slot(const void* key)
    {
        uint32_t place = hash(key);
        for (uint32_t tries = 0; tries <= m_slots->mask; ++tries, ++place) {
            Slot& slot = m_slots->slot[place & m_slots->mask];
            if (slot.key == key)
                return &slot;
            if (!slot.key)
                break;
        }
        return nullptr;
    }

    /// The first place that is free, so that what is looked up is near to where it is looked for.
    static void insert(Slots& slots, const void* key, Value* value)
    {
        uint32_t place = hash(key);
        while (slots.slot[place & slots.mask].key &&
               slots.slot[place & slots.mask].key != removed())
            ++place;
        Slot& slot = slots.slot[place & slots.mask];
        __atomic_store_n(&slot.value, value, __ATOMIC_RELAXED);
        __atomic_store_n(&slot.key, key, __ATOMIC_RELEASE);
    }

    bool has_room_for(uint32_t more)
    {
        return 2 * (m_count + m_reserved + more) <= m_slots->mask || grow();
    }

    bool grow()
    {
        const uint32_t size = 2 * (m_slots->mask + 1);
        auto* larger = static_cast<Slots*>(calloc(1, sizeof(Slots) + size * sizeof(Slot)));
        if (!larger)
            return false;
        larger->mask = size - 1;
        larger->outgrown = m_slots;
        larger->slot = reinterpret_cast<Slot*>(larger + 1);
        for (uint32_t i = 0; i <= m_slots->mask; ++i) {
            const Slot& slot = m_slots->slot[i];
            if (slot.key && slot.key != removed())
                insert(*larger, slot.key, slot.value);
        }
        __atomic_store_n(&m_slots, larger, __ATOMIC_RELEASE);
        return true;
    }

    Slot m_first[first_size] = {};
    Slots m_first_slots = {first_size - 1, nullptr, m_first};
    Slots* m_slots = &m_first_slots;
    uint32_t m_count = 0;
    uint32_t m_reserved = 0;
    SpinLock m_lock;
};

} // namespace lttng_gpu
