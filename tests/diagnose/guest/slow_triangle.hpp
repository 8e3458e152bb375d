// SPDX-License-Identifier: MIT
// A triangle that covers a texture and takes its time, by OpenGL ES on no display. EGL and OpenGL
// are loaded: their headers need not be there. Whatever is missing ends the program.
#pragma once

namespace lttng_gpu::guest {

class SlowTriangle {
public:
    /// Makes a context and makes it current in this thread; with a surface, so that there can be
    /// frames. It draws to a texture all the same.
    explicit SlowTriangle(bool has_surface = false);
    /// So often, and waits until all are drawn (glFinish). For the thread that made it.
    void draw(int times) const;
    /// Clears with this colour, draws once, of so much work (400: as draw()), and waits for
    /// nothing.
    void draw_on(float red, float alpha, float work) const;
    static void flush();
    static void finish();
    /// Swaps its surface, for which Mesa does nothing: nobody sees that one.
    void end_frame() const;
    /// What OpenGL calls its renderer.
    static const char* renderer();

private:
    void make_current(bool has_surface);

    void* m_display = nullptr;
    void* m_surface = nullptr;
    int m_iterations = -1; // where the shader has its parameter
};

} // namespace lttng_gpu::guest
