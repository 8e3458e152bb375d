#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that find OpenGL in all the ways there are draw the same without the layer, with it and recorded, and every
frame of theirs is recorded. On llvmpipe; programs with windows under Xvfb. Prints TAP."""
import shutil
import sys
import tempfile

import runs
from runs import differences, layer, programs, read_events, recording, run

sys.path.insert(0, str(runs.Path(__file__).resolve().parents[1]))
from tap import Tap  # noqa: E402

tap = Tap()
FRAMES = 3
PYOPENGL = """
import os, sys
os.environ["PYOPENGL_PLATFORM"] = "egl"
from ctypes import pointer
from OpenGL.EGL import *
from OpenGL.GL import *
display = eglGetDisplay(EGL_DEFAULT_DISPLAY)
major, minor, count = EGLint(), EGLint(), EGLint()
eglInitialize(display, pointer(major), pointer(minor))
configs = (EGLConfig * 1)()
eglChooseConfig(display, (EGLint * 5)(EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE), configs, 1, pointer(count))
surface = eglCreatePbufferSurface(display, configs[0], (EGLint * 5)(EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE))
eglBindAPI(EGL_OPENGL_API)
context = eglCreateContext(display, configs[0], EGL_NO_CONTEXT, None)
eglMakeCurrent(display, surface, surface, context)
for frame in range(3):
    glClearColor(frame / 4, 0, 1, 1)
    glClear(GL_COLOR_BUFFER_BIT)
    glRectf(0, 0, 1, 1)
    print(bytes(glReadPixels(2, 2, 9, 9, GL_RGBA, GL_UNSIGNED_BYTE)).hex())
    eglSwapBuffers(display, surface)
