"""Writes the picture of the README: a robot, its equation, its C, and its time beside the peers.

Everything in it is computed here or read from results/peers.json: the pose by forward kinematics, the equation by
`robot.explicit()`, the lines of C from the generated text, the times from the last `make bench`.

    python benchmarks/overview.py
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

import numpy as np
from peers.robots import ROBOTS

import taut

ROOT = Path(__file__).parents[1]
POSE = [0.1, -1.9, 1.75, -1.4, -1.3, 0.0]
PEERS = {
    "taut": "taut",
    "hand-written, CasADi": "by hand, CasADi",
    "Pinocchio, CppADCodeGen": "Pinocchio, CppADCodeGen",
    "Pinocchio, CasADi": "Pinocchio, CasADi",
    "Pinocchio": "Pinocchio, C++",
    "MuJoCo": "MuJoCo",
}
STYLE = """
  text { font-family: system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #1c2733; }
  .title { font-size: 15px; font-weight: 600; fill: #5b6b7b; }
  .math { font-family: 'STIX Two Text', Cambria, Georgia, serif; font-size: 25px; }
  .sub { font-size: 15px; }
  .code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 14.5px; }
  .small { font-size: 13px; fill: #5b6b7b; }
  .label { font-size: 14px; }
  .strong { font-weight: 700; fill: #0b5cad; }
"""


def overview() -> str:
    """Return the picture as SVG."""
    [contested] = [one for one in ROBOTS if one.name == "UR5"]
    robot = taut.load(contested.path)
    parts = [*_robot(robot), *_equation(robot), *_code(robot), *_times("UR5", "inverse_dynamics")]
    body = "\n".join(parts)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 560" role="img" '
        'aria-label="The robot UR5, its gravity torque as equations, the same as C, and the time of its inverse '
        f'dynamics beside other tools">\n<style>{STYLE}</style>\n'
        f'<rect width="1200" height="560" rx="18" fill="#f6f8fa"/>\n{body}\n</svg>\n'
    )


def _panel(x: int, y: int, width: int, height: int, title: str) -> list[str]:
    card = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="12" fill="#fff" stroke="#d8dee4"/>'
    return [card, f'<text class="title" x="{x + 20}" y="{y + 30}">{escape(title)}</text>']


def _robot(robot: taut.Robot) -> list[str]:
    """Return the arm as a line through its link frames, seen from the front and above."""
    frames = ("base_link", *(joint.link.name for joint in robot.tree.joints), "ee_link")
    points = [robot.forward_kinematics(POSE, frame)[:3, 3] for frame in frames]
    turn, tilt = np.radians(-35), np.radians(18)
    right = np.array([np.cos(turn), np.sin(turn), 0])
    up = np.array([np.sin(turn) * np.sin(tilt), -np.cos(turn) * np.sin(tilt), np.cos(tilt)])
    flat = np.array([[p @ right, p @ up] for p in points])
    low, high = flat.min(0), flat.max(0)
    scale = min(250 / (high - low)[0], 370 / (high - low)[1])
    seen = [(180 + (x - (low + high)[0] / 2) * scale, 480 - (y - low[1]) * scale) for x, y in flat]
    rows = _panel(20, 20, 320, 520, "A robot: UR5, from its URDF")
    x, y = seen[0]
    rows.append(f'<ellipse cx="{x:.1f}" cy="{y + 8:.1f}" rx="62" ry="17" fill="#dfe6ee"/>')
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in seen)
    for width, colour in ((34, "#9fb4c9"), (26, "#c9d8e6")):
        rows.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{width}" '
            'stroke-linejoin="round" stroke-linecap="round"/>'
        )
    for x, y in seen[1:-1]:
        rows.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11" fill="#0b5cad" stroke="#fff" stroke-width="3"/>')
    rows.append(
        f'<text class="small" x="40" y="524">{robot.dof} joints, {len(robot.parameters)} inertial numbers</text>'
    )
    return rows


def _equation(robot: taut.Robot) -> list[str]:
    model = robot.explicit()
    rows = _panel(360, 20, 400, 250, "Its equations: gravity torque")
    y = 96
    shown = [model.g[i] for i in (1, 2, 3)]
    for element in shown:
        rows.append(f'<text class="math" x="390" y="{y}">{_mathematics(str(element))}</text>')
        y += 44
    letters = sorted({x for e in shown for x in re.findall(r"K\d+", str(e))})
    values = ", ".join(f"{name} = {model.constants[name].value:.4g}" for name in letters)
    rows.append(f'<text class="small" x="390" y="{y - 4}">{values} N m</text>')
    rows.append(f'<text class="small" x="390" y="{y + 16}">S234 = sin(q2 + q3 + q4), C2 = cos(q2)</text>')
    return rows


def _mathematics(text: str) -> str:
    r"""Return a line of an element with italic letters and lowered numbers."""
    out = ""
    for piece in re.split(r"([A-Za-z]\d+)", text.replace("*", "\u2009").replace("-", "\u2212")):
        if re.fullmatch(r"[A-Za-z]\d+", piece):
            out += f'<tspan font-style="italic">{piece[0]}</tspan><tspan class="sub" dy="6">{piece[1:]}</tspan>'
            out += '<tspan dy="-6">\u200a</tspan>'
        else:
            out += f"<tspan>{escape(piece)}</tspan>"
    return out


def _code(robot: taut.Robot) -> list[str]:
    gravity = robot.derive("gravity")
    text = gravity.to_c()
    lines = [line.strip() for line in text[text.index("/* begin") : text.index("/* end")].splitlines()]
    operations = [line for line in lines if re.match(r"const double t\d+ = .* [*+-] .*;$", line)]
    rows = _panel(360, 290, 400, 250, f"Its C: {gravity.operations.total} operations")
    y = 358
    for line in operations:
        rounded = re.sub(r"\d+\.\d{5,}", lambda m: f"{float(m[0]):.5g}", line)
        rows.append(f'<text class="code" x="384" y="{y}">{escape(rounded)}</text>')
        y += 28
    rows.append('<text class="small" x="384" y="524">after the sines and cosines; proved, no heap, no globals</text>')
    return rows


def _times(robot: str, question: str) -> list[str]:
    found = json.loads((ROOT / "benchmarks/results/peers.json").read_text("utf-8"))["rows"]
    best = {
        who: min(
            row["nanoseconds"]
            for row in found
            if (row["robot"], row["question"], row["way"], row["who"], row["sines"])
            == (robot, question, "one state", who, "own")
        )
        for who in PEERS
    }
    rows = _panel(780, 20, 400, 520, "Its time: inverse dynamics of one state")
    widest, y = max(best.values()), 84
    for who, nanoseconds in best.items():
        own = who == "taut"
        width = 270 * nanoseconds / widest
        style = ' class="label strong"' if own else ' class="label"'
        rows.append(f'<text{style} x="804" y="{y}">{escape(PEERS[who])}</text>')
        colour = "#0b5cad" if own else "#b4c2d0"
        rows.append(f'<rect x="804" y="{y + 9}" width="{width:.1f}" height="24" rx="4" fill="{colour}"/>')
        rows.append(f'<text{style} x="{812 + width:.1f}" y="{y + 27}">{nanoseconds:.0f} ns</text>')
        y += 70
    rows.append('<text class="small" x="804" y="508">each with its better compiler, gcc 12 or clang 14</text>')
    rows.append('<text class="small" x="804" y="526">measured by make bench, docs/speed.md</text>')
    return rows


def main() -> None:
    """Write docs/figures/overview.svg."""
    (ROOT / "docs/figures/overview.svg").write_text(overview(), "utf-8")
    print("docs/figures/overview.svg")


if __name__ == "__main__":
    main()
