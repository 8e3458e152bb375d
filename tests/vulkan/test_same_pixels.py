#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real programs of Vulkan show the same pixels, print the same and end with the same exit code with the layer absent, off, loaded,
recording, and recording with times of the GPU; some of them beside the validation layer, MangoHud and Mesa's overlay. On
lavapipe, with a display without shared memory: build/tests/vulkan/presented.so sums up the pictures that the server is given. LONG=1
in the environment: all of them; else some; arguments: those of these names. Prints TAP."""
import hashlib
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ways import lttng_session, programs, read_events, run, tracing, why_no_events
from tap import Tap
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gl"))
import runs

is_long = bool(os.environ.get("LONG"))
layers = Path("/usr/share/vulkan")


class Program:
    """`pictures`: at least so many are given to the display; `event`: what a trace of it has;
    `varies`: what it shows, or says, is of the time that passes; `repeats`: how often it shows a picture is; `needs`: a file.
    FOLDER in the command is an empty one; what it writes to FOLDER/picture.png is a picture."""

    def __init__(self, *command, pictures=0, event="call", varies=False, repeats=False, needs=None, **environment):
        self.command, self.pictures, self.event, self.varies, self.needs, self.environment = command, pictures, event, varies, needs, environment
        self.repeats = repeats

    def why_not(self):
        if not shutil.which(self.command[0]):
            return f"{Path(self.command[0]).name} is not installed"
        return f"no {self.needs}" if self.needs and not Path(self.needs).exists() else ""


def cube(**more):
    return Program("vkcube", "--c", "6", "--width", "200", "--height", "200", pictures=6, event="frame", **more)


def filtered(name, words):
    """A picture that ffmpeg makes, filters on the device, and sums up."""
    chain = f"format=yuv420p,hwupload,{words},hwdownload,format=yuv420p"
    return Program("ffmpeg", "-hide_banner", "-loglevel", "error", "-init_hw_device", "vulkan=v:0", "-filter_hw_device", "v", "-f", "lavfi",
                   "-i",
                   "testsrc=size=64x64:rate=5:duration=1", "-vf", chain, "-f", "framemd5", "-", event="submit")


def converted(*elements):
    """Pictures of GStreamer that go through elements on the device; each is summed up."""
    return Program("gst-launch-1.0", "-q", "videotestsrc", "num-buffers=3", "!", "video/x-raw,format=RGBA,width=64,height=64", "!",
                   "vulkanupload",
                   *(word for element in elements for word in ("!", element)), "!", "vulkandownload", "!", "checksumsink", event="submit",
                   needs="/usr/lib/x86_64-linux-gnu/gstreamer-1.0/libgstvulkan.so")


def played(output):
    """mpv takes a device without a GPU only by its name."""
    found = re.search("deviceName *= (.*)",
                      subprocess.run(["vulkaninfo", "--summary"], capture_output=True,
                                     text=True).stdout) if shutil.which("vulkaninfo") else None
    return Program("mpv", "--no-config", f"--vo={output}", "--gpu-api=vulkan", "--gpu-sw=yes",
                   f"--vulkan-device={found[1] if found else ''}", "--hwdec=no",
                   "--ao=null", "--frames=5", "--untimed", "--no-osc", "--no-terminal", "--no-border", "--geometry=128x128+0+0",
                   "av://lavfi:testsrc=size=128x128:rate=5:duration=1", pictures=5, event="frame", repeats=True)


def of_qt(name, **more):
    """An example of Qt's. Some turn by a fixed angle with each picture."""
    return Program(f"/usr/lib/x86_64-linux-gnu/qt5/examples/vulkan/{name}/{name}", pictures=4, event="frame", QT_QPA_PLATFORM="xcb",
                   PICTURES_LAST="4", **more)


def page(file):
    """A page that Chromium draws with ANGLE, its OpenGL ES on Vulkan."""
    return Program("chromium", "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=vulkan", "--ignore-gpu-blocklist",
                   "--enable-gpu-rasterization",
                   "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   "--user-data-dir=FOLDER/user", "--window-size=300,200", "--screenshot=FOLDER/picture.png", file.as_uri(), pictures=1,
                   event="submit")


