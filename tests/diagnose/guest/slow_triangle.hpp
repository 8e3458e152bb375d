// SPDX-License-Identifier: MIT
// A triangle that covers a texture and takes its time, by OpenGL ES on no display. EGL and OpenGL
// are loaded: their headers need not be there. Whatever is missing ends the program.
#pragma once

namespace lttng_gpu::guest {

class SlowTriangle {
public:
    /// Makes a context and makes it current in this thread.
    SlowTriangle();
    /// So often, and waits until all are drawn (glFinish). For the thread that made it.
    void draw(int times) const;
    /// What OpenGL calls its renderer.
    static const char* renderer();

private:
    int x_iterations = -1; // where the shader has its parameter
};

} // namespace lttng_gpu::guest
