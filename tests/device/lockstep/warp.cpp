// SPDX-License-Identifier: MIT
//
// See warp.hpp.
#include "warp.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <ucontext.h>
#include <vector>

namespace lockstep {

uint group, groups, item, items;

namespace {

enum class Waits { No, Active, OfLane, Where, Any, Sync, Barrier, Ended };
using Place = std::vector<std::uintptr_t>;

struct Lane {
    ucontext_t context;
    std::vector<char> stack;
    Waits waits = Waits::No;
    Place place;
    uint lanes = 0; // that it waits for
    uint value = 0;
    uint from = 0;
    uint result = 0;
};

std::vector<Lane> lanes;
ucontext_t scheduler;
const std::function<void()>* body;
std::mt19937 lot;
uint luck_of_run;

void fail(const char* words)
{
    std::printf("lockstep: %s\n", words);
    for (const Lane& lane : lanes)
        std::printf("%d:%x ", static_cast<int>(lane.waits), lane.lanes);
    std::printf("\n");
    std::exit(1);
}

uint wait(Waits what, uint of, uint value, uint from)
{
    Lane& own = lanes[item];
    own.waits = what;
    own.lanes = of;
    own.value = value;
    own.from = from;
    swapcontext(&own.context, &scheduler);
    return own.result;
}

/// Return addresses, as far as the lane's stack goes.
Place place_here(const Lane& lane)
{
    Place place;
    const auto begin = reinterpret_cast<std::uintptr_t>(lane.stack.data());
    const auto* frame = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
    for (auto at = reinterpret_cast<std::uintptr_t>(frame);
         at >= begin && at + 16 <= begin + lane.stack.size() && place.size() < 32;) {
        const auto* words = reinterpret_cast<const std::uintptr_t*>(at);
        place.push_back(words[1]);
        if (words[0] <= at)
            break;
        at = words[0];
    }
    return place;
}

void begin_lane()
{
    (*body)();
    lanes[item].waits = Waits::Ended;
    swapcontext(&lanes[item].context, &scheduler);
}

uint result_of(const Lane& lane, uint first)
{
    uint result = 0;
    for (uint other = 0; other < 32; ++other) {
        if ((lane.lanes >> other & 1) == 0)
            continue;
        const uint value = lanes[first + other].value;
        if (lane.waits == Waits::OfLane && other == lane.from)
            result = value;
        else if (lane.waits == Waits::Where && value != 0)
            result |= 1U << other;
        else if (lane.waits == Waits::Any)
            result |= value;
    }
    return result;
}

/// Lanes that all of theirs wait with, for the same.
bool complete(uint first, uint count)
{
    for (uint lane = 0; lane < count; ++lane) {
        const Lane& own = lanes[first + lane];
        if (own.waits < Waits::OfLane || own.waits > Waits::Sync)
            continue;
        if ((own.lanes >> lane & 1) == 0 || (count < 32 && own.lanes >> count != 0))
            fail("a lane waits for others than its own");
        bool is_complete = true;
        for (uint other = 0; other < count; ++other) {
            const Lane& one = lanes[first + other];
            if ((own.lanes >> other & 1) != 0)
                is_complete &= one.waits == own.waits && one.lanes == own.lanes;
        }
        if (!is_complete)
            continue;
        const uint of = own.lanes;
        for (uint other = 0; other < count; ++other) {
            if ((of >> other & 1) != 0)
                lanes[first + other].result = result_of(lanes[first + other], first);
        }
        for (uint other = 0; other < count; ++other) {
            if ((of >> other & 1) != 0)
                lanes[first + other].waits = Waits::No;
        }
        return true;
    }
    return false;
}

/// Lanes of one place go on.
bool activate(uint first, uint count)
{
    std::map<Place, uint> places;
    for (uint lane = 0; lane < count; ++lane) {
        if (lanes[first + lane].waits == Waits::Active)
            places[lanes[first + lane].place] |= 1U << lane;
    }
    if (places.empty())
        return false;
    auto chosen = places.begin();
    std::advance(chosen, luck_of_run != 0 ? lot() % places.size() : 0);
    uint together = chosen->second;
    if (luck_of_run != 0 && lot() % 4 == 0)
        together &= static_cast<uint>(lot());
    together = together != 0 ? together : chosen->second;
    for (uint lane = 0; lane < count; ++lane) {
        if ((together >> lane & 1) != 0) {
            lanes[first + lane].result = together;
            lanes[first + lane].waits = Waits::No;
        }
    }
    return true;
}

bool release_barrier()
{
    bool is_one = false;
    for (const Lane& lane : lanes)
        is_one |= lane.waits == Waits::Barrier;
    for (Lane& lane : lanes) {
        if (lane.waits == Waits::Barrier)
            lane.waits = Waits::No;
        else if (lane.waits != Waits::Ended)
            fail("lanes wait for ever");
    }
    return is_one;
}

void run_ready()
{
    std::vector<uint> order;
    for (uint lane = 0; lane < items; ++lane) {
        if (lanes[lane].waits == Waits::No)
            order.push_back(lane);
    }
    if (luck_of_run != 0)
        std::shuffle(order.begin(), order.end(), lot);
    for (const uint lane : order) {
        item = lane;
        swapcontext(&scheduler, &lanes[lane].context);
    }
}

} // namespace

uint active()
{
    lanes[item].place = place_here(lanes[item]);
    return wait(Waits::Active, 0, 0, 0);
}
uint of_lane(uint value, uint lane, uint of)
{
    return wait(Waits::OfLane, of, value, lane);
}
uint where(uint value, uint of)
{
    return wait(Waits::Where, of, value, 0);
}
uint any(uint value, uint of)
{
    return wait(Waits::Any, of, value, 0);
}
void sync(uint of)
{
    wait(Waits::Sync, of, 0, 0);
}
void meet()
{
    wait(Waits::Barrier, 0, 0, 0);
}

void run_group(uint number, uint of_groups, uint of_items, uint luck,
               const std::function<void()>& lane)
{
    group = number;
    groups = of_groups;
    items = of_items;
    luck_of_run = luck;
    lot.seed(luck * 1000 + number);
    body = &lane;
    lanes.clear();
    lanes.resize(of_items);
    for (Lane& one : lanes) {
        one.stack.resize(64 << 10);
        getcontext(&one.context);
        one.context.uc_stack.ss_sp = one.stack.data();
        one.context.uc_stack.ss_size = one.stack.size();
        one.context.uc_link = nullptr;
        makecontext(&one.context, begin_lane, 0);
    }
    for (bool goes_on = true; goes_on;) {
        run_ready();
        bool is_any = false;
        for (uint first = 0; first < of_items; first += 32)
            is_any |= complete(first, std::min(32U, of_items - first)) ||
                      activate(first, std::min(32U, of_items - first));
        goes_on = is_any || release_barrier();
    }
}

} // namespace lockstep