"""
surfaceless = {"EGL_PLATFORM": "surfaceless"}
# Name: command, further environment, frames that are recorded (for the name of the process), draw calls in each, surfaces.
scene = (FRAMES, lambda number: 3, 1)
cases = {
    "linked": ([programs / "scene-linked", "linked", FRAMES], {}, *scene),
    "dlopen and dlsym": ([programs / "scene", "local", FRAMES], {}, *scene),
    "dlopen with RTLD_DEEPBIND": ([programs / "scene", "deepbind", FRAMES], {}, *scene),
    "eglGetProcAddress": ([programs / "scene", "getproc", FRAMES], {}, *scene),
    "a linked plugin, opened for itself": ([programs / "scene", "plugin", FRAMES, programs / "plugin.so"], {}, *scene),
    "four threads": ([programs / "life-linked", "threads"], {}, 200, lambda number: 0, 4),
    "threads, dlsym": ([programs / "life", "threads"], {}, 200, lambda number: 0, 4),
    # Of the child that draws before its parent does, and of the parent.
    "forks": ([programs / "life", "forks"], {}, 150, lambda number: 0, None),
    "forks, linked": ([programs / "life-linked", "forks"], {}, 150, lambda number: 0, None),
    "libraries closed and opened again": ([programs / "life", "closes"], {}, 500, lambda number: 0, None),
    "exit in a call": ([programs / "life", "ends"], {}, 1, lambda number: 0, 1),
    "no OpenGL library": ([programs / "scene", "absent", 1], {}, 0, None, None),
    "PyOpenGL": ([sys.executable if not shutil.which("/usr/bin/python3") else "/usr/bin/python3", "-c", PYOPENGL], surfaceless, 3,
                 lambda number: 1, 1),
}
windows = {
    "GLX, linked, two windows": ([programs / "glx_scene", 8], {}, 8, lambda number: None, 2),
    "SDL2 with GLX": ([programs / "sdl_scene", 6], {}, 6, lambda number: 1, 1),
    "SDL2 with EGL": ([programs / "sdl_scene", 6], {"SDL_VIDEO_X11_FORCE_EGL": "1"}, 6, lambda number: 1, 1),
}


def frames_wrong(events, frames, draws, surfaces):
    """What is not as it should be in the frames of one program."""
    found = [fields for name, fields in events if name == "frame"]
    wrong = [] if len(found) == frames else [f"{len(found)} frames, not {frames}"]
    wrong += [f"a frame failed: {fields}" for fields in found if fields["result"] != "1"]
    wrong += [f"no context: {fields}" for fields in found if int(fields["context"], 16) == 0]
    if surfaces:
        numbers = {}
        for fields in found:
            numbers.setdefault(fields["surface"], []).append(int(fields["frame"]))
        wrong += [] if len(numbers) == surfaces else [f"{len(numbers)} surfaces, not {surfaces}"]
        wrong += [f"surface {surface} has frames {seen}" for surface, seen in numbers.items() if seen != list(range(1, len(seen) + 1))]
    wrong += [f"{fields['draws']} draw calls in frame {fields['frame']}" for fields in found
              if draws and draws(int(fields["frame"])) not in (None, int(fields["draws"]))]
    return wrong


def try_case(name, command, environment, frames, draws, surfaces):
    plain = run(command, environment=environment)
    tap.check(f"{name}: the same with the layer", differences(plain, run(command, layer, environment)))
    tap.check_that(f"{name}: it draws", plain[0] == (6 if "exit" in name else 0), f"exit code {plain[0]}: {plain[2][-1000:]}")
    with tempfile.TemporaryDirectory() as folder:
        with recording(folder) as application:
            got = run(command, layer, {**environment, **application})
        tap.check(f"{name}: the same when recorded", differences(plain, got))
        events = read_events(folder)
    tap.check(f"{name}: its frames are recorded", frames_wrong(events, frames, draws, surfaces))
    return events


def details(events):
    """What else the scene does in each of its three frames."""
    count = {}
    for name, fields in events:
        key = fields["function"] if name in ("call", "upload") else name
        count[key] = count.get(key, 0) + 1
    # One more fence is EGL's.
    expected = {"dispatch": 3, "blit": 3, "fence_create": 4, "fence_wait": 4, "query_result": 3, "label": 1, "marker": 3,
                "debug_group_push": 3,
                "debug_group_pop": 3, "context_create": 1, "context_current": 2, "context_destroy": 1, "glTexImage2D": 1, "glFlush": 3,
                "glFinish": 1, "glReadPixels": 3, "glLinkProgram": 2, "eglInitialize": 1}
    tap.check("each thing that it does is recorded", [f"{name}: {count.get(name, 0)}, not {wanted}" for name, wanted in expected.items()
                                                      if count.get(name, 0) != wanted])
    texts = [fields["name"] for name, fields in events if name in ("label", "debug_group_push", "marker")]
    tap.check_that("names are those that it gave, and end where it said", texts == ["noise"] + 3 * ["scene", "blits"], str(texts))
    swaps = [(fields["function"], fields["frame"]) for name, fields in events if name == "frame"]
    tap.check_that("a swap with damage ends a frame as others do",
                   swaps == [("eglSwapBuffers", "1"), ("eglSwapBuffers", "2"), ("eglSwapBuffersWithDamageKHR", "3")],
                   str(swaps))
    frames = [(fields["dispatches"], fields["uploads"]) for name, fields in events if name == "frame"]
    tap.check_that("dispatches and uploads are counted", frames == [("1", "3"), ("1", "1"), ("1", "1")], str(frames))
    sizes = [fields["bytes"] for name, fields in events if name == "upload"]
    tap.check_that("an upload has its bytes", sizes == ["262144"], str(sizes))
    blocking = [fields["function"] for name, fields in events if name == "call_begin"]
    tap.check("calls that may block say that they begin",
              [name
               for name in ("glFinish", "glClientWaitSync", "eglClientWaitSync", "eglSwapBuffers", "glGetQueryObjectuiv", "glReadPixels")
               if name not in blocking])


def glmark2():
    """It compares its pixels with its own, but then ends no frame."""
    if not shutil.which("glmark2"):
        tap.check("glmark2", skip="not installed")
        return
    for scene_name in ("build", "texture", "shading:shading=phong", "buffer:update-method=subdata"):
        words = ["glmark2", "--size", "100x100", "-b"]
        plain = run([*words, scene_name, "--validate"])
        with tempfile.TemporaryDirectory() as folder:
            with recording(folder) as application:
                got = run([*words, scene_name, "--validate"], layer, application)
                drawn = run([*words, f"{scene_name}:nframes=4"], layer, application)
            frames = [int(fields["draws"]) for name, fields in read_events(folder) if name == "frame"]
        tap.check(f"glmark2 {scene_name}: what it says of its pixels is the same when recorded", differences(plain, got))
        tap.check_that(f"glmark2 {scene_name}: its four frames are recorded", drawn[0] == 0 and len(frames) == 4 and all(frames),
                       f"{frames}\n{drawn}")


def main():
    problem = runs.lttng_session.why_not() or ("" if shutil.which("babeltrace2") else "no babeltrace2")
    if problem:
        tap.check("recording OpenGL", skip=problem)
        return
    with runs.lttng_session.daemon():
        for name, case in cases.items():
            events = try_case(name, *case)
            if name == "linked":
                details(events)
        with runs.display():
            for name, case in windows.items():
                try_case(name, *case)
            glmark2()


main()
sys.exit(tap.finish())
