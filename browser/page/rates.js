// Two rates: what each task computes, and the torque error that held values make along a motion.

import { el, percent, section, shown, visibility } from "./dom.js";
import { choice, choose, data, functions, state, watch } from "./state.js";

const n = data.nv;
const SAMPLES = 400, SECONDS = 2;

export function rates() {
  const tasks = Object.entries(data.tasks);
  const head = ["task", "takes", "operations", "sin, cos", "hands over"];
  const table = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "tasks" }, el("table", { class: "data" }, el("caption", { text: "The torque, cut by what its parts wait for" }),
    el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { scope: "col", text })))),
    el("tbody", {}, ...tasks.map(([name, task]) => el("tr", {}, el("th", { scope: "row", class: `stage-${name === "synchronous" ? "acceleration" : name}`, text: name }),
      el("td", { text: task.arguments.join(", ") }), el("td", { class: "number", text: task.total }), el("td", { class: "number", text: task.trig }),
      el("td", { class: "number", text: handed(task) }))))));
  const ratio = slider("ratio", "cycles between background runs", 1, 16, 4), rate = slider("rate", "synchronous rate [Hz]", 50, 2000, 200, 50);
  const facts = el("dl", { class: "facts", "aria-live": "polite" });
  const bars = el("div", { class: "timeline", "aria-hidden": "true" });
  const view = section("rates", "Two rates", table,
    el("p", { text: "The background tasks run less often than the servo loop; their values are held in between. Error along a sinusoidal motion of all joints about the pose shown:" }),
    ratio.view, rate.view, bars, facts);
  if (data.nq !== data.nv) {
    const said = "Errors of held values are shown for robots whose joints have one coordinate each and no loops to close; 'taut rates' has them for others.";
    return { view: section("rates", "Two rates", table, el("p", { class: "quiet", text: said })), update: () => {} };
  }
  const whole = data.counts.find((c) => c.function === "inverse_dynamics").total;
  const update = () => {
    const held = ratio.value(), hertz = rate.value();
    const synchronous = data.tasks.synchronous?.total ?? 0, background = tasks.reduce((sum, [name, task]) => sum + (name === "synchronous" ? 0 : task.total), 0);
    const load = hertz * (synchronous + background / held), errors = heldErrors(held / hertz);
    facts.replaceChildren(...[
      ["operations a second, two rates", `${shown(load, 4)}`],
      ["the same at one rate", `${shown(hertz * whole, 4)}`],
      ["age of held values, at most", `${shown((1000 * held) / hertz, 3)} ms`],
      ["worst torque error", `${percent(Math.max(...errors.map((e) => e.share)))} of a joint's greatest`],
    ].map(([name, value]) => el("div", {}, el("dt", { text: name }), el("dd", { text: value }))));
    bars.replaceChildren(...Array.from({ length: 16 }, (_, k) => el("span", { class: "cycle" },
      el("span", { class: "fill-acceleration" }), k % held === 0 ? el("span", { class: "fill-configuration" }) : "")));
  };
  let waiting = 0;
  const seen = visibility(view, update);
  const later = () => {
    if (!seen.now) return;
    clearTimeout(waiting);
    waiting = setTimeout(update, 250);
  };
  watch((what) => (what === "ratio" || what === "rate" ? update() : what === "q" ? later() : null));
  return { view, update };

  function slider(name, label, min, max, otherwise, step = 1) {
    const input = el("input", { type: "range", id: name, min, max, step }), output = el("output", { for: name });
    input.value = choice(name, otherwise);
    const show = () => { output.textContent = input.value; };
    input.addEventListener("input", () => { show(); choose(name, input.value); });
    show();
    return { view: el("div", { class: "slider wide" }, el("label", { for: name, text: label }), input, output), value: () => Number(input.value) };
  }
}

function handed(task) {
  const count = Object.values(task.hands).reduce((sum, names) => sum + names.length, 0);
  return count ? `${count} values` : "nothing";
}

/** Return each joint's greatest error, and its share of the greatest torque, of M and bias that are `age` seconds old. */
export function heldErrors(age) {
  const found = Array.from({ length: n }, () => ({ error: 0, largest: 1e-12 }));
  for (let s = 0; s <= SAMPLES; ++s) {
    const t = (SECONDS * s) / SAMPLES, now = along(t), old = along(Math.max(0, t - age));
    const tau = functions.inverse_dynamics(now.q, now.qd, now.qdd), M = functions.mass_matrix(old.q), bias = functions.bias(old.q, old.qd);
    for (let i = 0; i < n; ++i) {
      let held = bias[i];
      for (let j = 0; j < n; ++j) held += M[i * n + j] * now.qdd[j];
      found[i].error = Math.max(found[i].error, Math.abs(held - tau[i]));
      found[i].largest = Math.max(found[i].largest, Math.abs(tau[i]));
    }
  }
  const most = Math.max(...found.map((f) => f.largest));
  return found.map((f) => ({ ...f, share: f.largest > 1e-9 * most ? f.error / f.largest : 0 }));
}

function along(t) {
  const q = new Float64Array(n), qd = new Float64Array(n), qdd = new Float64Array(n);
  for (let k = 0; k < n; ++k) {
    const w = 2 + 0.5 * k, a = data.skeleton.coordinates[k]?.unit === "m" ? 0.05 : 0.4;
    q[k] = state.q[k] + a * Math.sin(w * t);
    qd[k] = a * w * Math.cos(w * t);
    qdd[k] = -a * w * w * Math.sin(w * t);
  }
  return { q, qd, qdd };
}
