// The abbreviation slider: terms below a share are struck out; operations and torque error follow.

import { el, percent, section, shown, sv } from "./dom.js";
import { choice, choose, data, watch } from "./state.js";

const { steps, why } = data.abbreviation;

export function abbreviation() {
  if (!steps.length) return section("abbreviation", "Abbreviation", el("p", { class: "note", text: `Not available: ${why}` }));
  const input = el("input", { type: "range", id: "threshold", min: 0, max: steps.length - 1, step: 1 });
  const output = el("output", { for: "threshold" });
  const facts = el("dl", { class: "facts", "aria-live": "polite" });
  const warnings = el("div", { class: "warnings" });
  const { view: plot, mark } = curve();
  input.value = choice("step", 0);
  input.addEventListener("input", () => choose("step", input.value));
  const show = () => {
    const k = Math.max(0, Math.min(steps.length - 1, Number(choice("step", 0)) || 0)), step = steps[k];
    input.value = k;
    output.textContent = step.threshold ? `below ${percent(step.threshold)}` : "nothing left out";
    input.setAttribute("aria-valuetext", output.textContent);
    facts.replaceChildren(
      ...fact("terms kept", `${step.terms} of ${steps[0].terms}`), ...fact("operations with torque", `${step.operations} of ${steps[0].operations}`),
      ...fact("worst torque error, measured", percent(step.worst)), ...fact("worst torque error, bound", percent(step.bound)));
    warnings.replaceChildren(...step.warnings.map((text) => el("p", { class: "note", text })));
    mark(k);
  };
  watch((what) => what === "step" && show());
  show();
  return section("abbreviation", "Abbreviation",
    el("p", { text: "Terms that are small beside their element are struck out in the equations (Armstrong's rule). Errors are shares of each joint's greatest torque within the limits of the robot file." }),
    el("div", { class: "slider wide" }, el("label", { for: "threshold", text: "leave out terms" }), input, output), facts, warnings, plot);
}

function fact(name, value) {
  return [el("div", {}, el("dt", { text: name }), el("dd", { text: value }))];
}

/** Return a plot of error against operations, both logarithmic. */
function curve() {
  const W = 560, H = 190, left = 66, bottom = 34;
  const ops = steps.map((s) => Math.log(s.operations)), errors = steps.map((s) => Math.log10(Math.max(s.worst, 1e-5)));
  const x = (v) => left + ((W - left - 12) * (v - Math.min(...ops))) / (Math.max(...ops) - Math.min(...ops) || 1);
  const y = (v) => 10 + ((H - bottom - 10) * (0 - v)) / 5;
  const dot = sv("circle", { r: 6, class: "dot" });
  const points = steps.map((_, k) => `${x(ops[k]).toFixed(1)},${y(errors[k]).toFixed(1)}`).join(" ");
  const lines = [0, -1, -2, -3, -4, -5].map((p) => [
    sv("line", { x1: left, x2: W - 12, y1: y(p), y2: y(p), class: "rule" }),
    sv("text", { x: left - 8, y: y(p) + 4, "text-anchor": "end", text: p === -5 ? "0 %" : percent(10 ** p) })]).flat();
  const ends = [Math.min(...ops), Math.max(...ops)].map((v, k) => sv("text", { x: x(v), y: H - 14, "text-anchor": k ? "end" : "start", text: shown(Math.exp(v), 4) }));
  const view = sv("svg", { viewBox: `0 0 ${W} ${H}`, class: "plot", role: "img", "aria-label": "worst torque error against operations" },
    ...lines, ...ends, sv("text", { x: (W + left) / 2, y: H - 14, "text-anchor": "middle", text: "operations with torque" }),
    sv("polyline", { points, class: "curve" }), dot);
  return { view, mark: (k) => { dot.setAttribute("cx", x(ops[k])); dot.setAttribute("cy", y(errors[k])); } };
}
