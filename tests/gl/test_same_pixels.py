#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real programs of OpenGL draw the same pixels, print the same and end with the same exit code with the layer absent, loaded,
recording, and recording with times of the GPU. The pixels of those that are linked to EGL or GLX are summed up at the end of
each frame by build/tests/gl/frames.so, which also makes their clock steady; others look at their pixels themselves. On llvmpipe
under Xvfb. LONG=1 in the environment: all of them; else some; arguments: those of these names. Prints TAP."""
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import runs
from runs import base, layer, programs, read_events, recording

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tap import Tap  # noqa: E402

tap = Tap()
is_long = bool(os.environ.get("LONG"))
python = "/usr/bin/python3"
piglit = Path("/usr/lib/x86_64-linux-gnu/piglit/bin")
QT = """
import sys, hashlib
from PyQt5.QtWidgets import QApplication, QOpenGLWidget
from OpenGL import GL
class Scene(QOpenGLWidget):
    frame = 0
    def paintGL(self):
        GL.glClearColor(self.frame % 4 / 4, 0.5, 0.25, 1)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glRectf(-0.5, -0.5, 0.5, 0.25)
application = QApplication(sys.argv)
scene = Scene()
scene.resize(64, 64)
scene.show()
for scene.frame in range(4):
    picture = scene.grabFramebuffer().convertToFormat(4)
    pixels = picture.constBits()
    pixels.setsize(picture.byteCount())
    print(picture.width(), picture.height(), hashlib.sha256(bytes(pixels)).hexdigest())
    scene.update()
    application.processEvents()
