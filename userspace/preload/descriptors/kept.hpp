// SPDX-License-Identifier: MIT
//
// The descriptors that LTTng-UST has open in this process. A program that closes one, or puts a
// file of its own in its place, ends LTTng in itself, as a rule by an abort in LTTng's code.
//
// LTTng notes its descriptors in a tracker of its own (fd-tracker.c in LTTng-UST 2.13 to 2.16). Its
// functions are exported, so that a library that stands before LTTng's sees each descriptor come
// and go.
#pragma once

namespace lttng_gpu {

/// Whether LTTng has descriptors in this process: not in a child of fork() that it was not told of.
/// There every descriptor may be closed, and the lock may be held for ever.
bool has_kept_descriptors();

/// While it lives, no descriptor is added or removed. Only where has_kept_descriptors().
class KeptDescriptors {
public:
    KeptDescriptors();
    KeptDescriptors(const KeptDescriptors&) = delete;
    KeptDescriptors& operator=(const KeptDescriptors&) = delete;
    ~KeptDescriptors();

    bool has(unsigned descriptor) const;
    /// The first one from there on that is LTTng's, or that is not; `end` if there is none before.
    unsigned next(unsigned descriptor, unsigned end, bool is_kept) const;
};

} // namespace lttng_gpu
