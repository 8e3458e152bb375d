// SPDX-License-Identifier: MIT
// Shapes that blend, and one that moves by itself: a picture for each of its places.
import QtQuick 2.15

Rectangle {
    width: 200
    height: 200
    color: "navy"

    Rectangle { x: 20; y: 30; width: 100; height: 80; color: "orange"; rotation: 15; radius: 10 }
    Rectangle { x: 90; y: 90; width: 90; height: 90; color: "teal"; opacity: 0.5 }
    Rectangle { id: moving; width: 10; height: 10; color: "white" }
    Timer { interval: 200; running: true; repeat: true; onTriggered: moving.x += 7 }
}
