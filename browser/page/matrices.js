// M(q) as a heat map and the torques that hold the robot still, as the pose changes.

import { el, section, shown, visibility } from "./dom.js";
import { FLOATS } from "./scene.js";
import { data, functions } from "./state.js";

const n = data.nv;
const forces = Object.fromEntries(data.skeleton.coordinates.map((c) => [c.v, c]));

const units = new Set(FLOATS ? ["m", "rad"] : data.skeleton.coordinates.map((c) => c.unit));
const MASS = units.size === 1 ? (units.has("rad") ? "kg m²" : "kg") : "kg m², kg m or kg";
const FORCE = units.size === 1 ? (units.has("rad") ? "Torque" : "Force") : "Torque or force";

export function matrices() {
  const cells = [], bars = [];
  const names = rateNames();
  const head = el("tr", {}, el("td"), ...short(names).map((name, k) => el("th", { scope: "col", text: name, title: names[k] })));
  const body = names.map((name, i) => el("tr", {}, el("th", { scope: "row", text: name }), ...names.map(() => {
    const cell = el("td");
    cells.push(cell);
    return cell;
  })));
  const heat = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "mass matrix" },
    el("table", { class: "heat" }, el("caption", { text: `Mass matrix M(q), ${MASS}` }), el("thead", {}, head), el("tbody", {}, ...body)));
  const gravity = el("table", { class: "bars" }, el("caption", { text: `${FORCE} that holds the robot still, g(q)` }), el("tbody", {}, ...names.map((name, k) => {
    const bar = el("span", { class: "bar" }), value = el("td", { class: "number" });
    bars.push({ bar, value, most: forces[k]?.effort ?? null, unit: forces[k]?.force ?? "" });
    return el("tr", {}, el("th", { scope: "row", text: name }), el("td", { class: "track", "aria-hidden": "true" }, bar), value);
  })));
  const view = section("matrices", "Inertia and gravity", heat, gravity);
  let largest = 1e-9, found = null;
  const seen = visibility(view, () => found && write(found.M, found.g));

  const update = (q) => {
    found = { M: functions.mass_matrix(q), g: functions.gravity(q) };
    if (seen.now) write(found.M, found.g);
    return found;
  };
  const write = (M, g) => {
    let most = 0;
    for (let k = 0; k < M.length; ++k) most = Math.max(most, Math.abs(M[k]));
    for (let k = 0; k < M.length; ++k) {
      const strength = M[k] === 0 ? 0 : Math.max(0, 1 + Math.log10(Math.abs(M[k]) / most) / 3.5);
      const text = shown(M[k], 3);
      if (cells[k].textContent !== text) {
        cells[k].textContent = text;
        cells[k].style.setProperty("--heat", `${Math.round(42 * strength)}%`);
        cells[k].className = M[k] < 0 ? "negative" : "";
      }
    }
    for (let k = 0; k < n; ++k) largest = Math.max(largest, Math.abs(g[k]));
    for (let k = 0; k < n; ++k) {
      const { bar, value, most: limit, unit } = bars[k], size = Math.min(1, Math.abs(g[k]) / (limit ?? largest));
      bar.style.transform = `scaleX(${(g[k] < 0 ? -size : size).toFixed(4)})`;
      const text = `${shown(g[k], 4)} ${unit}${limit === null ? "" : ` of ${shown(limit, 3)}`}`;
      if (value.textContent !== text) value.textContent = text;
    }
  };
  return { view, update };
}

function rateNames() {
  const names = Array.from({ length: n }, (_, k) => `rate ${k + 1}`);
  for (const [k, c] of Object.entries(forces)) names[k] = c.joint;
  if (FLOATS) ["base x", "base y", "base z", "turn x", "turn y", "turn z"].forEach((name, k) => { names[k] = name; });
  return names;
}

/** Return names without the words that all of them begin with, for narrow columns. */
function short(names) {
  const words = names[0].split("_");
  let shared = 0;
  while (names.length > 1 && shared < words.length - 1 && names.every((name) => name.startsWith(`${words.slice(0, shared + 1).join("_")}_`))) ++shared;
  const length = words.slice(0, shared).join("_").length + (shared ? 1 : 0);
  return names.map((name) => name.slice(length));
}
