// SPDX-License-Identifier: MIT
// Mesa's own thread for OpenGL calls (mesa_glthread=true; "PROGRAM:gl0"), on a driver for which
// Mesa makes none: virgl does not say that its buffers may be mapped by another thread meanwhile.
// Who asks for it all the same maps none once it has drawn.
#pragma once

namespace lttng_gpu::guest {

/// Before a context is made. Ends the program where it is not Mesa 25.0.7 (Debian 13).
void ask_for_mesa_thread();

} // namespace lttng_gpu::guest
