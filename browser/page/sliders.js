// One slider a joint, with its number beside it.

import { el } from "./dom.js";
import { data, setCoordinate, setPose, state, watch } from "./state.js";

const TURN = Math.PI, SLIDE = 0.5;

export function sliders() {
  const rows = data.skeleton.coordinates.map((c) => {
    const { low, high } = range(c);
    const id = `joint-${c.q}`;
    const input = el("input", { type: "range", id, min: low, max: high, step: (high - low) / 2000, "data-q": c.q });
    const output = el("output", { for: id });
    input.addEventListener("input", () => setCoordinate(c.q, Number(input.value)));
    const show = () => {
      const x = state.q[c.q], text = c.unit === "m" ? `${x.toFixed(3)} m` : `${((180 * x) / Math.PI).toFixed(1)}°`;
      if (output.textContent === text) return;
      input.value = x;
      output.textContent = text;
      input.setAttribute("aria-valuetext", text);
    };
    watch((what) => what === "q" && show());
    show();
    return el("div", { class: "slider" }, el("label", { for: id, text: c.joint }), input, output);
  });
  const rest = el("button", { type: "button", text: "Zero pose", onclick: () => setPose(data.skeleton.neutral) });
  const random = el("button", { type: "button", text: "Random pose", onclick: () => setPose(drawn()) });
  return el("div", { class: "sliders" }, ...rows, el("p", { class: "buttons" }, rest, random));
}

/** Return the limits of a coordinate; where the file has none, a range about the neutral pose. */
function range(c) {
  const span = c.unit === "m" ? SLIDE : TURN, middle = data.skeleton.neutral[c.q];
  const low = c.lower ?? (c.upper === null ? middle - span : c.upper - 2 * span);
  return { low, high: c.upper ?? low + 2 * span };
}

function drawn() {
  const q = Float64Array.from(data.skeleton.neutral);
  for (const c of data.skeleton.coordinates) {
    const { low, high } = range(c);
    q[c.q] = low + (0.1 + 0.8 * Math.random()) * (high - low);
  }
  return q;
}
