// Puts the page together and draws a frame when something has changed.

import { abbreviation } from "./abbreviation.js";
import { code } from "./code.js";
import { counts } from "./counts.js";
import { el, section } from "./dom.js";
import { equations } from "./equations.js";
import { matrices } from "./matrices.js";
import { heldErrors, rates } from "./rates.js";
import { FLOATS, layerSwitches, View } from "./scene.js";
import { simulation } from "./simulation.js";
import { sliders } from "./sliders.js";
import { choice, choose, data, fragment, functions, read, setPose, state, watch } from "./state.js";

read();
theme(choice("theme", "auto"));

const host = document.getElementById("view");
const view = new View(host);
const times = [];
let dirty = true, scheduled = false, last = null;

const live = matrices();
const motion = simulation({ forget: () => view.forget() });
const sections = [
  about(), equations(), abbreviation(), live.view, counts(), motion.view, rates().view, code(),
];

function about() {
  const bodies = data.skeleton.bodies, mass = bodies.reduce((sum, body) => sum + body.mass, 0);
  const notes = data.notes.map((text) => el("p", { class: "note", text }));
  if (data.unknown.length) {
    notes.unshift(el("p", { class: "note", text: `The file gives no values of ${data.unknown.slice(0, 8).join(", ")}${data.unknown.length > 8 ? ", ..." : ""}. ` +
      "In the drawing, the matrices and the simulation, links without inertial numbers are rods of 1 kg; equations, counts and C keep the symbols." }));
  }
  const facts = [["degrees of freedom", data.nv], ["moving links", bodies.length], ["mass of the moving links", data.unknown.length ? "not known" : `${mass.toPrecision(4)} kg`],
    ["gravity", `${data.gravity.map((x) => Number(x.toPrecision(6))).join(", ")} m/s²`]];
  return section("about", "Robot", el("dl", { class: "facts" }, ...facts.map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: String(value) })))),
    data.source ? el("p", { class: "quiet", text: data.source.trim().replace(/\s+/g, " ") }) : null, ...notes);
}

document.getElementById("sections").append(...sections);
document.getElementById("controls").append(sliders(), layerSwitches(view, redraw));
document.getElementById("links").append(...sections.map((part) => el("li", {}, el("a", { href: `#section=${part.id}`, "data-section": part.id, text: part.querySelector("h2").textContent }))));
document.getElementById("links").addEventListener("click", (event) => {
  const id = event.target.closest("a")?.dataset.section;
  if (!id) return;
  event.preventDefault();
  choose("section", id);
  go(id);
});

function go(id) {
  const part = sections.find((one) => one.id === id);
  if (!part) return;
  part.scrollIntoView({ block: "start" });
  part.focus({ preventScroll: true });
}

function redraw() {
  dirty = true;
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(frame);
}

/** Compute and draw everything that depends on the pose. */
function frame() {
  scheduled = false;
  if (!dirty) return;
  dirty = false;
  const begun = performance.now();
  const poses = functions.body_poses(state.q);
  view.place(poses, motion.simulator.running);
  if (motion.simulator.running && FLOATS) view.aim(poses);
  last = live.update(state.q);
  view.draw();
  times.push(performance.now() - begun);
  if (times.length > 600) times.shift();
}

function theme(name) {
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.textContent = `Theme: ${name}`;
}

document.getElementById("theme").addEventListener("click", () => {
  const names = ["auto", "light", "dark"], next = names[(names.indexOf(choice("theme", "auto")) + 1) % 3];
  choose("theme", next);
  theme(next);
  painted();
});

function painted() {
  view.paint();
  motion.paint?.();
  redraw();
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", painted);
watch((what) => what === "q" && redraw());
view.moved = () => { choose("view", [view.turn, view.tilt, view.distance].map((x) => x.toFixed(3)).join(",")); redraw(); };
new ResizeObserver(redraw).observe(host);
window.addEventListener("hashchange", () => { read(); setPose(state.q, true); go(choice("section", "")); });

const looked = choice("view", "").split(",").map(Number);
if (looked.length === 3 && looked.every(Number.isFinite)) [view.turn, view.tilt, view.distance] = looked;
view.aim(functions.body_poses(state.q));
frame();
if (choice("section")) go(choice("section"));

/** For tests and for the console of the curious. */
window.taut = {
  data, functions, setPose, fragment, heldErrors, simulator: motion.simulator, poses: () => Array.from(functions.body_poses(state.q)),
  numbers: () => ({ q: Array.from(state.q), M: Array.from(last.M), g: Array.from(last.g) }),
  times, ready: performance.now(),
};
document.documentElement.dataset.ready = "1";
