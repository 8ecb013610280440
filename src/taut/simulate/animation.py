"""A simulated motion as a self-contained page: the robot as lines between its joints, played in a browser.

The page needs no network: one canvas and a few lines of script. Drag to turn the view, use the slider or the button to
choose the time.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from taut.algorithms import kinematics
from taut.batch import evaluate

if TYPE_CHECKING:
    from taut.simulate.result import Simulation

MOST_FRAMES = 600
"""Pictures of a page; a longer motion leaves some points out."""


def animation_page(motion: Simulation) -> str:
    """Return the page of one motion (one initial state)."""
    tree = motion.tree
    keep = np.unique(np.linspace(0, len(motion.t) - 1, min(len(motion.t), MOST_FRAMES)).round().astype(int))

    def places(q: list[np.ndarray]) -> list[np.ndarray]:
        positions = tree.at(q).positions
        poses = [kinematics.frame_pose(tree, positions, tree.frame(name)) for name in names]
        return [x for pose in poses for x in pose.p]

    names = [joint.link.name for joint in tree.joints] + [frame.name for frame in tree.frames[-1:]]
    parents = [joint.parent for joint in tree.joints] + [frame.body for frame in tree.frames[-1:]]
    points = evaluate(places, {"q": motion.q[keep]}, (3 * len(names),))
    data = {
        "name": tree.name,
        "t": [round(float(t), 6) for t in motion.t[keep]],
        "parents": parents,
        "points": np.round(points, 4).tolist(),
    }
    text = json.dumps(data).replace("</", "<\\/")
    return _PAGE.replace("TITLE", escape(tree.name)).replace("DATA", text)


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>TITLE: simulated motion</title>
<style>
body { font: 15px sans-serif; margin: 1em; color: #222; background: #fff; }
canvas { width: 100%; height: 75vh; border: 1px solid #ccc; touch-action: none; }
input { width: 60%; vertical-align: middle; }
</style>
</head>
<body>
<h1>TITLE</h1>
<canvas aria-label="the robot as lines between its joints"></canvas>
<p><button>Pause</button> <input type="range" min="0" value="0" aria-label="time"> <output></output></p>
<script>
"use strict";
const data = DATA;
const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
const button = document.querySelector("button"), slider = document.querySelector("input");
const shown = document.querySelector("output"), count = data.t.length;
slider.max = count - 1;
let turn = 0.8, tilt = 0.35, playing = true, begun = performance.now(), reach = 0.1;
for (const row of data.points) for (const x of row) reach = Math.max(reach, Math.abs(x));
function project(x, y, z, size) {
  const a = Math.cos(turn) * x - Math.sin(turn) * y, b = Math.sin(turn) * x + Math.cos(turn) * y;
  const scale = 0.42 * Math.min(canvas.width, canvas.height) / reach;
  return [canvas.width / 2 + scale * a, canvas.height * 0.6 - scale * (Math.cos(tilt) * z + Math.sin(tilt) * b)];
}
function line(a, b, colour, width) {
  pen.strokeStyle = colour; pen.lineWidth = width;
  pen.beginPath(); pen.moveTo(...a); pen.lineTo(...b); pen.stroke();
}
function draw(frame) {
  canvas.width = canvas.clientWidth; canvas.height = canvas.clientHeight;
  for (let k = -5; k <= 5; ++k) {
    const s = reach * k / 5;
    line(project(s, -reach, 0), project(s, reach, 0), "#e4e4e4", 1);
    line(project(-reach, s, 0), project(reach, s, 0), "#e4e4e4", 1);
  }
  const row = data.points[frame];
  const at = (i) => i < 0 ? project(0, 0, 0) : project(row[3 * i], row[3 * i + 1], row[3 * i + 2]);
  data.parents.forEach((parent, i) => line(at(parent), at(i), "#1f5fa8", 5));
  data.parents.forEach((parent, i) => {
    pen.fillStyle = "#d9822b"; pen.beginPath(); pen.arc(...at(i), 5, 0, 7); pen.fill();
  });
  shown.textContent = data.t[frame].toFixed(3) + " s";
}
function tick(now) {
  if (playing) {
    const span = data.t[count - 1] - data.t[0], t = data.t[0] + ((now - begun) / 1000) % (span || 1);
    let frame = data.t.findIndex((x) => x >= t);
    slider.value = frame < 0 ? count - 1 : frame;
  }
  draw(Number(slider.value));
  requestAnimationFrame(tick);
}
button.onclick = () => {
  playing = !playing;
  begun = performance.now() - 1000 * (data.t[Number(slider.value)] - data.t[0]);
  button.textContent = playing ? "Pause" : "Play";
};
slider.oninput = () => { playing = false; button.textContent = "Play"; };
canvas.onpointermove = (event) => {
  if (!event.buttons) return;
  turn += event.movementX / 200;
  tilt = Math.min(1.5, Math.max(-0.2, tilt + event.movementY / 200));
};
requestAnimationFrame(tick);
</script>
</body>
</html>
"""