"""


class Program:
    """`frames`: how many are summed up; 0: the program is the judge of its pixels itself. `events`: what a trace of it has;
    `wayland`: it needs a compositor; `module`: of Python; `varies`: it prints addresses; `counted`: its frames are counted, and recorded
    are as many; `needs`: other programs. FOLDER in the command is an empty one."""

    def __init__(self, *command, frames=0, events=("context_current",), wayland=False, module=None, varies=False, counted=False, needs=(),
                 **environment):
        self.command, self.frames, self.events, self.wayland, self.module, self.varies = command, frames, events, wayland, module, varies
        self.counted, self.needs, self.environment = counted, needs, environment

    def why_not(self):
        for program in self.needs:
            if not shutil.which(program):
                return f"{program} is not installed"
        if not shutil.which(self.command[0]):
            return f"{Path(self.command[0]).name} is not installed"
        if self.module and subprocess.run([python, "-c", f"import {self.module}"], capture_output=True).returncode:
            return f"{self.module} is not installed"
        return "no weston" if self.wayland and not shutil.which("weston") else ""


def glmark2(scene, program="glmark2"):
    return Program(program, "--size", "100x100", "--validate", "-b", scene)


short = {
    "glxgears": Program("glxgears", frames=4, events=("frame",)),
    "glmark2 build": glmark2("build"),
    "SDL2": Program(str(programs / "sdl_scene"), "4", events=("frame",)),
}
long = {
    "es2gears_x11": Program("es2gears_x11", frames=4, events=("frame",)),
    "glxheads": Program("glxheads", frames=4, events=("frame",), varies=True),
    "es2gears_wayland": Program("es2gears_wayland", frames=4, events=("frame",), wayland=True),
    "weston-simple-egl": Program("weston-simple-egl", frames=4, events=("frame",), wayland=True),
    "glxinfo": Program("glxinfo"),
    "eglinfo": Program("eglinfo", events=("call",)),
    "es2_info": Program("es2_info"),
    "Qt, QOpenGLWidget and PyOpenGL": Program(python, "-c", QT, module="PyQt5.QtOpenGL, OpenGL"),
    **{f"glmark2 {scene}": glmark2(scene)
       for scene in ("texture", "shading:shading=phong", "bump", "effect2d", "buffer", "conditionals", "function", "loop", "ideas",
                                                        "jellyfish", "terrain", "shadow", "refract", "desktop")},
    "Qt with EGL": Program(python, "-c", QT, module="PyQt5.QtOpenGL, OpenGL", events=("frame",), counted=True,
                           QT_XCB_GL_INTEGRATION="xcb_egl"),
    # The compositor itself draws.
    **{f"weston ({backend})": Program("sh", str(Path(__file__).resolve().parent / "programs/weston_scene.sh"), backend, "FOLDER",
                                      events=("frame",), counted=True,
                                      needs=("weston", "weston-image", "ffmpeg")) for backend in ("x11", "headless")},
    "glmark2-es2 texture": glmark2("texture", "glmark2-es2"),
    **{f"piglit {name}": Program(str(piglit / name), "-auto", "-fbo") for name in (
        "fbo-blit", "fbo-blit-stretch", "ext_timer_query-lifetime", "arb_sync-repeat-wait",
        "arb_sync-timeout-zero", "ext_disjoint_timer_query-simple", "arb_compute_shader-dispatch-basic", "arb_query_buffer_object-qbo")},
}


@contextlib.contextmanager
def compositor():
    """One for wayland's programs; the name of its socket, or nothing if there is none."""
    if not is_long or not shutil.which("weston"):
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        environment = {**base, "XDG_RUNTIME_DIR": folder}
        server = subprocess.Popen(["weston", "--backend=headless-backend.so", "--use-gl", "--socket=test", "--no-config", "--idle-time=0"],
                                  env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            runs.wait_for(lambda: (Path(folder) / "test").exists() or server.poll() is not None)
            yield {"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "test"} if server.poll() is None else None
        finally:
            server.terminate()
            server.wait()


def draw(program, preload, environment):
    """Exit code, output and sums of the frames' pixels, or their number."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "frames"
        preloads = [str(preload)] if preload else []
        variables = {"XDG_RUNTIME_DIR": folder, **program.environment, **environment}
        if program.frames or program.counted:
            preloads.append(str(programs / "frames.so"))
            variables |= {"FRAMES_FILE": str(file), "FRAMES_LAST": str(program.frames)}
        command = [word.replace("FOLDER", folder) for word in program.command]
        code, output, errors = runs.run(command, " ".join(preloads) or None, variables)
        return code, "" if program.varies else output, file.read_text() if file.exists() else "", errors


def compare(program, expected, got):
    """How many frames there are may depend on the time."""
    whats = ("exit code", "output") if program.counted else ("exit code", "output", "frames")
    return [f"{what}: {a[-600:] if isinstance(a, str) else a}\nnow: {b[-600:] if isinstance(b, str) else b}\n{got[3][-400:]}"
            for what, a, b in zip(whats, expected, got) if a != b]


def try_program(name, program, environment):
    plain = draw(program, None, environment)
    again = draw(program, None, environment)
    if compare(program, plain, again):
        # What differs from run to run without the layer says nothing of the layer.
        tap.check(f"{name}: the same each time without the layer", compare(program, plain, again))
        return
    has_frames = int(plain[2] or 0) > 0 if program.counted else len(plain[2].splitlines()) == program.frames
    tap.check_that(f"{name}: it runs", plain[0] not in ("hangs",) and plain[0] >= 0 and has_frames, plain)
    tap.check(f"{name}: loaded", compare(program, plain, draw(program, layer, environment)))
    with tempfile.TemporaryDirectory() as folder:
        with recording(folder) as application:
            drawn = draw(program, layer, environment | application)
            tap.check(f"{name}: recording", compare(program, plain, drawn))
            timed = draw(program, layer, environment | application | {"LTTNG_GPU_GL_TIMES": "1"})
            tap.check(f"{name}: recording, with times", compare(program, plain, timed))
        seen = [event for event, _ in read_events(folder)]
    tap.check(f"{name}: there is a trace", [f"no {event}: {set(seen)}" for event in program.events if event not in seen])
    if program.counted:
        tap.check_that(f"{name}: each frame is recorded", seen.count("frame") == int(drawn[2] or 0) + int(timed[2] or 0),
                       (seen.count("frame"), drawn[2], timed[2]))


def main():
    problem = runs.lttng_session.why_not() or ("" if shutil.which("babeltrace2") else "no babeltrace2")
    if problem:
        tap.check("programs of OpenGL", skip=problem)
        return
    with runs.lttng_session.daemon(), runs.display(), compositor() as wayland:
        for name, program in {**short, **(long if is_long else {})}.items():
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            why_not = program.why_not() or ("no compositor" if program.wayland and not wayland else "")
            if why_not:
                tap.check(name, skip=why_not)
            else:
                try_program(name, program, wayland if program.wayland else {})


main()
sys.exit(tap.finish())
