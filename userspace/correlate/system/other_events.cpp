// SPDX-License-Identifier: MIT
//
// See other_events.hpp.
#include "other_events.hpp"

#include "../base/printable_text.hpp"

#include <algorithm>
#include <array>

namespace lttng_gpu::model {
namespace {

/// Of drivers whose jobs drm_sched tells of: the fence of each job on the hardware.
bool is_under_scheduler(std::string_view driver)
{
    constexpr std::array<std::string_view, 12> drivers{"v3d",     "msm",     "panfrost", "panthor",
                                                       "lima",    "etnaviv", "nouveau",  "xe",
                                                       "powervr", "amdxdna", "rocket",   "ethosu"};
    const bool is_pci_name = driver.size() == 12 && driver[4] == ':' && driver[7] == ':';
    return is_pci_name || std::ranges::find(drivers, driver) != drivers.end();
}

/// The kernel's own, which only hold others together or are signaled from the beginning.
bool is_no_device(std::string_view driver)
{
    constexpr std::array<std::string_view, 4> drivers{"dma_fence_array", "dma_fence_chain", "stub",
                                                      "syncobjstub"};
    return std::ranges::find(drivers, driver) != drivers.end();
}

/// Names are kept as the events have them, which may be any bytes.
void make_printable(OtherEventAccount& account)
{
    const auto clean = [](std::string& name) { name = printable_text(name); };
    for (DisplayFences& fences : account.display) {
        clean(fences.driver);
        clean(fences.timeline);
    }
    for (EventNotUnderstood& event : account.not_understood) {
        clean(event.driver);
        clean(event.event);
    }
    for (UnfencedCommands& commands : account.unfenced) {
        clean(commands.device);
        clean(commands.queue);
    }
}

} // namespace

void OtherEvents::count_display(std::string_view driver, std::string_view timeline, bool is_signal)
{
    auto found = std::ranges::find_if(m_account.display, [&](const DisplayFences& fences) {
        return fences.timeline == timeline && fences.driver == driver;
    });
    if (found == m_account.display.end()) {
        if (m_account.display.size() == most_names) {
            ++m_account.left_out;
            return;
        }
        m_account.display.push_back({std::string{driver}, std::string{timeline}});
        found = std::prev(m_account.display.end());
    }
    ++(is_signal ? found->signaled : found->made);
}

void OtherEvents::count(std::string_view driver, std::string_view event)
{
    auto& all = m_account.not_understood;
    const auto found = std::ranges::find_if(all, [&](const EventNotUnderstood& known) {
        return known.event == event && known.driver == driver;
    });
    if (found != all.end()) {
        ++found->count;
    } else if (all.size() == most_names) {
        ++m_account.left_out;
    } else {
        all.push_back({std::string{driver}, std::string{event}, 1});
    }
}

UnfencedCommands& OtherEvents::unfenced(std::string_view device, std::string_view queue)
{
    auto& all = m_account.unfenced;
    const auto found = std::ranges::find_if(all, [&](const UnfencedCommands& known) {
        return known.device == device && known.queue == queue;
    });
    if (found != all.end() || all.size() == most_names) {
        return found != all.end() ? *found : all.back();
    }
    return all.emplace_back(UnfencedCommands{std::string{device}, std::string{queue}});
}

OtherEventAccount OtherEvents::account(bool has_scheduler) const
{
    OtherEventAccount account = m_account;
    std::erase_if(account.not_understood, [&](const EventNotUnderstood& event) {
        return is_no_device(event.driver) || (has_scheduler && is_under_scheduler(event.driver));
    });
    std::ranges::stable_sort(account.not_understood, std::ranges::greater{},
                             &EventNotUnderstood::count);
    make_printable(account);
    return account;
}

} // namespace lttng_gpu::model
