// What the page shows: the pose and the choices of the reader, kept in the address so that it can be sent.

export const data = JSON.parse(document.getElementById("taut-data").textContent);
export const functions = window.tautFunctions ?? tautFunctions;

const KEYS = ["values", "step", "ratio", "rate", "code", "theme", "section", "view", "show"];
const listeners = [];

export const state = { q: Float64Array.from(data.skeleton.neutral), choices: {} };

/** Call a function whenever the pose ("q") or a choice changes. */
export function watch(listener) {
  listeners.push(listener);
}

/** Change the pose; `quiet` leaves the address alone, as a moving simulation does. */
export function setPose(q, quiet = false) {
  if (functions.close) walk(q);
  else state.q.set(q);
  announce("q", quiet);
}

/** Change one coordinate; the joints of closed loops follow. */
export function setCoordinate(index, value) {
  const q = state.q.slice();
  q[index] = value;
  setPose(q);
}

const CLOSED = 1e-12, FAILED = 1e-6, STEP = 0.06, TRIES = 30;

/** Return a position with its loops closed by Newton steps from a near one, the independent coordinates as they are; null where that fails. */
export function closed(q) {
  let near = Float64Array.from(q), gap = Infinity;
  for (let k = 0; k < TRIES && gap > CLOSED; ++k) {
    const found = functions.close(near);
    gap = found[near.length];
    near = Float64Array.from(found.subarray(0, near.length));
  }
  return gap < FAILED && near.every(Number.isFinite) ? near : null;
}

/** Go to the independent coordinates of a position in small steps; stops where the loops cannot follow. */
function walk(q) {
  const places = data.skeleton.coordinates.map((c) => c.q), from = places.map((k) => state.q[k]);
  const far = Math.max(...places.map((k, i) => Math.abs(q[k] - from[i])), 0), steps = Math.max(1, Math.ceil(far / STEP));
  for (let s = 1; s <= steps; ++s) {
    const next = state.q.slice();
    places.forEach((k, i) => { next[k] = from[i] + ((q[k] - from[i]) * s) / steps; });
    const found = closed(next);
    if (!found) return;
    state.q.set(found);
  }
}

/** Return a choice, or what it is unless chosen. */
export function choice(name, otherwise) {
  return state.choices[name] ?? otherwise;
}

/** Change a choice. */
export function choose(name, value) {
  state.choices[name] = String(value);
  announce(name);
}

function announce(what, quiet = false) {
  for (const listener of listeners) listener(what);
  if (!quiet) keep();
}

let waiting = 0;

/** Write the state into the address, at most five times a second. */
export function keep() {
  if (waiting) return;
  waiting = setTimeout(() => {
    waiting = 0;
    history.replaceState(null, "", `#${fragment()}`);
  }, 200);
}

export function fragment() {
  const rows = [["q", Array.from(state.q, (x) => Number(x.toFixed(5))).join(",")]];
  for (const key of KEYS) if (state.choices[key] !== undefined) rows.push([key, state.choices[key]]);
  return new URLSearchParams(rows).toString().replaceAll("%2C", ",");
}

/** Take pose and choices from the address; what does not fit is left out. */
export function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  const q = (given.get("q") ?? "").split(",").map(Number);
  if (q.length === state.q.length && q.every(Number.isFinite)) state.q.set((functions.close ? closed(q) : q) ?? state.q);
  for (const key of KEYS) if (given.has(key)) state.choices[key] = given.get(key);
}