scenes = Path(__file__).resolve().parent / "programs"
# Chromium brings a newer loader.
short = {"vkcube": cube(), "Chromium": page(scenes / "page.html")}
long = {
    "vkcubepp": Program("vkcubepp", "--c", "6", pictures=6, event="frame"),
    "vkcube with the validation layer": cube(VK_INSTANCE_LAYERS="VK_LAYER_KHRONOS_validation",
                                             needs=layers / "explicit_layer.d/VkLayer_khronos_validation.json"),
    "vkcube with MangoHud, which shows nothing": cube(MANGOHUD="1", MANGOHUD_CONFIG="no_display",
                                                      needs=layers / "implicit_layer.d/MangoHud.json"),
    "vkcube with MangoHud": cube(MANGOHUD="1", varies=True, needs=layers / "implicit_layer.d/MangoHud.json"),
    "vkcube with Mesa's overlay": cube(VK_INSTANCE_LAYERS="VK_LAYER_MESA_overlay", varies=True,
                                       needs=layers / "explicit_layer.d/VkLayer_MESA_overlay.json"),
    "ffmpeg avgblur": filtered("avgblur", "avgblur_vulkan"),
    "ffmpeg scale": filtered("scale", "scale_vulkan=w=32:h=32"),
    "ffmpeg hflip": filtered("hflip", "hflip_vulkan"),
    "ffmpeg libplacebo": filtered("libplacebo", "libplacebo=w=32:h=32"),
    "GStreamer vulkancolorconvert": converted("vulkancolorconvert", "video/x-raw(memory:VulkanImage),format=BGRA"),
    "GStreamer vulkanviewconvert": converted("vulkanviewconvert"),
    "mpv": played("gpu"),
    "mpv gpu-next": played("gpu-next"),
    # Direct3D 12 on Vulkan; the gears turn with the time.
    "vkd3d-gears": Program("vkd3d-gears", pictures=4, event="frame", varies=True, PICTURES_LAST="4"),
    **{f"Qt {name}": of_qt(name) for name in ("hellovulkanwindow", "hellovulkantriangle", "hellovulkantexture")},
    # The widget shows what Qt says of the layers that there are; the cubes turn with the time.
    **{f"Qt {name}": of_qt(name, varies=True) for name in ("hellovulkanwidget", "hellovulkancubes")},
    "Qt Quick": Program("qmlscene", str(scenes / "scene.qml"), pictures=2, event="frame", repeats=True, QT_QPA_PLATFORM="xcb", QSG_RHI="1",
                        QSG_RHI_BACKEND="vulkan", PICTURES_LAST="4"),
    "SDL2 testvulkan": Program("/usr/libexec/installed-tests/SDL2/testvulkan", pictures=4, event="frame", varies=True, PICTURES_LAST="4"),
    # It lists the layers that there are.
    "vulkaninfo": Program("vulkaninfo", "--summary", varies=True),
}


def draw(way, program, display, environment=None):
    """Exit code, output and sums of the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pictures"
        sums = {"LD_PRELOAD": str(programs / "presented.so"), "PIXELS_FILE": str(file)}
        command = [word.replace("FOLDER", folder) for word in program.command]
        got = run(way, *command, environment={**display, **program.environment, **sums, **(environment or {})})
        pictures = file.read_text() if file.exists() else ""
        shot = Path(folder) / "picture.png"
        pictures += hashlib.sha256(shot.read_bytes()).hexdigest() if shot.exists() else ""
    if program.repeats:
        pictures = "\n".join(picture for picture, _ in itertools.groupby(pictures.splitlines()))
    return got.code, "" if program.varies else got.output, pictures, got.errors


def compare(program, expected, got):
    whats = ("exit code", "output") if program.varies else ("exit code", "output", "pictures")
    return [f"{what}: {a[-600:] if isinstance(a, str) else a}\nnow: {b[-600:] if isinstance(b, str) else b}\n{got[3][-400:]}"
            for what, a, b in zip(whats, expected, got) if a != b]


def differs(way, program, plain, display, environment=None):
    """What differs in each of three runs: vkcube shows other pictures when its window gets its size after the first one."""
    for _ in range(3):
        found = compare(program, plain, draw(way, program, display, environment))
        if not found:
            break
    return found


def try_program(tap, name, program, display):
    plain = draw("absent", program, display)
    again = draw("absent", program, display)
    if compare(program, plain, again):
        # What differs from run to run without the layer says nothing of the layer.
        tap.check(f"{name}: the same each time without the layer", compare(program, plain, again))
        return
    tap.check_that(f"{name}: it runs", plain[0] == 0 and len(plain[2].splitlines()) >= program.pictures, plain)
    for way in ("off", "layer"):
        tap.check(f"{name}: {way}", differs(way, program, plain, display))
    for way in ("layer", "draws", "times"):
        with tempfile.TemporaryDirectory() as folder:
            with tracing(folder) as environment:
                tap.check(f"{name}: {way}, traced", differs(way, program, plain, display, environment))
            seen = {event.name for event in read_events(folder)}
        tap.check_that(f"{name}: {way}: there is a trace", program.event in seen, seen)


def main():
    no_events = why_no_events()
    tap = Tap()
    problem = lttng_session.why_not() or no_events
    if problem:
        tap.check("programs of Vulkan", skip=problem)
        return tap.finish()
    with lttng_session.daemon(), runs.display("-extension", "MIT-SHM"):
        display = {"DISPLAY": runs.base["DISPLAY"]}
        chosen = {**short, **(long if is_long else {})}
        for name, program in chosen.items():
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            if why_not := program.why_not():
                tap.check(name, skip=why_not)
            else:
                try_program(tap, name, program, display)
    return tap.finish()


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    sys.exit(main())
