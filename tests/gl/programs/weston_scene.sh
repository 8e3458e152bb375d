#!/bin/sh
# SPDX-License-Identifier: MIT
# weston_scene.sh BACKEND FOLDER: weston, which draws with OpenGL ES, shows a picture (weston-image), is told to end, and ends. Prints how
# it draws, a sum of what the display shows when that changes no more (BACKEND x11; headless shows it to nobody), and weston's exit code.
folder=$2 options=
[ "$1" = x11 ] || options=--use-gl
export XDG_RUNTIME_DIR="$folder" WAYLAND_DISPLAY=scene
plainly() { env -u LD_PRELOAD -u FRAMES_FILE "$@"; }
plainly ffmpeg -loglevel error -f lavfi -i testsrc=size=160x120 -frames:v 1 -y "$folder/picture.png"
shown() { plainly ffmpeg -loglevel error -f x11grab -video_size 640x480 -i "$DISPLAY" -frames:v 1 -f md5 -; }
weston --backend="$1-backend.so" $options --shell=kiosk-shell.so --no-config --idle-time=0 --socket=scene --width=640 --height=480 2>"$folder/log" >&2 &
weston=$!
waited=0
until [ -e "$folder/scene" ] || [ $waited = 600 ]; do sleep 0.1; waited=$((waited + 1)); done
[ "$1" = headless ] || before=$(shown)
plainly weston-image "$folder/picture.png" >"$folder/client" 2>&1 &
client=$!
if [ "$1" = headless ]; then
    sleep 2 # time to draw: there is nothing to look at
else
    last=$before
    for _ in $(seq 50); do
        sleep 0.3
        now=$(shown)
        [ "$now" = "$before" ] || [ "$now" != "$last" ] || break
        last=$now
    done
    echo "$now"
fi
grep -o 'GL renderer: .*' "$folder/log"
kill "$client"
kill "$weston"
wait "$weston"
echo "weston: $?"
